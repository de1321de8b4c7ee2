import ChatTesting
import Testing

@Suite("Presence: AWAY and WHO")
struct PresenceTests {
    private struct Pair {
        let scene: Scene
        let ann: TestClient
        let ben: TestClient
        let room: String
    }

    /// Two who share a private conversation, and ann follows all of hers.
    private func pair(_ loops: Int) throws -> Pair {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, isPrivate: true, ben)
        try ann.ok("SUB all=yes")
        return Pair(scene: scene, ann: ann, ben: ben, room: room)
    }

    private func hears(_ client: TestClient, _ state: String, of user: TestClient) throws -> Bool {
        try client.event("presence", ["user": user.user, "state": state]) != nil
    }

    /// What WHO says, as `user state`.
    private func who(_ client: TestClient, _ conversation: String) throws -> Set<String> {
        Set(try client.rows("WHO \(conversation)").map { "\($0["user"] ?? "") \($0["state"] ?? "")" })
    }

    @Test(arguments: [1, 2])
    func `one who shares a conversation hears offline, when the last connection ends, and online`(loops: Int) throws {
        let pair = try pair(loops)
        let other = try pair.scene.daemon.another(of: pair.ben)
        pair.ben.close()
        #expect(
            try pair.ann.event("presence", within: 0.5, ["user": pair.ben.user, "state": "offline"]) == nil
        )
        other.close()
        #expect(try hears(pair.ann, "offline", of: pair.ben))
        let again = try pair.scene.daemon.another(of: pair.ben)
        #expect(try hears(pair.ann, "online", of: pair.ben))
        try again.ok("LOGOUT")
        #expect(try hears(pair.ann, "offline", of: pair.ben))
    }

    @Test(arguments: [1, 2])
    func `the peer of a 1:1 hears it, and presence has no seq`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        try ben.ok("SEND @\(ann.user) hi")
        try ann.ok("SUB @\(ben.user)")
        try ben.ok("AWAY")
        let event = try #require(try ann.event("presence", ["user": ben.user, "state": "away"]))
        #expect(event["seq"] == nil && event["conv"] == nil)
        try ben.ok("BYE")
        #expect(try hears(ann, "offline", of: ben))
        #expect(try ann.ok("SEND @\(ben.user) next").seq == 3)
    }

    @Test(arguments: [1, 2])
    func `AWAY is told to the others, and AWAY off=yes returns`(loops: Int) throws {
        let pair = try pair(loops)
        try pair.ben.ok("AWAY at lunch :) x=y")
        #expect(try hears(pair.ann, "away", of: pair.ben))
        try pair.ben.ok("AWAY off=yes")
        #expect(try hears(pair.ann, "online", of: pair.ben))
    }

    @Test(arguments: [1, 2])
    func `WHO lists who is there, with state and the text of AWAY, and nobody else`(loops: Int) throws {
        let pair = try pair(loops)
        #expect(try who(pair.ann, pair.room) == ["\(pair.ann.user) online", "\(pair.ben.user) online"])
        try pair.ben.ok(#"AWAY text="at \u001b[31mlunch""#)
        let reply = try pair.ann.ok("WHO \(pair.room.uppercased())")
        let row = try #require(reply.rows.first { $0["user"] == pair.ben.user })
        #expect(row.kind == "who" && row["state"] == "away" && row.text == "at \u{1b}[31mlunch", "\(row)")
        #expect(reply["n"] == "2")
        try pair.ben.ok("AWAY off=yes")
        #expect(try pair.ann.rows("WHO \(pair.room)").allSatisfy { $0["state"] == "online" && $0.text == nil })
        pair.ben.close()
        #expect(try holds(within: 5) { try who(pair.ann, pair.room) == ["\(pair.ann.user) online"] })
    }

    @Test(arguments: [1, 2])
    func `a second connection counts once, and AWAY is the account's`(loops: Int) throws {
        let pair = try pair(loops)
        let other = try pair.scene.daemon.another(of: pair.ben)
        try other.ok("AWAY")
        #expect(try pair.ann.rows("WHO \(pair.room)").count == 2)
        #expect(try who(pair.ann, pair.room).contains("\(pair.ben.user) away"))
        try pair.ben.ok("AWAY off=yes")
        #expect(try who(pair.ann, pair.room).contains("\(pair.ben.user) online"))
    }

    @Test(arguments: [1, 2])
    func `WHO in a 1:1 tells of the two`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        try ann.ok("SEND @\(ben.user) hi")
        #expect(try who(ann, "@\(ben.user)") == ["\(ann.user) online", "\(ben.user) online"])
    }

    @Test(arguments: [true, false], [1, 2])
    func `WHO is for members`(isPrivate: Bool, loops: Int) throws {
        let cast = try Cast(loops, isPrivate: isPrivate)
        for client in [cast.owner, cast.op, cast.member, cast.reader] {
            #expect(try client.rows("WHO \(cast.room)").count == 4)
        }
        for client in cast.strangers {
            try client.expectRefusal("WHO \(cast.room)", isPrivate ? "NOT-FOUND" : "DENIED")
        }
    }

    @Test(arguments: [1, 2])
    func `strangers hear nothing, once the lobby has more than 200 accounts`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben, eve) = (try daemon.user("ann"), try daemon.user("ben"), try daemon.user("eve"))
        try ann.ok("SEND @ben hi")
        for client in [ann, eve] { try client.ok("SUB all=yes") }
        try ben.ok("AWAY")
        #expect(try hears(eve, "away", of: ben), "through the lobby, while it is small")
        try daemon.crowd(200)
        try ben.ok("AWAY off=yes")
        #expect(try hears(ann, "online", of: ben))
        #expect(try eve.event("presence", within: 0.3, ["user": "ben", "state": "online"]) == nil)
    }

    @Test(
        arguments: [
            ("AWAY off=maybe", "off"), ("AWAY frob=1", "frob"), ("AWAY text=\"a\" b", "text"),
            ("WHO frob=1 #lobby", "frob"),
        ],
        [1, 2]
    )
    func `a bad option is BAD-ARG`(option: (text: String, field: String), loops: Int) throws {
        try Scene(loops).user().expectRefusal(option.text, "BAD-ARG", field: option.field)
    }
}
