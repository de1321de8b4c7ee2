/// IRC (RFC 2812): NICK and USER, then JOIN when welcome, PRIVMSG.
enum IRCAdapter: Adapter {
    /// A line has at most 512 bytes, with the sender's name before the text (RFC 2812 section 2.3).
    static let traits = ServerTraits(
        echoes: false,
        acknowledges: false,
        stores: false,
        nudge: "PING more\r\n",
        textLimit: 400
    )

    static func opening(_ seat: Seat) -> String {
        "NICK b\(seat.index)\r\nUSER b\(seat.index) 0 * :fcbench\r\n"
    }

    /// Who publishes must be in the room, too.
    static func entering(_ seat: Seat) -> String {
        (seat.room.map { "JOIN \($0)\r\n" } ?? "") + "PING ready\r\n"
    }

    static func frame(_ seat: Seat, textCount: Int) -> (before: String, behind: String) {
        ("PRIVMSG \(seat.room ?? "#lobby") :", "\r\n")
    }

    static func pong(_ word: UnsafeRawBufferPointer) -> [UInt8] { Array("PONG".utf8) + word + [0x0D, 0x0A] }

    @inline(__always)
    static func scan(_ bytes: UnsafeRawBufferPointer, textCount: Int, _ body: (Notice) -> Void) -> Int {
        bytes.eachLine { line in
            let start = line.count - textCount
            if start > 1, line[start - 1] == UInt8(ascii: ":"), line[start - 2] == UInt8(ascii: " "),
                let payload = Payload(line.part(start..<line.count))
            {
                body(.delivery(payload))
            } else if let notice = control(line) {
                body(notice)
            }
        }
    }

    /// What a line means that carries no message of ours; nil when nothing.
    private static func control(_ line: UnsafeRawBufferPointer) -> Notice? {
        if line.has("PING") { return .ping(line.part(4..<line.count)) }
        if line.has("ERROR") { return .farewell(line) }
        var at = 0
        if line.has(":") {
            while at < line.count && line[at] != 0x20 { at += 1 }
            while at < line.count && line[at] == 0x20 { at += 1 }
        }
        if line.has("PRIVMSG ", at: at) { return .delivery(nil) }
        if line.has("PONG ", at: at) { return .ready }
        guard let (number, end) = line.decimal(at: at), end == at + 3, line.has(" ", at: end) else { return nil }
        switch number {
        case 1: return .welcome
        // There is no message of the day (ERR_NOMOTD).
        case 422: return nil
        case 400..<600: return .refusal(line)
        default: return nil
        }
    }
}
