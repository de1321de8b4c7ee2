/// The request target (RFC 9112 section 3.2): where it leads.
enum HTTPTarget {
    /// - Throws: 400 for another form, for another host than Host names, and for what is no path.
    static func place(_ target: String, host: String?) throws(HTTPRequest.Refused) -> HTTPRequest.Place {
        let path = try path(of: target, host: host)
        guard HTTPSyntax.isPath(path.utf8) else { throw .init(.badRequest) }
        return place(path.prefix { $0 != "?" })
    }

    private static func path(of target: String, host: String?) throws(HTTPRequest.Refused) -> Substring {
        if target.utf8.first == 0x2F { return target[...] }
        for scheme in ["https://", "http://"] where target.lowercased().hasPrefix(scheme) {
            let rest = target.dropFirst(scheme.count)
            let authority = rest.prefix { $0 != "/" && $0 != "?" }
            guard let host, !authority.isEmpty, authority.lowercased() == host.lowercased() else {
                throw .init(.badRequest)
            }
            let path = rest.dropFirst(authority.count)
            return path.isEmpty ? "/" : path
        }
        throw .init(.badRequest)
    }

    /// An id is compared as it stands: no escape is resolved, no path made of it.
    private static func place(_ path: Substring) -> HTTPRequest.Place {
        if path == "/health" { return .health }
        let parts = path.split(separator: "/" as Character, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[1] == "blobs" else { return .elsewhere }
        return .blob(parts.count == 3 || parts.count == 4 ? String(parts[2]) : "")
    }
}
