import Bytes
import ChatModel

/// Writes the values of server lines (protocol.md, Lines).
package enum ValueRenderer {
    /// Appends ` key=value`, with the blank in front.
    package static func append(_ field: KeyValue, into out: inout ByteBuffer) {
        out.append(byte: 0x20)
        out.append(string: field.key)
        out.append(byte: 0x3D)
        switch field.value {
        case .word(let word): append(word: word, into: &out)
        case .text(let text): JSONString.append(string: text, into: &out)
        case .number(let number): out.append(decimal: number)
        case .time(let time): append(time: time, into: &out)
        case .flag(let flag): append(flag: flag, into: &out)
        case .json(let json): out.append(string: json)
        }
    }

    /// Appends each of `fields` with a blank in front.
    package static func append(_ fields: [KeyValue], into out: inout ByteBuffer) {
        for field in fields { append(field, into: &out) }
    }

    /// Appends a word bare, or as a JSON string when it is empty or holds White_Space, a quote or what is always escaped.
    package static func append(word: String, into out: inout ByteBuffer) {
        // Strings of our own making have their bytes in one piece; `withUTF8` would take a copy to make it so.
        let isDone: Void? = word.utf8.withContiguousStorageIfAvailable {
            append(word: UnsafeRawBufferPointer($0), into: &out)
        }
        if isDone != nil { return }
        var copy = word
        copy.withUTF8 { append(word: UnsafeRawBufferPointer($0), into: &out) }
    }

    /// The same for well-formed UTF-8.
    package static func append(word: UnsafeRawBufferPointer, into out: inout ByteBuffer) {
        if mustBeQuoted(word) { JSONString.append(word, into: &out) } else { out.append(word) }
    }

    /// Appends RFC 3339 with milliseconds.
    package static func append(time: Timestamp, into out: inout ByteBuffer) {
        let room = out.reserve(Timestamp.width)
        time.render(into: UnsafeMutableRawBufferPointer(start: room, count: Timestamp.width))
        out.commit(Timestamp.width)
    }

    package static func append(flag: Bool, into out: inout ByteBuffer) {
        if flag { out.append("yes") } else { out.append("no") }
    }

    /// Appends ` - ` and what a person reads, nothing when it is empty. Controls leave escaped.
    package static func append(remark: String, into out: inout ByteBuffer) {
        if remark.isEmpty { return }
        out.append(" - ")
        var copy = remark
        copy.withUTF8 { JSONString.escape(UnsafeRawBufferPointer($0), quotes: false, into: &out) }
    }

    /// Whether none of eight bytes is a control, a blank, a quote or above 0x7F.
    @inline(__always)
    private static func isPlainWord(_ word: UInt64) -> Bool {
        Characters.isPlain(word) && !JSONString.hasZero(word ^ 0x2020_2020_2020_2020)
            && !JSONString.hasZero(word ^ 0x2222_2222_2222_2222)
    }

    /// One to eight bytes as a word; some may stand in it twice, for what `isPlainWord` says does not change by that.
    @inline(__always)
    private static func word(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        let count = bytes.count
        if count >= 4 {
            let first = bytes.loadUnaligned(as: UInt32.self)
            let last = bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            return UInt64(first) | UInt64(last) << 32
        }
        let some = UInt64(bytes[0]) | UInt64(bytes[count / 2]) << 8 | UInt64(bytes[count - 1]) << 16
        return some | 0x6161_6161_6100_0000
    }

    private static func mustBeQuoted(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if bytes.isEmpty { return true }
        if bytes.count <= 8, isPlainWord(word(of: bytes)) { return false }
        var at = 0
        while at < bytes.count {
            while bytes.count - at >= 8, isPlainWord(bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)) {
                at += 8
            }
            guard at < bytes.count else { return false }
            let byte = bytes[at]
            if byte < 0x80 {
                if byte <= 0x20 || byte == 0x22 || byte == 0x7F { return true }
                at += 1
            } else {
                guard let scalar = Characters.scalar(in: bytes, at: at) else { return true }
                if Characters.isWhiteSpace(scalar.value) || Characters.isEscaped(scalar.value) { return true }
                at += scalar.length
            }
        }
        return false
    }
}
