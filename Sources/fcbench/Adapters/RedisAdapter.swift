/// Redis with RESP3, in which somebody who has subscribed may still publish. A stored message is a push to a list.
enum RedisAdapter: Adapter {
    static let traits = ServerTraits()
    /// The list that stored messages go to; its length is their number.
    private static let list = "fcbench"

    static func opening(_ seat: Seat) -> String {
        var lines = ["HELLO 3"]
        if let room = seat.room, seat.reads { lines.append("SUBSCRIBE \(room)") }
        lines.append("PING ready")
        return lines.map { "\($0)\r\n" }.joined()
    }

    static func entering(_ seat: Seat) -> String { "" }

    static func frame(_ seat: Seat, textCount: Int) -> (before: String, behind: String) {
        let words = seat.stores ? ["RPUSH", list] : ["PUBLISH", seat.room ?? "#lobby"]
        let bulks = words.map { "$\($0.utf8.count)\r\n\($0)\r\n" }.joined()
        return ("*3\r\n\(bulks)$\(textCount)\r\n", "\r\n")
    }

    /// The server asks nothing of its clients.
    static func pong(_ word: UnsafeRawBufferPointer) -> [UInt8] { [] }

    @inline(__always)
    static func scan(_ bytes: UnsafeRawBufferPointer, textCount: Int, _ body: (Notice) -> Void) -> Int {
        var start = 0
        while start < bytes.count {
            if bytes.has(">3\r\n$7\r\nmessage\r\n$", at: start) {
                // The channel's name, then the text.
                guard let channel = bulk(bytes, at: start + 17),
                    let text = bulk(bytes, at: channel.upperBound + 2)
                else { return start }
                body(.delivery(text.count == textCount ? Payload(bytes.part(text)) : nil))
                start = text.upperBound + 2
                continue
            }
            guard let end = RedisValue.end(in: bytes, from: start) else { return start }
            let value = bytes.part(start..<end)
            switch value[0] {
            case UInt8(ascii: ":"): body(.acknowledgement(UInt64(value.decimal(at: 1)?.value ?? 0)))
            case UInt8(ascii: "-"), UInt8(ascii: "!"): body(.refusal(value))
            default: if value.has("$5\r\nready\r\n") { body(.ready) }
            }
            start = end
        }
        return start
    }

    /// Where the content of the bulk string at `start` is; nil when it is not whole.
    @inline(__always)
    private static func bulk(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Range<Int>? {
        guard bytes.has("$", at: start), let (size, end) = bytes.decimal(at: start + 1) else { return nil }
        guard bytes.count - end >= size + 4 else { return nil }
        return end + 2..<end + 2 + size
    }
}
