/// `method SP target SP version` (RFC 9112 section 3).
struct HTTPRequestLine {
    let method: String
    let target: String
    /// HTTP/1.1 or a later minor version: connections stay open, Host is required.
    let isPersistent: Bool

    init(_ bytes: UnsafeRawBufferPointer) throws(HTTPRequest.Refused) {
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { throw .init(.badRequest) }
        let parts = bytes.split(separator: 0x20, omittingEmptySubsequences: false).map {
            String(decoding: UnsafeRawBufferPointer(rebasing: $0), as: UTF8.self)
        }
        guard parts.count == 3, HTTPSyntax.isToken(parts[0][...].utf8), !parts[1].isEmpty else {
            throw .init(.badRequest)
        }
        let version = Array(parts[2].utf8)
        guard version.count == 8, version.starts(with: "HTTP/".utf8), version[6] == 0x2E,
            HTTPSyntax.isDigit(version[5]),
            HTTPSyntax.isDigit(version[7])
        else { throw .init(.badRequest) }
        guard version[5] == 0x31 else { throw .init(.versionNotSupported) }
        (method, target, isPersistent) = (parts[0], parts[1], version[7] != 0x30)
        if target.utf8.count > HTTPHeadScanner.targetLimit { throw .init(.targetTooLong) }
    }
}
