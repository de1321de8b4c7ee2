import ChatTesting
import Testing

@Suite("SUB, UNSUB and SUBS")
struct SubTests {
    private struct Room {
        let scene: Scene
        let ann: TestClient
        let ben: TestClient
        let name: String
    }

    /// A room with seqs 1 (create), 2 (join) and then `count` messages m0….
    private func room(_ count: Int, _ loops: Int) throws -> Room {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let name = try scene.room(of: ann, ben)
        _ = try ann.pipeline((0..<count).map { "SEND \(name) m\($0)" })
        ben.events.removeAll()
        return Room(scene: scene, ann: ann, ben: ben, name: name)
    }

    /// The seqs of the next `count` events of the room's log, as ben hears them.
    private func seqs(_ room: Room, _ count: Int) throws -> [Int] {
        try room.ben.logEvents(of: room.name, count: count, within: 10).map(\.seq)
    }

    @Test(arguments: [1, 2])
    func `without options it begins with what happens from now`(loops: Int) throws {
        let room = try room(3, loops)
        let reply = try room.ben.ok("SUB \(room.name.uppercased())")
        #expect(reply["conv"] == room.name && reply["next"] == "6")
        try room.ann.ok("SEND \(room.name) new")
        #expect(try room.ben.event("msg")?.seq == 6)
    }

    @Test(arguments: [1, 2])
    func `since gives everything after it, each event once and in order, then what is live`(loops: Int) throws {
        let room = try room(300, loops)
        let reply = try room.ben.ok("SUB since=100 \(room.name)")
        #expect(reply["next"] == "303")
        try room.ann.ok("SEND \(room.name) live")
        #expect(difference(try seqs(room, 203), Array(101...303)) == nil)
        #expect(try room.ben.hearsNothing())
    }

    @Test(arguments: [1, 2])
    func `since=0 begins with the create event, since the last seq with nothing`(loops: Int) throws {
        let room = try room(1, loops)
        try room.ben.ok("SUB since=0 \(room.name)")
        #expect(try seqs(room, 3) == [1, 2, 3])
        #expect(try room.ben.ok("SUB since=3 \(room.name)")["next"] == "4")
        #expect(try room.ben.hearsNothing())
    }

    @Test(arguments: [1, 2])
    func `last gives so many newest events, and last=0 none`(loops: Int) throws {
        let room = try room(10, loops)
        try room.ben.ok("SUB last=3 \(room.name)")
        #expect(try seqs(room, 3) == [10, 11, 12])
        try room.ben.ok("SUB last=0 \(room.name)")
        #expect(try room.ben.hearsNothing())
        try room.ben.ok("SUB last=1000 \(room.name)")
        #expect(try seqs(room, 12) == Array(1...12))
    }

    @Test(arguments: [1, 2])
    func `a second SUB moves the cursor, and nothing comes twice`(loops: Int) throws {
        let room = try room(5, loops)
        try room.ben.ok("SUB since=0 \(room.name)")
        #expect(try seqs(room, 7) == Array(1...7))
        try room.ben.ok("SUB since=4 \(room.name)")
        #expect(try seqs(room, 3) == [5, 6, 7])
        try room.ann.ok("SEND \(room.name) once")
        #expect(try seqs(room, 1) == [8])
        #expect(try room.ben.hearsNothing() && room.ben.rows("SUBS").count == 1)
    }

    @Test(arguments: [1, 2])
    func `beyond the end it is CONFLICT and tells the next seq`(loops: Int) throws {
        let room = try room(1, loops)
        let line = try room.ben.expectRefusal("SUB since=999999 \(room.name)", "CONFLICT")
        #expect(line["next"] == "4")
        #expect(try room.ben.expectRefusal("SUB since=9223372036854775807 \(room.name)", "CONFLICT")["next"] == "4")
    }

    @Test(
        arguments: ["since", "last"],
        ["x", "-1", "+5", "05", "0x10", "1e3", "5.0", "٣", "５", "NaN", "\"\"", "18446744073709551616"]
    )
    func `a cursor that is no number is BAD-ARG`(option: String, value: String) throws {
        try Scene(2).user().expectRefusal("SUB \(option)=\(value) #lobby", "BAD-ARG", field: option)
    }

    @Test(arguments: [1, 2])
    func `strangers are DENIED in public conversations and NOT-FOUND in private ones`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, eve) = (try scene.user(), try scene.user("eve"))
        let (open, closed) = (try scene.room(of: ann), try scene.room(of: ann, isPrivate: true))
        for option in ["", "since=0 ", "last=5 "] {
            try eve.expectRefusal("SUB \(option)\(open)", "DENIED")
            try eve.expectRefusal("SUB \(option)\(closed)", "NOT-FOUND")
        }
    }

    @Test(arguments: [1, 2])
    func `SUBS lists the cursors, and UNSUB ends one`(loops: Int) throws {
        let room = try room(2, loops)
        let other = try room.scene.room(of: room.ben)
        try room.ben.ok("SUB \(room.name)")
        try room.ben.ok("SUB \(other)")
        let reply = try room.ben.ok("SUBS")
        #expect(Set(reply.rows.compactMap { $0["conv"] }) == [room.name, other] && reply["n"] == "2")
        #expect(reply.rows.allSatisfy { $0.kind == "sub" && $0.number("next") > 0 })
        try room.ben.ok("UNSUB \(room.name.uppercased())")
        try room.ann.ok("SEND \(room.name) unheard")
        #expect(try room.ben.hearsNothing("msg", for: 0.2))
        #expect(try room.ben.rows("SUBS").compactMap { $0["conv"] } == [other])
        try room.ben.expectRefusal("UNSUB frob=1 \(room.name)", "BAD-ARG", field: "frob")
    }

    @Test(arguments: [1, 2])
    func `cursors belong to the connection`(loops: Int) throws {
        let room = try room(0, loops)
        let other = try room.scene.daemon.another(of: room.ben)
        try room.ben.ok("SUB \(room.name)")
        #expect(try other.rows("SUBS").isEmpty)
        try room.ann.ok("SEND \(room.name) one")
        #expect(try room.ben.event("msg")?.text == "one")
        #expect(try other.hearsNothing("msg"))
    }

    @Test(arguments: [1, 2])
    func `no event stands inside a reply`(loops: Int) throws {
        let room = try room(50, loops)
        try room.ben.ok("SUB \(room.name)")
        try room.ann.send((0..<500).map { "@l\($0) SEND \(room.name) load \($0)\n" }.joined())
        for _ in 0..<50 { try room.ben.ok("HISTORY limit=200 \(room.name)") }
        for number in 0..<500 { #expect(try room.ann.reply(to: "l\(number)").isOK) }
        #expect(difference(try seqs(room, 500), Array(53...552)) == nil)
    }
}
