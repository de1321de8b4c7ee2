/// Writes text from outside so that it stays on its line and cannot drive a terminal.
enum VisibleText {
    /// Appends `scalar` to `line`; controls, line and paragraph separators and bidirectional controls as `\u` and four
    /// lower-case hex digits. In `quoted` text quotes and backslashes are escaped as in JSON too.
    static func append(_ scalar: Unicode.Scalar, quoted: Bool, to line: inout [UInt8]) {
        if quoted, scalar == "\"" || scalar == "\\" {
            line.append(UInt8(ascii: "\\"))
            line.append(UInt8(scalar.value))
        } else if isHidden(scalar) {
            let digits = String(scalar.value, radix: 16)
            line.append(contentsOf: "\\u".utf8)
            line.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
            line.append(contentsOf: digits.utf8)
        } else {
            line.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// Appends at most `limit` scalars of `text`, then `…` when there were more.
    static func append(_ text: some StringProtocol, quoted: Bool, limit: Int, to line: inout [UInt8]) {
        var left = limit
        for scalar in text.unicodeScalars {
            if left == 0 {
                line.append(contentsOf: "…".utf8)
                return
            }
            append(scalar, quoted: quoted, to: &line)
            left -= 1
        }
    }

    /// C0, DEL, C1, U+2028/2029 and the bidirectional controls (protocol.md, section 2); all below U+10000.
    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1f, 0x7f...0x9f, 0x2028, 0x2029, 0x061c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}

/// `text` as it may stand in a message to the operator: escaped, at most 120 scalars, and `""` when empty.
func visible(_ text: String) -> String {
    if text.isEmpty { return "\"\"" }
    var bytes: [UInt8] = []
    VisibleText.append(text, quoted: false, limit: 120, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
}
