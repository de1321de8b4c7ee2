import Bytes
import ChatModel

/// An item's object from outside, checked and written anew as lines show it: compact, in its order, numbers with their
/// digits, strings escaped as everywhere.
enum ItemObject {
    /// Bytes of the object as a line shows it: with what stands in front of it the line stays below 64 KiB.
    static let limit = 65536 - 1024

    /// Appends the object to `out`.
    /// - Returns: where it stands, and its fields in their order.
    /// - Throws: `Refusal`: BAD-ARG naming the field, or `json`; TOO-LONG.
    static func copy(
        _ bytes: UnsafeRawBufferPointer,
        into out: inout ByteBuffer
    ) throws(Refusal) -> (json: ArenaRange, fields: [ItemField]) {
        let start = out.count
        var fields: [ItemField] = []
        var names: Set<String> = []
        do throws(ItemFault) {
            var scanner = ItemScanner(bytes)
            out.append(byte: 0x7B)
            while let (name, value) = try scanner.next() {
                let text = String(decoding: name, as: UTF8.self)
                guard names.insert(text).inserted else { throw ItemFault(field: text, reason: "it is there twice") }
                if fields.count > 0 { out.append(byte: 0x2C) }
                out.append(byte: 0x22)
                out.append(name)
                out.append("\":")
                fields.append(ItemField(name: text, value: append(value, &out)))
            }
            out.append(byte: 0x7D)
        } catch {
            out.removeLast(out.count - start)
            throw error.refusal
        }
        let count = out.count - start
        if count > limit {
            out.removeLast(count)
            let details: [KeyValue] = [.number("limit", limit), .number("got", count)]
            throw Refusal(.tooLong, field: "json", details: details, "the object is too long, in bytes as it is shown")
        }
        return (ArenaRange(offset: start, count: count), fields)
    }

    private static func append(_ value: ItemScanner.Value, _ out: inout ByteBuffer) -> ItemField.Value {
        switch value {
        case .bool(let flag):
            if flag { out.append("true") } else { out.append("false") }
            return .bool
        case .number(let text, let isInteger):
            out.append(text)
            return isInteger ? .int : .double
        case .string(let inside, let hasEscapes):
            guard hasEscapes else {
                JSONString.append(inside, into: &out)
                return .string(isDate: Timestamp(inside) != nil)
            }
            var text = ByteBuffer(capacity: inside.count)
            _ = JSONString.unescape(inside, into: &text)
            JSONString.append(text.readable, into: &out)
            return .string(isDate: Timestamp(text.readable) != nil)
        }
    }
}
