import ChatTesting
import SystemIO
import Testing

@Suite("Kill -9 under load")
struct RecoveryTests {
    @Test(arguments: [1, 2])
    func `every acknowledged message is there once and in order after kills at random moments`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)", "snapshot.journal-bytes=65536"]))
        let owner = try daemon.user("owner")
        let rooms = ["#shared", "#k1", "#k2", "#k3"]
        for room in rooms { try owner.ok("CREATE \(room)") }
        let senders = try (0..<6).map { number in
            let user = try daemon.user("user\(number)")
            let room = rooms[max(0, number - 2)]
            try user.ok("JOIN \(room)")
            return (StubbornSender(daemon, token: user.token, room: room, stem: "s\(number)"), room)
        }
        let isOver = Lock(false)
        let loads = senders.map { sender, _ in
            { try sender.run(count: 100_000) { isOver.withLock { $0 } } } as @Sendable () throws -> Void
        }
        try together(
            loads + [
                {
                    defer { isOver.withLock { $0 = true } }
                    var random = SeededRandom(seed: 70 + UInt64(loops))
                    for _ in 0..<5 {
                        pauseThread(Double.random(in: 0.02...0.7, using: &random))
                        try daemon.restart()
                    }
                    pauseThread(0.2)
                }
            ]
        )
        try daemon.restart()
        let reader = try daemon.another(of: owner)
        for room in rooms {
            let texts = try reader.allTexts(of: room)
            #expect(Set(texts).count == texts.count, "a message came twice in \(room)")
            for (sender, _) in senders.filter({ $0.1 == room }) {
                let acknowledged = sender.acknowledged.withLock { $0.map(\.text) }
                #expect(acknowledged.count > 50)
                let stem = acknowledged.first?.split(separator: "-").first ?? ""
                let kept = texts.filter { $0.hasPrefix("\(stem)-") }
                // What was on its way at the end may be there without an answer: at most one burst of 20.
                #expect(Array(kept.prefix(acknowledged.count)) == acknowledged, "\(stem) in \(room)")
                #expect(kept.count <= acknowledged.count + 20)
            }
        }
    }

    @Test(arguments: [1, 2])
    func `a log reads byte for byte as before, also where one step made two events`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        try ann.ok("SEND @ben the first message also creates")
        try ben.ok("SEND @ann answer")
        try ann.ok(#"CREATE title="Töpfe \"q\"" #room"#)
        try ben.ok("JOIN #room")
        try ann.ok("SEND #room \(String(repeating: "\u{86}", count: 4000))")
        try ann.ok("LEAVE #room")
        try ben.ok("SEND #room after the succession")
        func logs() throws -> [[String]] {
            let reader = try daemon.another(of: ben)
            return try [("@ann", 3), ("#room", 6), ("#lobby", 1)].map { name, count in
                let conversation = try reader.ok("SUB since=0 \(name)")["conv"] ?? ""
                return try reader.logEvents(of: conversation, count: count, within: 5).map(\.raw)
            }
        }
        let before = try logs()
        #expect(before.map(\.count) == [3, 6, 1])
        try daemon.restart()
        let after = try logs()
        for (found, expected) in zip(after, before) { #expect(difference(found, expected) == nil) }
    }

    @Test(arguments: [1, 2])
    func `accounts, sessions, memberships and conversations survive kill -9`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        let guest = try daemon.client()
        let token = try guest.ok("AUTH anonymous=yes")["token"] ?? ""
        try guest.ok("SEND #lobby I was here")
        try ann.ok(#"CREATE private=yes title="Kept" #kept"#)
        try ann.ok("INVITE #kept ben")
        try ann.ok("CREATE #left")
        try ben.ok("JOIN #left")
        try ben.ok("LEAVE #left")
        try ann.ok("SEND @ben direct")
        try ben.ok("LOGOUT")
        let convs = try ann.rows("CONVS").map(\.raw)
        try daemon.restart()
        let again = try daemon.another(of: ann)
        #expect(
            try again.rows("CONVS").map { $0.raw.split(separator: " ").dropFirst(2) }
                == convs.map { $0.split(separator: " ").dropFirst(2) }
        )
        try daemon.client().expectRefusal("AUTH token=\(ben.token)", "BAD-AUTH")
        let benAgain = try daemon.client()
        try benAgain.ok("AUTH ben Secret123")
        #expect(try benAgain.rows("CONVS").first { $0["conv"] == "#kept" }?["role"] == "invited")
        try benAgain.ok("JOIN #kept")
        try benAgain.expectRefusal("HISTORY #left", "DENIED")
        #expect(try benAgain.rows("HISTORY @ann").map(\.text) == ["direct"])
        #expect(try daemon.client().ok("AUTH token=\(token)")["user"]?.hasPrefix("guest-") == true)
        try daemon.client().expectRefusal("SIGNUP name=ANN x@example.test Secret123", "EXISTS", field: "name")
    }
}
