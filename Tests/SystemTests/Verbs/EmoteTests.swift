import ChatTesting
import Testing

@Suite("EMOTE")
struct EmoteTests {
    private struct Room {
        let scene: Scene
        let ann: TestClient
        let ben: TestClient
        let name: String
        let seq: Int
    }

    /// A room of ann's with ben in it, and a message of ann's.
    private func room(_ loops: Int) throws -> Room {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let name = try scene.room(of: ann, ben)
        let seq = try ann.ok("SEND \(name) react to me").seq
        return Room(scene: scene, ann: ann, ben: ben, name: name, seq: seq)
    }

    /// The words of a value, whatever their order.
    private func words(_ value: String?) -> Set<String> {
        Set((value ?? "").split(separator: " ").map(String.init))
    }

    @Test(arguments: ["EMOTE", "REACT", "emote"], [1, 2])
    func `a reaction is an event with id and emoji`(verb: String, loops: Int) throws {
        let room = try room(loops)
        try room.ann.ok("SUB \(room.name)")
        let reply = try room.ben.ok("\(verb) \(room.name.uppercased()) \(room.seq) 👍")
        #expect(reply["conv"] == room.name && reply.seq == room.seq + 1)
        let event = try room.ann.expectEvent(
            "react",
            of: reply,
            ["by": room.ben.user, "id": "\(room.seq)", "emoji": "👍"]
        )
        #expect(event["off"] == nil)
    }

    @Test(arguments: [1, 2])
    func `HISTORY counts them, tells one's own, and puts both before the text`(loops: Int) throws {
        let room = try room(loops)
        let cat = try room.scene.user("cat")
        try cat.ok("JOIN \(room.name)")
        for client in [room.ann, room.ben, cat] { try client.ok("EMOTE \(room.name) \(room.seq) 👍") }
        try room.ben.ok("EMOTE \(room.name) \(room.seq) ❤️")
        for (client, mine) in [(room.ann, "👍"), (room.ben, "👍 ❤️"), (cat, "👍")] {
            let row = try client.message(room.seq, in: room.name)
            #expect(words(row["react"]) == ["👍:3", "❤️:1"] && words(row["mine"]) == words(mine), "\(row)")
            #expect(row.pairs.last?.key == "text")
        }
    }

    @Test(arguments: [1, 2])
    func `off=yes takes a reaction back, which is an event`(loops: Int) throws {
        let room = try room(loops)
        for client in [room.ann, room.ben] { try client.ok("EMOTE \(room.name) \(room.seq) 👍") }
        try room.ann.ok("SUB \(room.name)")
        let reply = try room.ben.ok("EMOTE off=yes \(room.name) \(room.seq) 👍")
        try room.ann.expectEvent("react", of: reply, ["id": "\(room.seq)", "emoji": "👍", "off": "yes"])
        let row = try room.ben.message(room.seq, in: room.name)
        #expect(row["react"] == "👍:1" && row["mine"] == nil, "\(row)")
        try room.ann.ok("EMOTE off=yes \(room.name) \(room.seq) 👍")
        #expect(try room.ann.message(room.seq, in: room.name)["react"] == nil)
    }

    @Test(arguments: [1, 2])
    func `the same again, or taking back what is not there, changes nothing and says so`(loops: Int) throws {
        let room = try room(loops)
        #expect(try room.ben.ok("EMOTE off=yes \(room.name) \(room.seq) 👍")["dup"] == "yes")
        let first = try room.ben.ok("EMOTE \(room.name) \(room.seq) 👍")
        let again = try room.ben.ok("EMOTE off=no \(room.name) \(room.seq) 👍")
        #expect(first["dup"] == nil && again["dup"] == "yes" && again["conv"] == room.name)
        #expect(try room.ann.message(room.seq, in: room.name)["react"] == "👍:1")
        #expect(try room.ann.ok("SEND \(room.name) next").seq == first.seq + 1)
    }

