/// What bytes from outside are, judged without making strings of them: nothing here allocates.
package enum Characters {
    /// Whether `bytes` may stand in a line (protocol.md, Lines): well-formed UTF-8 (RFC 3629: no surrogates, nothing
    /// overlong) without DEL and without C0 controls other than TAB. O(n).
    package static func areAllowed(in bytes: UnsafeRawBufferPointer) -> Bool {
        var at = 0
        while at < bytes.count {
            let byte = bytes[at]
            if byte < 0x80 {
                if (byte < 0x20 && byte != 0x09) || byte == 0x7F { return false }
                at = plainEnd(in: bytes, from: at + 1, doubt: doubt)
            } else {
                guard let scalar = scalar(in: bytes, at: at) else { return false }
                at += scalar.length
            }
        }
        return true
    }

    /// The end of a run of bytes from `start` on that need no closer look, 32 and then 8 at once.
    /// - Parameter doubt: of eight bytes, sets the high bit of some where one needs it.
    @inline(__always)
    static func plainEnd(
        in bytes: UnsafeRawBufferPointer,
        from start: Int,
        doubt: (UInt64) -> UInt64
    ) -> Int {
        var at = start
        while bytes.count - at >= 32 {
            let words = bytes.loadUnaligned(fromByteOffset: at, as: (UInt64, UInt64, UInt64, UInt64).self)
            let doubts = (doubt(words.0) | doubt(words.1)) | (doubt(words.2) | doubt(words.3))
            if doubts & 0x8080_8080_8080_8080 != 0 { break }
            at += 32
        }
        while bytes.count - at >= 8,
            doubt(bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)) & 0x8080_8080_8080_8080 == 0
        {
            at += 8
        }
        return at
    }

    /// The high bit of some byte is set where `isPlain` says no: of a byte above 0x7F, of one below 0x20, which borrows
    /// into it, and of 0x7F, which carries into it.
    @inline(__always)
    static func doubt(_ word: UInt64) -> UInt64 {
        word | (word &- 0x2020_2020_2020_2020) | (word &+ 0x0101_0101_0101_0101)
    }

    /// Whether none of eight bytes is below 0x20, DEL or above 0x7F; may say no where yes were right, never the reverse.
    @inline(__always)
    static func isPlain(_ word: UInt64) -> Bool {
        doubt(word) & 0x8080_8080_8080_8080 == 0
    }

    /// The scalar that begins at `at` and its length in bytes; nil when the bytes there are not well-formed UTF-8.
    @inline(__always)
    package static func scalar(in bytes: UnsafeRawBufferPointer, at: Int) -> (value: UInt32, length: Int)? {
        let first = bytes[at]
        let length: Int
        var value: UInt32
        var least: UInt32
        switch first {
        case 0..<0x80: return (UInt32(first), 1)
        case 0xC2...0xDF: (length, value, least) = (2, UInt32(first & 0x1F), 0x80)
        case 0xE0...0xEF: (length, value, least) = (3, UInt32(first & 0x0F), 0x800)
        case 0xF0...0xF4: (length, value, least) = (4, UInt32(first & 0x07), 0x1_0000)
        default: return nil
        }
        guard bytes.count - at >= length else { return nil }
        for index in 1..<length {
            let next = bytes[at + index]
            guard next & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(next & 0x3F)
        }
        if value < least || value > 0x10_FFFF || (value >= 0xD800 && value <= 0xDFFF) { return nil }
        return (value, length)
    }

    /// Unicode's White_Space property (PropList.txt).
    package static func isWhiteSpace(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// Whether nothing but White_Space is in well-formed `bytes`; true when there are none. O(n).
    package static func areBlank(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var at = 0
        while at < bytes.count {
            guard let scalar = scalar(in: bytes, at: at), isWhiteSpace(scalar.value) else { return false }
            at += scalar.length
        }
        return true
    }

    /// Unicode scalars in well-formed `bytes`. O(n).
    package static func scalarCount(_ bytes: UnsafeRawBufferPointer) -> Int {
        var (count, at) = (bytes.count, 0)
        // ASCII, as most is: each byte is one.
        while bytes.count - at >= 32 {
            let words = bytes.loadUnaligned(fromByteOffset: at, as: (UInt64, UInt64, UInt64, UInt64).self)
            if (words.0 | words.1 | words.2 | words.3) & 0x8080_8080_8080_8080 != 0 { break }
            at += 32
        }
        // Eight bytes at once: the low bit of each says whether it is one that goes on with a scalar.
        while bytes.count - at >= 8 {
            let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            let isContinued = (word >> 7) & (~word >> 6) & 0x0101_0101_0101_0101
            count -= Int((isContinued &* 0x0101_0101_0101_0101) >> 56)
            at += 8
        }
        while at < bytes.count {
            if bytes[at] & 0xC0 == 0x80 { count -= 1 }
            at += 1
        }
        return count
    }

    /// Whether a server line shows `scalar` only as an escape: what could drive or disguise a terminal
    /// (protocol.md, Lines): C0, DEL, C1, U+2028/2029 and the bidirectional controls.
    package static func isEscaped(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
