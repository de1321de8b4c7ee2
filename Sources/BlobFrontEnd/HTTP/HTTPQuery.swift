/// `key=value` pairs behind the `?`, with their escapes resolved (RFC 3986 section 2.1); a plus sign is a plus sign.
package struct HTTPQuery: Equatable, Sendable {
    package private(set) var pairs: [(key: String, value: [UInt8])] = []

    /// - Parameter text: what `HTTPSyntax.isPath` has let through; nil is nothing.
    package init(_ text: String?) {
        guard let text else { return }
        for part in text.utf8.split(separator: 0x26) {
            let key = part.prefix { $0 != 0x3D }
            pairs.append((Self.text(of: key), Self.bytes(of: part[key.endIndex...].dropFirst())))
        }
    }

    /// The bytes that a percent-encoded text stands for.
    package static func bytes(of text: some Collection<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        var at = text.startIndex
        while at != text.endIndex {
            let byte = text[at]
            at = text.index(after: at)
            guard byte == 0x25, let high = digit(text, &at), let low = digit(text, &at) else {
                out.append(byte)
                continue
            }
            out.append(high << 4 | low)
        }
        return out
    }

    private static func digit<Bytes: Collection<UInt8>>(_ text: Bytes, _ at: inout Bytes.Index) -> UInt8? {
        guard at != text.endIndex, let value = HTTPSyntax.hexValue(text[at]) else { return nil }
        at = text.index(after: at)
        return value
    }

    private static func text(of bytes: some Collection<UInt8>) -> String {
        String(decoding: Self.bytes(of: bytes), as: UTF8.self)
    }

    package static func == (one: HTTPQuery, other: HTTPQuery) -> Bool {
        one.pairs.elementsEqual(other.pairs) { $0.key == $1.key && $0.value == $1.value }
    }
}
