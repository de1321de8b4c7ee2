/// The request target (RFC 9112 section 3.2): where it leads.
enum HTTPTarget {
    /// The place, and what stands behind the `?`.
    /// - Throws: 400 for another form, for another host than Host names, and for what is no path.
    static func place(
        _ target: UnsafeRawBufferPointer,
        host: String?,
        method: HTTPMethod
    ) throws(HTTPRequest.Refused) -> (HTTPPlace, query: String?) {
        if target.elementsEqual("*".utf8) {
            guard method == .options else { throw .init(.badRequest) }
            return (.server, nil)
        }
        let path = try path(of: target, host: host)
        guard HTTPSyntax.isPath(path) else { throw .init(.badRequest) }
        guard let mark = path.firstIndex(of: 0x3F) else { return (place(path), nil) }
        return (place(path[..<mark]), text(path[(mark + 1)...]))
    }

    private static func path(
        of target: UnsafeRawBufferPointer,
        host: String?
    ) throws(HTTPRequest.Refused) -> Slice<UnsafeRawBufferPointer> {
        if target.first == 0x2F { return target[...] }
        for scheme in ["https://", "http://"] where isSame(target.prefix(scheme.utf8.count), scheme) {
            let rest = target.dropFirst(scheme.utf8.count)
            let authority = rest.prefix { $0 != 0x2F && $0 != 0x3F }
            guard let host, !authority.isEmpty, isSame(authority, host) else { throw .init(.badRequest) }
            return rest[authority.endIndex...]
        }
        throw .init(.badRequest)
    }

    /// An id is compared as it stands: no escape is resolved, no path made of it.
    private static func place(_ path: Slice<UnsafeRawBufferPointer>) -> HTTPPlace {
        guard path.first == 0x2F else { return .elsewhere }
        let inside = path.dropFirst()
        guard let end = inside.firstIndex(of: 0x2F) else {
            if inside.elementsEqual("health".utf8) { return .health }
            if inside.elementsEqual("metrics".utf8) { return .metrics }
            if inside.elementsEqual("tus".utf8) { return .uploads }
            return inside.elementsEqual("blobs".utf8) ? .blob("") : .elsewhere
        }
        let (top, below) = (inside[..<end], inside[(end + 1)...])
        if top.elementsEqual("blobs".utf8) {
            guard let slash = below.firstIndex(of: 0x2F) else { return .blob(text(below)) }
            return .blobPart(below[(slash + 1)...].contains(0x2F) ? "" : text(below[..<slash]))
        }
        guard top.elementsEqual("tus".utf8) else { return .elsewhere }
        return below.isEmpty ? .uploads : .upload(below.contains(0x2F) ? "" : text(below))
    }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: UnsafeRawBufferPointer(rebasing: bytes), as: UTF8.self)
    }

    /// Whether they differ in nothing but the case of ASCII letters.
    private static func isSame(_ bytes: Slice<UnsafeRawBufferPointer>, _ other: String) -> Bool {
        text(bytes).lowercased() == other.lowercased()
    }
}
