/// JSON strings that never drive a terminal (protocol.md, Lines).
package enum JSONText {
    /// `text` as a JSON string in double quotes: `"` and `\` escaped, controls, line and paragraph separators and
    /// bidirectional controls as `\u` with four lower-case hex digits, all else as it is. O(n).
    package static func quoted(_ text: String) -> String {
        var out = "\""
        append(text, to: &out)
        out += "\""
        return out
    }

    private static func append(_ text: String, to out: inout String) {
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" {
                out += "\\"
                out.unicodeScalars.append(scalar)
            } else if isEscaped(scalar) {
                out += "\\u" + hex(scalar.value)
            } else {
                out.unicodeScalars.append(scalar)
            }
        }
    }

    /// Whether `scalar` is never written as it is: C0, DEL, C1, U+2028, U+2029 and the bidirectional controls. All of
    /// them lie in the Basic Multilingual Plane.
    package static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
        default: false
        }
    }

    private static func hex(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
