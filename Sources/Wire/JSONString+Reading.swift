import Bytes

extension JSONString {
    /// Offset of the quote that closes the string whose first byte behind the opening quote is at `start`, and whether
    /// there are escapes in between; nil when nothing closes it. O(n).
    package static func end(
        in bytes: UnsafeRawBufferPointer,
        from start: Int
    ) -> (offset: Int, hasEscapes: Bool)? {
        var (at, hasEscapes) = (start, false)
        while at < bytes.count {
            switch bytes[at] {
            case 0x22: return (at, hasEscapes)
            case 0x5C:
                hasEscapes = true
                at += 2
            default: at += 1
            }
        }
        return nil
    }

    /// Whether every escape in `bytes`, the inside of a string, is one of RFC 8259, no surrogate stands alone and none
    /// stands for U+0000. O(n).
    package static func areEscapesSound(in bytes: UnsafeRawBufferPointer) -> Bool {
        var at = 0
        while at < bytes.count {
            if bytes[at] != 0x5C {
                at += 1
            } else if scalar(ofEscapeIn: bytes, at: &at) == nil {
                return false
            }
        }
        return true
    }

    /// Appends the inside of a string without its escapes; false, and nothing appended, when one of them is not sound.
    package static func unescape(_ bytes: UnsafeRawBufferPointer, into out: inout ByteBuffer) -> Bool {
        let before = out.count
        var (run, at) = (0, 0)
        while at < bytes.count {
            guard bytes[at] == 0x5C else {
                at += 1
                continue
            }
            out.append(UnsafeRawBufferPointer(rebasing: bytes[run..<at]))
            guard let value = scalar(ofEscapeIn: bytes, at: &at), let scalar = Unicode.Scalar(value) else {
                out.removeLast(out.count - before)
                return false
            }
            for byte in UTF8.encode(scalar) ?? .init() { out.append(byte: byte) }
            run = at
        }
        out.append(UnsafeRawBufferPointer(rebasing: bytes[run...]))
        return true
    }

    /// The inside of a string without its escapes; nil when one of them is not sound.
    package static func decoded(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.contains(0x5C) else { return String(decoding: bytes, as: UTF8.self) }
        var buffer = ByteBuffer(capacity: bytes.count)
        guard unescape(bytes, into: &buffer) else { return nil }
        return String(decoding: buffer.readable, as: UTF8.self)
    }

    /// Reads the escape whose backslash is at `at` and moves behind it; nil when it is not sound.
    private static func scalar(ofEscapeIn bytes: UnsafeRawBufferPointer, at: inout Int) -> UInt32? {
        guard bytes.count - at >= 2 else { return nil }
        let letter = bytes[at + 1]
        at += 2
        switch letter {
        case 0x22, 0x5C, 0x2F: return UInt32(letter)
        case 0x62: return 0x08
        case 0x66: return 0x0C
        case 0x6E: return 0x0A
        case 0x72: return 0x0D
        case 0x74: return 0x09
        case 0x75: return scalar(ofDigitsIn: bytes, at: &at)
        default: return nil
        }
    }

    private static func scalar(ofDigitsIn bytes: UnsafeRawBufferPointer, at: inout Int) -> UInt32? {
        guard let unit = unit(in: bytes, at: &at), unit != 0 else { return nil }
        switch unit {
        case 0xD800...0xDBFF:
            guard bytes.count - at >= 6, bytes[at] == 0x5C, bytes[at + 1] == 0x75 else { return nil }
            at += 2
            guard let low = Self.unit(in: bytes, at: &at), (0xDC00...0xDFFF).contains(low) else { return nil }
            return 0x1_0000 + (unit - 0xD800) << 10 + (low - 0xDC00)
        case 0xDC00...0xDFFF: return nil
        default: return unit
        }
    }

    /// Four hexadecimal digits, in either case.
    private static func unit(in bytes: UnsafeRawBufferPointer, at: inout Int) -> UInt32? {
        guard bytes.count - at >= 4 else { return nil }
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = bytes[at]
            switch byte {
            case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
            case 0x41...0x46: value = value << 4 | UInt32(byte - 0x37)
            case 0x61...0x66: value = value << 4 | UInt32(byte - 0x57)
            default: return nil
            }
            at += 1
        }
        return value
    }
}
