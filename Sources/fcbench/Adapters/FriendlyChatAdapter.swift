/// FriendlyChat (protocol.md): everybody is a guest; what is asked for while getting ready has tags.
enum FriendlyChatAdapter: Adapter {
    static let traits = ServerTraits()

    /// Signs in; makes and joins a room of its own; subscribes when it reads.
    static func opening(_ seat: Seat) -> String {
        var lines = ["@auth AUTH anonymous=yes"]
        if let room = seat.room {
            if room.lowercased() != "#lobby" { lines += ["@create CREATE \(room)", "@join JOIN \(room)"] }
            if seat.reads { lines.append("@sub SUB \(room)") }
        }
        lines.append("@ready PING ready")
        return lines.map { "\($0)\n" }.joined()
    }

    static func entering(_ seat: Seat) -> String { "" }

    static func frame(_ seat: Seat, textCount: Int) -> (before: String, behind: String) {
        ("SEND \(seat.room ?? "#lobby") ", "\n")
    }

    /// The server asks nothing of its clients.
    static func pong(_ word: UnsafeRawBufferPointer) -> [UInt8] { [] }

    @inline(__always)
    static func scan(_ bytes: UnsafeRawBufferPointer, textCount: Int, _ body: (Notice) -> Void) -> Int {
        bytes.eachLine { line in
            switch LineKind(line) {
            case .message: body(.delivery(Payload(line: line, count: textCount)))
            case .ok:
                if line.has(" @", at: 2) {
                    if line.has("@ready", at: 3) { body(.ready) }
                } else {
                    body(.acknowledgement(LineKind.sequence(in: line)))
                }
            case .refusal:
                // That the room is there already is no failure.
                if !line.has("ERR @create EXISTS") { body(.refusal(line)) }
            case .bye: body(.farewell(line))
            case .other: break
            }
        }
    }
}
