import Testing

@testable import fcbench

@Suite("Servers' words") struct AdapterTests {
    /// Expects `words` of `stream`, whole and cut at every place.
    private func expect(
        _ kind: ServerKind,
        _ stream: String,
        _ words: [String],
        at place: SourceLocation = #_sourceLocation
    ) {
        for step in [Int.max, 1, 2, 3, 7, 64] {
            let heard = Hearing(kind, stream, step: step)
            #expect(heard.words == words, "in pieces of \(step)", sourceLocation: place)
            #expect(heard.rest.isEmpty, "in pieces of \(step)", sourceLocation: place)
        }
    }

    private let text = Hearing.text

    @Test func `FriendlyChat: tags tell what belongs to the set-up, and an existing room is no failure`() {
        expect(
            .fc,
            """
            HI server=fcd/1.0
            OK @auth user=guest-1 token=t
            ERR @create EXISTS retry=no - it is there
            EV join conv=#r1 seq=2 ts=t by=guest-1
            OK @ready pong=ready
            EV msg conv=#r1 seq=3 ts=t by=guest-1 text="\(text)"
            EV msg conv=#r1 seq=4 ts=t by=guest-1 text="hello"
            OK conv=#r1 seq=3 ts=t
            ERR BUSY retry=1 - later
            BYE SHUTDOWN - bye

            """,
            ["ready", "delivery", "foreign", "ack 3", "refusal", "farewell"]
        )
        expect(.fc, "ERR @create DENIED retry=no - no guests\n", ["refusal"])
    }

    @Test func `Redis: pushes are deliveries, numbers are acknowledgements, the rest is skipped whole`() {
        let message = ">3\r\n$7\r\nmessage\r\n$6\r\n#lobby\r\n"
        expect(
            .redis,
            "%2\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nmodules\r\n*0\r\n"
                + ">3\r\n$9\r\nsubscribe\r\n$6\r\n#lobby\r\n:1\r\n$5\r\nready\r\n"
                + message + "$40\r\n\(text)\r\n:100\r\n" + message + "$5\r\na\r\nb\n\r\n:12\r\n$-1\r\n"
                + "-ERR wrong number of arguments\r\n+OK\r\n" + message + "$40\r\n\(text)\r\n",
            ["ready", "delivery", "ack 100", "foreign", "ack 12", "refusal", "delivery"]
        )
    }

    @Test func `NATS: a message is as long as its line says, whatever stands in it`() {
        expect(
            .nats,
            "PONG\r\nMSG #lobby 1 40\r\n\(text)\r\nPING\r\n+OK\r\nMSG #lobby 1 _INBOX.1 6\r\nPONG\r\n\r\n"
                + "MSG #lobby 1 _INBOX.1 40\r\n\(text)\r\n-ERR 'Unknown Protocol Operation'\r\nINFO {}\r\n",
            ["ready", "delivery", "ping<>", "foreign", "delivery", "refusal"]
        )
        expect(.nats, "MSG #lobby 1 12345678901\r\n", ["farewell"])
    }

    @Test func `IRC: the text is what stands at the end of a line, numerics from 400 on are refusals`() {
        expect(
            .irc,
            ":irc.local 020 * :Please wait\r\nPING :12ab\r\n:irc.local 001 b1 :Welcome\r\n:irc.local 422 b1 :No MOTD\r\n"
                + ":b1!~b1@localhost JOIN :#lobby\r\n:irc.local 366 b1 #lobby :End\r\n:irc.local PONG irc.local :ready\r\n"
                + ":b2!~b2@localhost PRIVMSG #lobby :\(text)\r\n:b2!~b2@localhost PRIVMSG #lobby :hello\r\n"
                + ":irc.local 404 b1 #lobby :Cannot send\r\nERROR :Closing link\r\n",
            ["ping< :12ab>", "welcome", "ready", "delivery", "foreign", "refusal", "farewell"]
        )
    }

