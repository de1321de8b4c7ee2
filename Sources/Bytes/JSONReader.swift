/// Reads JSON (RFC 8259) from bytes, value by value, as the caller expects them: a value of another kind is a fault.
///
/// Numbers are whole and not negative, which is all that our own files have. Strings are taken without their escapes.
package struct JSONReader {
    private let bytes: UnsafeRawBufferPointer
    /// Offset of the next byte.
    package private(set) var offset = 0

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package func fault(_ reason: String) -> JSONFault { JSONFault(offset: offset, reason: reason) }

    /// Hands the reader to `member` behind each key of an object; it must read the value.
    package mutating func object(
        _ member: (inout JSONReader, String) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        try expect(0x7B, "an object")
        if take(0x7D) { return }
        repeat {
            let key = try string()
            try expect(0x3A, "a colon")
            try member(&self, key)
        } while take(0x2C)
        try expect(0x7D, "the end of an object")
    }

    /// Hands the reader to `element` in front of each value of an array; it must read the value.
    package mutating func array(_ element: (inout JSONReader) throws(JSONFault) -> Void) throws(JSONFault) {
        try expect(0x5B, "an array")
        if take(0x5D) { return }
        repeat { try element(&self) } while take(0x2C)
        try expect(0x5D, "the end of an array")
    }

    package mutating func number() throws(JSONFault) -> UInt64 {
        skipBlanks()
        let start = offset
        var value: UInt64 = 0
        while offset < bytes.count, bytes[offset] >= 0x30, bytes[offset] <= 0x39 {
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tenfold.addingReportingOverflow(UInt64(bytes[offset] - 0x30))
            if overflow || carry { throw fault("a number beyond 64 bits") }
            value = sum
            offset += 1
        }
        if offset == start || (offset - start > 1 && bytes[start] == 0x30) { throw fault("a number is expected") }
        return value
    }

    package mutating func flag() throws(JSONFault) -> Bool {
        skipBlanks()
        if matches("true") { return true }
        if matches("false") { return false }
        throw fault("true or false is expected")
    }

    /// Whether the next value is a string.
    package var isAtString: Bool {
        var at = offset
        while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
        return at < bytes.count && bytes[at] == 0x22
    }

    /// The next value whatever it is, as it stands; of what is nested only strings and the number of brackets are looked
    /// at. O(n), never deep.
    package mutating func raw() throws(JSONFault) -> UnsafeRawBufferPointer {
        skipBlanks()
        let start = offset
        var depth = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == 0x22 {
                offset += 1
                while offset < bytes.count, bytes[offset] != 0x22 { offset += bytes[offset] == 0x5C ? 2 : 1 }
                guard offset < bytes.count else { throw fault("a string without an end") }
                offset += 1
            } else if byte == 0x7B || byte == 0x5B {
                (depth, offset) = (depth + 1, offset + 1)
            } else if Self.isMark(byte) {
                if depth == 0 { throw fault("a value is expected") }
                if byte == 0x7D || byte == 0x5D { depth -= 1 }
                offset += 1
            } else {
                while offset < bytes.count, bytes[offset] != 0x22, bytes[offset] != 0x7B, bytes[offset] != 0x5B,
                    !Self.isMark(bytes[offset]), depth > 0 || bytes[offset] > 0x20
                {
                    offset += 1
                }
            }
            if depth == 0 { return UnsafeRawBufferPointer(rebasing: bytes[start..<offset]) }
        }
        throw fault("a value is expected")
    }

    /// A comma, a colon, or what ends an object or array.
    private static func isMark(_ byte: UInt8) -> Bool { byte == 0x2C || byte == 0x3A || byte == 0x7D || byte == 0x5D }

    /// Nothing but blanks may follow.
    package mutating func end() throws(JSONFault) {
        skipBlanks()
        if offset < bytes.count { throw fault("something follows the end") }
    }

    package mutating func string() throws(JSONFault) -> String {
        try expect(0x22, "a string")
        let start = offset
        offset = stop(from: offset)
        if offset < bytes.count, bytes[offset] == 0x22 {
            defer { offset += 1 }
            return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<offset]), as: UTF8.self)
        }
        offset = start
        var text = ByteBuffer(capacity: 256)
        try rest(into: &text)
        return String(decoding: text.readable, as: UTF8.self)
    }

    /// Appends the string's bytes without their escapes. O(n), without allocation but for the buffer.
    package mutating func string(into out: inout ByteBuffer) throws(JSONFault) {
        try expect(0x22, "a string")
        try rest(into: &out)
    }

    private mutating func rest(into out: inout ByteBuffer) throws(JSONFault) {
        while true {
            let end = stop(from: offset)
            out.append(UnsafeRawBufferPointer(rebasing: bytes[offset..<end]))
            offset = end
            guard offset < bytes.count else { throw fault("a string without an end") }
            offset += 1
            switch bytes[offset - 1] {
            case 0x22: return
            case 0x5C: try escape(into: &out)
            default: throw fault("a control character in a string")
            }
        }
    }

    private mutating func escape(into out: inout ByteBuffer) throws(JSONFault) {
        guard offset < bytes.count else { throw fault("a string without an end") }
        let letter = bytes[offset]
        offset += 1
        switch letter {
        case 0x22, 0x5C, 0x2F: out.append(byte: letter)
        case 0x62: out.append(byte: 0x08)
        case 0x66: out.append(byte: 0x0C)
        case 0x6E: out.append(byte: 0x0A)
        case 0x72: out.append(byte: 0x0D)
        case 0x74: out.append(byte: 0x09)
        case 0x75:
            guard let scalar = Unicode.Scalar(try scalar()) else { throw fault("half a surrogate pair") }
            for byte in UTF8.encode(scalar) ?? .init() { out.append(byte: byte) }
        default: throw fault("an unknown escape")
        }
    }

    private mutating func scalar() throws(JSONFault) -> UInt32 {
        let unit = try digits()
        guard unit >= 0xD800, unit <= 0xDBFF, matches("\\u") else { return unit }
        let low = try digits()
        guard low >= 0xDC00, low <= 0xDFFF else { throw fault("half a surrogate pair") }
        return 0x1_0000 + (unit - 0xD800) << 10 + (low - 0xDC00)
    }

    private mutating func digits() throws(JSONFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard offset < bytes.count else { throw fault("a string without an end") }
            switch bytes[offset] {
            case let digit where digit >= 0x30 && digit <= 0x39: value = value << 4 | UInt32(digit - 0x30)
            case let digit where digit >= 0x41 && digit <= 0x46: value = value << 4 | UInt32(digit - 0x37)
            case let digit where digit >= 0x61 && digit <= 0x66: value = value << 4 | UInt32(digit - 0x57)
            default: throw fault("an escape without its digits")
            }
            offset += 1
        }
        return value
    }

    /// Offset of the first quote, backslash or control character, or the end. O(n), eight bytes at a time.
    private func stop(from start: Int) -> Int {
        var at = start
        while bytes.count - at >= 8 {
            let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            let quote = word ^ 0x2222_2222_2222_2222
            let slash = word ^ 0x5C5C_5C5C_5C5C_5C5C
            let ones: UInt64 = 0x0101_0101_0101_0101
            let found =
                (quote &- ones) & ~quote | (slash &- ones) & ~slash
                | (word &- 0x2020_2020_2020_2020) & ~word
            if found & 0x8080_8080_8080_8080 != 0 { break }
            at += 8
        }
        while at < bytes.count, bytes[at] != 0x22, bytes[at] != 0x5C, bytes[at] >= 0x20 { at += 1 }
        return at
    }

    private mutating func expect(_ byte: UInt8, _ what: String) throws(JSONFault) {
        if !take(byte) { throw fault("\(what) is expected") }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset += 1
        return true
    }

    private mutating func matches(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard bytes.count - offset >= count else { return false }
        for index in 0..<count where bytes[offset + index] != word.utf8Start[index] { return false }
        offset += count
        return true
    }

    private mutating func skipBlanks() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }
}

/// What is wrong with a JSON text, and where.
package struct JSONFault: Error, Equatable {
    package let offset: Int
    package let reason: String
    package init(offset: Int, reason: String) { (self.offset, self.reason) = (offset, reason) }
}
