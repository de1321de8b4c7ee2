import ChatTesting
import Testing

@Suite("Nonsense")
struct NonsenseTests {
    private static let words = [
        "SEND", "HISTORY", "SUB", "UNSUB", "CREATE", "JOIN", "LEAVE", "INVITE", "MEMBERS", "LIST", "CONVS", "SUBS",
        "HELP", "LIMITS",
        "WHOAMI", "AUTH", "SIGNUP", "LOGOUT", "HELLO", "REPLY", "PING", "#lobby", "#room", "@ann", "@ann,ben", "@", "#",
        "since=", "last=",
        "limit=", "before=", "after=", "around=", "text=\"", "nonce=", "reply=", "all=yes", "private=yes", "title=",
        "token=",
        "anonymous=yes", "18446744073709551615", "-1", "0", "2026-11-30T09:00:00.000Z", "\"", "\\", "\\u0000",
        "\\ud83d", " ", "  ",
        "\t", "\r", "\u{0}", "\u{301}", "\u{202e}", "👩‍👩‍👧", "=", "a=b", "- ", "@tag", "x",
    ]

    /// A line of words in no order, sometimes with bytes of no encoding; never an LF.
    private static func line(_ random: inout SeededRandom) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...9, using: &random) {
            bytes += Array((words.randomElement(using: &random) ?? "x").utf8)
            if Int.random(in: 0..<3, using: &random) > 0 { bytes.append(UInt8(ascii: " ")) }
        }
        if Int.random(in: 0..<4, using: &random) == 0, !bytes.isEmpty {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 11...255, using: &random)
        }
        return bytes
    }

    @Test(arguments: [1, 2])
    func `every line that is none gets exactly one reply, and the next good one its own`(loops: Int) throws {
        let scene = try Scene(loops)
        var random = SeededRandom(seed: 1000 + UInt64(loops))
        for _ in 0..<20 {
            let client = try scene.user("fuzz")
            for number in 0..<100 {
                let line = Self.line(&random)
                try client.send(line + Array("\n@p\(number) PING \(number)\n".utf8))
                let isBlank = line.allSatisfy { $0 == 32 } || line.dropLast().allSatisfy { $0 == 32 } && line.last == 13
                let replies = try finals(client, upTo: "p\(number)")
                #expect(replies == (isBlank ? 0 : 1), "\(String(decoding: line, as: UTF8.self).debugDescription)")
            }
            client.close()
        }
        try scene.user().ok("SEND #lobby alive")
    }

    /// How many replies came before the one to this PING; an ASK takes the PING for its answer, and gets another.
    private func finals(_ client: TestClient, upTo tag: String) throws -> Int {
        var count = 0
        while true {
            let line = try client.line()
            guard ["OK", "ERR", "ASK"].contains(line.word) else {
                #expect(["EV", "ROW"].contains(line.word), "\(line)")
                continue
            }
            if line.tag == tag { return count }
            if line.word == "ASK" { try client.send("@\(tag) PING again\n") } else { count += 1 }
        }
    }

    @Test(arguments: [1, 2])
    func `bytes that are no TLS, on the chat and blob ports, end their own connection only`(loops: Int) throws {
        let daemon = try Scene(loops).daemon
        var random = SeededRandom(seed: 5)
        for port in [daemon.chatPort, daemon.blobsPort] {
            for _ in 0..<40 {
                let client = try TestClient(port: port, .init(isSecure: false, readsHi: false))
                let garbage = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
                try client.send([22, 3, UInt8.random(in: 0...4, using: &random)] + garbage)
                client.halfClose()
                #expect(client.isEnded(within: 5))
            }
        }
        try daemon.client().ok("PING alive")
    }
}