    @Test(arguments: ServerKind.allCases)
    func `what is not whole is left for later, and nonsense ends no process`(kind: ServerKind) {
        let starts = [
            "", "E", "MSG #lobby 1 4", "MSG #lobby 1 40\r\nabc", ">3\r\n$7\r\nmessage\r\n$6\r\n#lob", "*9999999999\r\n",
        ]
        for start in starts { #expect(Hearing(kind, start, step: 5).words.isEmpty) }
        var seed: UInt64 = 7
        let bytes = Array("$:>%*-!0129\r\n\nMSG PIOKEV@: xfb\"=".utf8)
        for _ in 0..<2000 {
            let junk = (0..<60).map { _ in
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return bytes[Int(seed >> 33) % bytes.count]
            }
            let heard = Hearing(kind, String(decoding: junk, as: UTF8.self), step: 9)
            #expect(!heard.words.contains("delivery"))
        }
    }

    @Test func `everybody signs in, enters the room where that is needed, and asks for the end of it`() {
        let reader = Seat(index: 4, room: "#r1", reads: true)
        let sender = Seat(index: 5, room: "#lobby", reads: false, stores: true)
        let silent = Seat(index: 6, room: nil, reads: false)
        #expect(
            FriendlyChatAdapter.opening(reader)
                == "@auth AUTH anonymous=yes\n@create CREATE #r1\n@join JOIN #r1\n@sub SUB #r1\n@ready PING ready\n"
        )
        #expect(FriendlyChatAdapter.opening(sender) == "@auth AUTH anonymous=yes\n@ready PING ready\n")
        #expect(FriendlyChatAdapter.opening(silent) == "@auth AUTH anonymous=yes\n@ready PING ready\n")
        #expect(RedisAdapter.opening(reader) == "HELLO 3\r\nSUBSCRIBE #r1\r\nPING ready\r\n")
        #expect(RedisAdapter.opening(sender) == "HELLO 3\r\nPING ready\r\n")
        #expect(NATSAdapter.opening(reader).hasSuffix("}\r\nSUB #r1 1\r\nPING\r\n"))
        #expect(NATSAdapter.opening(silent).hasSuffix("}\r\nPING\r\n"))
        #expect(IRCAdapter.opening(reader) == "NICK b4\r\nUSER b4 0 * :fcbench\r\n")
        #expect(IRCAdapter.entering(sender) == "JOIN #lobby\r\nPING ready\r\n")
        #expect(IRCAdapter.entering(silent) == "PING ready\r\n")
    }

    @Test func `a message stands in its server's frame`() {
        let seat = Seat(index: 1, room: "#r12", reads: false)
        let frames = ServerKind.allCases.map { kind in
            let frame = kind.adapter.frame(seat, textCount: 40)
            return frame.before + "text" + frame.behind
        }
        #expect(
            frames == [
                "SEND #r12 text\n", "*3\r\n$7\r\nPUBLISH\r\n$4\r\n#r12\r\n$40\r\ntext\r\n", "PUB #r12 40\r\ntext\r\n",
                "PRIVMSG #r12 :text\r\n",
            ]
        )
        let stored = RedisAdapter.frame(Seat(index: 1, room: "#r1", reads: false, stores: true), textCount: 40)
        #expect(stored.before == "*3\r\n$5\r\nRPUSH\r\n$7\r\nfcbench\r\n$40\r\n")
        let word = Array(" :12ab".utf8)
        #expect(word.withUnsafeBytes { IRCAdapter.pong($0) } == Array("PONG :12ab\r\n".utf8))
    }

    @Test func `seats follow the mode`() {
        let fan = BenchOptions(mode: .fan(subscribers: 2, window: 1))
        #expect(fan.seat(1) == Seat(index: 1, room: "#lobby", reads: true))
        #expect(fan.seat(2) == Seat(index: 2, room: "#lobby", reads: false))
        let many = BenchOptions(mode: .many(rooms: 2, members: 2, window: 1))
        #expect(many.seat(2) == Seat(index: 2, room: "#r2", reads: true))
        let acked = BenchOptions(mode: .acked(senders: 1, inFlight: 1))
        #expect(acked.seat(0) == Seat(index: 0, room: "#lobby", reads: false, stores: true))
        let idle = BenchOptions(mode: .idle(connections: 3))
        #expect(idle.seat(2) == Seat(index: 2, room: nil, reads: false))
    }
}
