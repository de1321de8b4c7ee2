/// The request target (RFC 9112 section 3.2): where it leads.
enum HTTPTarget {
    /// The place, and what stands behind the `?`.
    /// - Throws: 400 for another form, for another host than Host names, and for what is no path.
    static func place(
        _ target: String,
        host: String?,
        method: HTTPMethod
    ) throws(HTTPRequest.Refused) -> (HTTPPlace, query: String?) {
        if target == "*" {
            guard method == .options else { throw .init(.badRequest) }
            return (.server, nil)
        }
        let path = try path(of: target, host: host)
        guard HTTPSyntax.isPath(path.utf8) else { throw .init(.badRequest) }
        let parts = path.split(separator: "?" as Character, maxSplits: 1, omittingEmptySubsequences: false)
        return (place(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : nil)
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
    private static func place(_ path: Substring) -> HTTPPlace {
        switch path {
        case "/health": return .health
        case "/metrics": return .metrics
        case "/tus": return .uploads
        default: break
        }
        let parts = path.split(separator: "/" as Character, omittingEmptySubsequences: false)
        guard parts.count >= 2 else { return .elsewhere }
        switch parts[1] {
        case "blobs":
            if parts.count == 4, !parts[2].isEmpty { return .blobPart(String(parts[2])) }
            return parts.count == 3 ? .blob(String(parts[2])) : parts.count == 2 ? .blob("") : .blobPart("")
        case "tus":
            return parts.count == 3 && parts[2].isEmpty ? .uploads : .upload(parts.count == 3 ? String(parts[2]) : "")
        default: return .elsewhere
        }
    }
}
