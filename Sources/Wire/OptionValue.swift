import Bytes
import ChatModel

/// The value of an option as it stands in the line: a word, or the inside of a JSON string whose escapes were checked.
struct OptionValue {
    let raw: UnsafeRawBufferPointer
    let hasEscapes: Bool

    /// The value without escapes, as a string.
    var string: String {
        hasEscapes ? JSONString.decoded(raw) ?? "" : String(decoding: raw, as: UTF8.self)
    }

    /// Calls `body` with the bytes of the value, without escapes; allocates only where there were some.
    func withBytes<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T {
        guard hasEscapes else { return body(raw) }
        var buffer = ByteBuffer(capacity: raw.count)
        _ = JSONString.unescape(raw, into: &buffer)
        return body(buffer.readable)
    }

    /// Appends the value without escapes to `arena` and returns where.
    func copy(into arena: inout ByteBuffer) -> ArenaRange {
        let start = arena.count
        if hasEscapes { _ = JSONString.unescape(raw, into: &arena) } else { arena.append(raw) }
        return ArenaRange(offset: start, count: arena.count - start)
    }
}
