/// How a connection gets ready: the requests it sends at once, each with a tag, and what their replies mean.
enum SetUp {
    enum Verdict: Equatable { case onward, ready, failed }

    /// Signs in; makes and joins a room of its own; subscribes when it reads.
    static func requests(of connection: Int, _ options: BenchOptions) -> [String] {
        let mode = options.mode
        var lines = ["@auth AUTH anonymous=yes"]
        let reads = connection < mode.subscriberCount
        let room = options.roomName(reads ? connection / mode.subscribersPerRoom : 0)
        if room.lowercased() != "#lobby" { lines += ["@create CREATE \(room)", "@join JOIN \(room)"] }
        if reads { lines.append("@sub SUB \(room)") }
        lines.append("@ready PING ready")
        return lines
    }

    /// What a server line means while the connection gets ready. That the room is there already is no failure.
    static func verdict(on line: String) -> Verdict {
        let words = line.split(separator: " ", maxSplits: 3)
        switch words.first {
        case "OK": return words.count > 1 && words[1] == "@ready" ? .ready : .onward
        case "ERR":
            let exists = words.count > 2 && words[1] == "@create" && words[2] == "EXISTS"
            return exists ? .onward : .failed
        case "BYE": return .failed
        default: return .onward
        }
    }
}
