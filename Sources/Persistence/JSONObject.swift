import Bytes
import Wire

/// Appends a JSON object member by member.
struct JSONObject {
    private var isFirst = true

    init(in out: inout ByteBuffer) { out.append(byte: 0x7B) }

    mutating func key(_ name: StaticString, _ out: inout ByteBuffer) {
        if !isFirst { out.append(byte: 0x2C) }
        isFirst = false
        out.append(byte: 0x22)
        out.append(name)
        out.append("\":")
    }

    mutating func member(_ name: StaticString, _ value: UInt64, _ out: inout ByteBuffer) {
        key(name, &out)
        out.append(decimal: value)
    }

    mutating func member(_ name: StaticString, _ value: String, _ out: inout ByteBuffer) {
        key(name, &out)
        JSONString.append(string: value, into: &out)
    }

    mutating func member(_ name: StaticString, _ value: Bool, _ out: inout ByteBuffer) {
        key(name, &out)
        if value { out.append("true") } else { out.append("false") }
    }

    mutating func array<Element>(
        _ name: StaticString,
        _ values: some Sequence<Element>,
        _ out: inout ByteBuffer,
        _ body: (Element, inout ByteBuffer) -> Void
    ) {
        key(name, &out)
        out.append(byte: 0x5B)
        var isFirst = true
        for value in values {
            if !isFirst { out.append(byte: 0x2C) }
            isFirst = false
            body(value, &out)
        }
        out.append(byte: 0x5D)
    }

    func end(_ out: inout ByteBuffer) { out.append(byte: 0x7D) }
}
