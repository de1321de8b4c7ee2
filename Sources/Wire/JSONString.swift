import Bytes

/// JSON strings (RFC 8259, section 7) as protocol.md writes them: `"` and `\` behind a backslash, what could drive a
/// terminal as `\u` and four lower-case hexadecimal digits, everything else as it is.
package enum JSONString {
    /// Appends `bytes`, well-formed UTF-8, escaped and between quotes. O(n), without allocation but for the buffer.
    package static func append(_ bytes: UnsafeRawBufferPointer, into out: inout ByteBuffer) {
        out.append(byte: 0x22)
        escape(bytes, quotes: true, into: &out)
        out.append(byte: 0x22)
    }

    /// Appends a string escaped and between quotes.
    package static func append(string: String, into out: inout ByteBuffer) {
        var copy = string
        copy.withUTF8 { append(UnsafeRawBufferPointer($0), into: &out) }
    }

    /// Appends `bytes` escaped, without quotes around; with `quotes` false, `"` and `\` stay as they are (for text that
    /// no program reads back). Runs that need no escape are copied at once.
    package static func escape(_ bytes: UnsafeRawBufferPointer, quotes: Bool, into out: inout ByteBuffer) {
        var (run, at) = (0, 0)
        while at < bytes.count {
            let byte = bytes[at]
            if byte >= 0x80 {
                // Only three lead bytes begin scalars that are escaped: C1, U+061C, and U+2000 to U+20FF.
                guard byte == 0xC2 || byte == 0xD8 || byte == 0xE2, let scalar = Characters.scalar(in: bytes, at: at),
                    Characters.isEscaped(scalar.value)
                else {
                    at += 1
                    continue
                }
                out.append(UnsafeRawBufferPointer(rebasing: bytes[run..<at]))
                append(escapeOf: scalar.value, into: &out)
                at += scalar.length
                run = at
            } else if byte < 0x20 || byte == 0x7F || (quotes && (byte == 0x22 || byte == 0x5C)) {
                out.append(UnsafeRawBufferPointer(rebasing: bytes[run..<at]))
                append(escapeOf: UInt32(byte), into: &out)
                at += 1
                run = at
            } else {
                at = Characters.plainEnd(in: bytes, from: at + 1, doubt: doubt)
            }
        }
        out.append(UnsafeRawBufferPointer(rebasing: bytes[run...]))
    }

    /// The high bit of some byte is set where one needs a closer look: a quote or a backslash becomes zero, and borrows.
    @inline(__always)
    private static func doubt(_ word: UInt64) -> UInt64 {
        Characters.doubt(word)
            | ((word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101)
            | ((word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101)
    }

    /// Whether one of eight bytes is zero.
    @inline(__always)
    static func hasZero(_ word: UInt64) -> Bool {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0
    }

    private static func append(escapeOf scalar: UInt32, into out: inout ByteBuffer) {
        out.append(byte: 0x5C)
        if scalar == 0x22 || scalar == 0x5C { return out.append(byte: UInt8(truncatingIfNeeded: scalar)) }
        out.append(byte: 0x75)
        for shift in stride(from: 12, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: scalar >> shift & 0xF)
            out.append(byte: digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }
}
