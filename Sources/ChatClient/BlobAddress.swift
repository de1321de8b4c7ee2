/// Which blob a person means, and where the server has it.
package struct BlobAddress: Equatable, Sendable {
    /// What to ask the blob port for: path and query.
    package let target: String
    /// The last part of the path, still as in the URL.
    package let lastPart: String

    /// - Parameters:
    ///   - text: a blob's id (`b_…`), or the URL of one.
    ///   - base: the address of the blob port, as in HI (`https://HOST:PORT`). A URL of another server gives nil: this
    ///     server's token is none of its business.
    package init?(_ text: String, base: String) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }) else { return nil }
        if text.hasPrefix("b_") {
            guard text.utf8.allSatisfy(Self.isIDByte) else { return nil }
            self.init(target: "/blobs/" + text, lastPart: text)
            return
        }
        let root = base.hasSuffix("/") ? String(base.dropLast()) : base
        guard text.lowercased().hasPrefix(root.lowercased() + "/") else { return nil }
        let target = text.dropFirst(root.count).prefix { $0 != "#" }
        guard target.hasPrefix("/blobs/b_") else { return nil }
        let path = target.prefix { $0 != "?" }
        self.init(target: String(target), lastPart: path.split(separator: "/").last.map(String.init) ?? "")
    }

    private init(target: String, lastPart: String) { (self.target, self.lastPart) = (target, lastPart) }

    private static func isIDByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// Host and port of an address as in HI; nil for anything but `https://HOST:PORT`.
    package static func endpoint(of base: String) -> Endpoint? {
        guard base.lowercased().hasPrefix("https://") else { return nil }
        let rest = base.dropFirst(8)
        let authority = rest.prefix { $0 != "/" }
        // Without a port it is that of HTTPS (RFC 9110, 4.2.2).
        let hasPort = authority.hasPrefix("[") ? authority.contains("]:") : authority.contains(":")
        return Endpoint(hasPort ? String(authority) : authority + ":443")
    }
}
