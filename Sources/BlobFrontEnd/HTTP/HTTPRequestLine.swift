/// `method SP target SP version` (RFC 9112 section 3).
struct HTTPRequestLine {
    /// Nil for one that is not known.
    let method: HTTPMethod?
    /// A part of the head, good as long as that.
    let target: UnsafeRawBufferPointer
    /// HTTP/1.1 or a later minor version: connections stay open, Host is required.
    let isPersistent: Bool

    init(_ bytes: UnsafeRawBufferPointer) throws(HTTPRequest.Refused) {
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }), let first = bytes.firstIndex(of: 0x20),
            let second = bytes[(first + 1)...].firstIndex(of: 0x20)
        else { throw .init(.badRequest) }
        let method = UnsafeRawBufferPointer(rebasing: bytes[..<first])
        target = UnsafeRawBufferPointer(rebasing: bytes[(first + 1)..<second])
        let version = UnsafeRawBufferPointer(rebasing: bytes[(second + 1)...])
        guard !method.isEmpty, method.allSatisfy(HTTPSyntax.isTokenByte), !target.isEmpty, version.count == 8,
            version.starts(with: "HTTP/".utf8), HTTPSyntax.isDigit(version[5]), version[6] == 0x2E,
            HTTPSyntax.isDigit(version[7])
        else { throw .init(.badRequest) }
        guard version[5] == 0x31 else { throw .init(.versionNotSupported) }
        if target.count > HTTPHeadScanner.targetLimit { throw .init(.targetTooLong) }
        (self.method, isPersistent) = (HTTPMethod(letters: method), version[7] != 0x30)
    }
}

extension HTTPMethod {
    /// Nil for one that is not known; case counts.
    init?(letters: UnsafeRawBufferPointer) {
        for method in Self.allCases where method.rawValue.utf8.elementsEqual(letters) {
            self = method
            return
        }
        return nil
    }
}
