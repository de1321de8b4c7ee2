import ChatTesting
import Testing

@Suite("SEEN and unread")
struct SeenTests {
    private struct Room {
        let scene: Scene
        let ann: TestClient
        let ben: TestClient
        let name: String
        let seqs: [Int]
    }

    /// A room with so many messages of ann's, all unread by ben.
    private func room(_ count: Int, _ loops: Int) throws -> Room {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let name = try scene.room(of: ann, ben)
        let seqs = try (0..<count).map { try ann.ok("SEND \(name) m\($0)").seq }
        return Room(scene: scene, ann: ann, ben: ben, name: name, seqs: seqs)
    }

    private func unread(_ room: Room) throws -> String? { try room.ben.row(of: room.name)?["unread"] }

    @Test(arguments: ["SEEN", "READ", "seen"], [1, 2])
    func `the marker moves, and what is left is the count of messages behind it`(verb: String, loops: Int) throws {
        let room = try room(3, loops)
        #expect(try unread(room) == "3")
        #expect(try room.ben.ok("\(verb) \(room.name.uppercased()) \(room.seqs[1])")["unread"] == "1")
        #expect(try unread(room) == "1")
        #expect(try room.ben.ok("\(verb) \(room.name) \(room.seqs[2])")["unread"] == "0")
        #expect(try unread(room) == "0")
    }

    @Test(arguments: [1, 2])
    func `it never goes back`(loops: Int) throws {
        let room = try room(3, loops)
        try room.ben.ok("SEEN \(room.name) \(room.seqs[2])")
        for seq in [room.seqs[0], 1, room.seqs[2]] {
            #expect(try room.ben.ok("SEEN \(room.name) \(seq)")["unread"] == "0")
        }
        #expect(try unread(room) == "0")
    }

    @Test(arguments: [1, 2])
    func `beyond the end it is CONFLICT, tells the next seq, and moves nothing`(loops: Int) throws {
        let room = try room(2, loops)
        let next = room.seqs[1] + 1
        for seq in ["\(next)", "999999", "9223372036854775807"] {
            let line = try room.ben.expectRefusal("SEEN \(room.name) \(seq)", "CONFLICT")
            #expect(line.number("next") == next, "\(line)")
        }
        #expect(try unread(room) == "2")
    }

    @Test(arguments: ["x", "-1", "+1", "01", "1.5", "18446744073709551616", "٣", ""], [1, 2])
    func `what is no number is BAD-ARG`(value: String, loops: Int) throws {
        let room = try room(1, loops)
        try room.ben.expectRefusal("SEEN \(room.name) \(value)", "BAD-ARG", field: "seq")
    }

    @Test(arguments: [1, 2])
    func `own messages are never unread, and sending moves one's own marker`(loops: Int) throws {
        let room = try room(2, loops)
        let own = try room.ben.ok("SEND \(room.name) mine").seq
        #expect(try unread(room) == "0")
        try room.ann.ok("SEND \(room.name) one more")
        #expect(try room.ben.ok("SEEN \(room.name) \(own)")["unread"] == "1")
        #expect(try room.ann.row(of: room.name)?["unread"] == "0")
    }

    @Test(arguments: [1, 2])
    func `every session of the account agrees`(loops: Int) throws {
        let room = try room(3, loops)
        let other = try room.scene.daemon.another(of: room.ben)
        try room.ben.ok("SEEN \(room.name) \(room.seqs[1])")
        #expect(try other.row(of: room.name)?["unread"] == "1")
    }

    @Test(arguments: [1, 2])
    func `own other sessions and the members of a small conversation hear of it`(loops: Int) throws {
        let room = try room(3, loops)
        let other = try room.scene.daemon.another(of: room.ben)
        for client in [room.ann, other] { try client.ok("SUB \(room.name)") }
        try room.ben.ok("SEEN \(room.name) \(room.seqs[1])")
        for client in [room.ann, other] {
            let event = try #require(try client.event("seen", ["conv": room.name, "by": room.ben.user]))
            #expect(event["seq"] == "\(room.seqs[1])")
        }
        for seq in [room.seqs[0], room.seqs[1]] { try room.ben.ok("SEEN \(room.name) \(seq)") }
        #expect(try room.ann.event("seen", within: 0.3, ["conv": room.name]) == nil)
    }

    @Test(arguments: [1, 2])
    func `with 21 members only own other sessions hear of it`(loops: Int) throws {
        let room = try room(3, loops)
        try room.scene.daemon.crowd(18, in: room.name)
        let other = try room.scene.daemon.another(of: room.ben)
        for client in [room.ann, other] { try client.ok("SUB \(room.name)") }
        try room.ben.ok("SEEN \(room.name) \(room.seqs[0])")
        #expect(try room.ann.event("seen", ["conv": room.name])?["seq"] == "\(room.seqs[0])")
        try room.scene.daemon.crowd(1, in: room.name)
        try room.ben.ok("SEEN \(room.name) \(room.seqs[1])")
        #expect(try other.event("seen", ["conv": room.name, "seq": "\(room.seqs[1])"])?["by"] == room.ben.user)
        #expect(try room.ann.event("seen", within: 0.3, ["conv": room.name]) == nil)
    }

    @Test(arguments: [true, false], [1, 2])
    func `who may read has a marker, a reader and a muted one too, strangers have none`(
        isPrivate: Bool,
        loops: Int
    ) throws {
        let cast = try Cast(loops, isPrivate: isPrivate)
        let seq = try cast.owner.ok("SEND \(cast.room) text").seq
        try cast.owner.ok("MUTE \(cast.room) \(cast.member.user)")
        for client in [cast.reader, cast.member, cast.op] {
            #expect(try client.ok("SEEN \(cast.room) \(seq)")["unread"] == "0")
        }
        for client in cast.strangers {
            try client.expectRefusal("SEEN \(cast.room) \(seq)", isPrivate ? "NOT-FOUND" : "DENIED")
        }
    }

    @Test(arguments: [1, 2])
    func `AUTH tells the sum of what CONVS counts`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        try ann.ok("CREATE #room")
        try ben.ok("JOIN #room")
        var last: [String: Int] = [:]
        for (name, count) in [("#room", 3), ("#lobby", 2), ("@ben", 4)] {
            for _ in 0..<count {
                let sent = try ann.ok("SEND \(name) x")
                last[sent["conv"] ?? ""] = sent.seq
            }
        }
        func told() throws -> String? { try daemon.client().ok("AUTH token=\(ben.token)")["unread"] }
        #expect(try told() == "9")
        try ben.ok("SEEN #room \(last["#room"] ?? 0)")
        #expect(try told() == "6")
        for (name, seq) in last { try ben.ok("SEEN \(name) \(seq)") }
        #expect(try told() == "0")
    }

    @Test(arguments: [1, 2])
    func `markers are there after a clean restart, and after a snapshot`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        let seqs = try (0..<3).map { try ann.ok("SEND @ben m\($0)").seq }
        try ben.ok("SEEN @ann \(seqs[1])")
        for isSnapshot in [false, true] {
            if isSnapshot { try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30) }
            #expect(daemon.terminate() == 0)
            try daemon.start()
            #expect(try daemon.another(of: ben).row(of: "@ann,ben")?["unread"] == "1")
        }
    }
}
