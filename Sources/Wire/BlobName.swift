import Bytes
import ChatModel

/// A blob's name on its way into a URL or an HTTP header, where it must be nothing but a name.
package enum BlobName {
    /// Without controls, line separators and characters that change the writing direction; path separators become `_`.
    /// Never empty, never of dots alone.
    package static func cleaned(_ name: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in name.unicodeScalars where !Characters.isEscaped(scalar.value) {
            kept.append(scalar == "/" || scalar == "\\" ? "_" : scalar)
        }
        let isName = kept.contains { $0 != "." && $0 != " " }
        return isName ? String(kept) : "file"
    }

    /// Percent-encoded but for unreserved characters (RFC 3986 section 2.3); these are `attr-char`s of RFC 8187 as well.
    package static func percentEncoded(_ name: String) -> String {
        if name.utf8.allSatisfy(isUnreserved), name.utf8.contains(where: { $0 != 0x2E }) { return name }
        var out: [UInt8] = []
        for byte in cleaned(name).utf8 {
            if isUnreserved(byte) { out.append(byte) } else { out += [0x25, digit(byte >> 4), digit(byte & 15)] }
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }

    /// `/blobs/b_…/name`
    package static func path(_ record: BlobRecord) -> String {
        "/blobs/\(record.id.text)/\(percentEncoded(record.name))"
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}