    @Test(arguments: [1, 2])
    func `a message has at most fifty different reactions, and those can still be joined`(loops: Int) throws {
        let room = try room(loops)
        let replies = try room.ann.pipeline((0..<50).map { "EMOTE \(room.name) \(room.seq) e\($0)" })
        #expect(replies.allSatisfy { $0.isOK })
        for client in [room.ann, room.ben] {
            try client.expectRefusal("EMOTE \(room.name) \(room.seq) one-more", "LIMIT")
        }
        try room.ben.ok("EMOTE \(room.name) \(room.seq) e49")
        try room.ann.ok("EMOTE off=yes \(room.name) \(room.seq) e0")
        try room.ben.ok("EMOTE \(room.name) \(room.seq) one-more")
        #expect(words(try room.ann.message(room.seq, in: room.name)["react"]).count == 50)
    }

    @Test(
        arguments: [
            "a:b", ":", "👍:1", "\u{9b}", "a\u{85}b", "\(String(repeating: "👍", count: 8))x", "👍 👍",
        ],
        [1, 2]
    )
    func `what is no emoji is BAD-ARG`(emoji: String, loops: Int) throws {
        let room = try room(loops)
        try room.ann.expectRefusal("EMOTE \(room.name) \(room.seq) \(emoji)", "BAD-ARG")
        #expect(try room.ann.message(room.seq, in: room.name)["react"] == nil)
    }

    @Test(arguments: ["x", "👨‍👩‍👧‍👦", "e\u{301}", "\"", "+1"] + [String(repeating: "👍", count: 8)], [1, 2])
    func `an emoji is any word of 1 to 32 bytes, and comes back as it was`(emoji: String, loops: Int) throws {
        let room = try room(loops)
        try room.ann.ok("SUB \(room.name)")
        try room.ann.ok("EMOTE \(room.name) \(room.seq) \(emoji)")
        #expect(try room.ann.event("react")?["emoji"] == emoji)
        #expect(try room.ann.message(room.seq, in: room.name)["mine"] == emoji)
    }

    @Test(arguments: [1, 2])
    func `a missing emoji is BAD-ARG, and off= is yes or no`(loops: Int) throws {
        let room = try room(loops)
        try room.ann.expectRefusal("EMOTE \(room.name) \(room.seq)", "BAD-ARG", field: "emoji")
        try room.ann.expectRefusal("EMOTE off=maybe \(room.name) \(room.seq) 👍", "BAD-ARG", field: "off")
    }

    @Test(arguments: [true, false], [1, 2])
    func `members react, readers are DENIED, strangers are DENIED or find nothing`(
        isPrivate: Bool,
        loops: Int
    ) throws {
        let cast = try Cast(loops, isPrivate: isPrivate)
        let seq = try cast.owner.ok("SEND \(cast.room) text").seq
        for client in [cast.owner, cast.op, cast.member] { try client.ok("EMOTE \(cast.room) \(seq) 👍") }
        try cast.reader.expectRefusal("EMOTE \(cast.room) \(seq) 👍", "DENIED")
        for client in cast.strangers {
            try client.expectRefusal("EMOTE \(cast.room) \(seq) 👍", isPrivate ? "NOT-FOUND" : "DENIED")
        }
        #expect(try cast.reader.message(seq, in: cast.room)["react"] == "👍:3")
    }

    @Test(arguments: [1, 2])
    func `in a private conversation a message from before one's joining is NOT-FOUND`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, isPrivate: true)
        let seq = try ann.ok("SEND \(room) before").seq
        try ann.ok("INVITE \(room) \(ben.user)")
        try ben.ok("JOIN \(room)")
        try ben.expectRefusal("EMOTE \(room) \(seq) 👍", "NOT-FOUND", field: "id")
        try ben.expectRefusal("EMOTE \(room) 999 👍", "NOT-FOUND", field: "id")
        try ben.expectRefusal("SEND reply=\(seq) \(room) x", "NOT-FOUND", field: "reply")
    }

    @Test(arguments: [1, 2])
    func `reactions stay through an edit, and a reaction counts as no new message`(loops: Int) throws {
        let room = try room(loops)
        let before = try room.ben.row(of: room.name)?["unread"]
        try room.ann.ok("EMOTE \(room.name) \(room.seq) 👍")
        try room.ann.ok("EDIT \(room.name) \(room.seq) edited")
        #expect(try room.ben.message(room.seq, in: room.name)["react"] == "👍:1")
        #expect(try room.ben.row(of: room.name)?["unread"] == before)
    }
}
