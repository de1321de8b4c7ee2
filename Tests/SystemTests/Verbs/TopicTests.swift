import ChatTesting
import Testing

@Suite("TOPIC")
struct TopicTests {
    @Test(arguments: [1, 2])
    func `a topic is an event with the title, set by the owner or an op`(loops: Int) throws {
        let cast = try Cast(loops, isPrivate: true)
        try cast.member.ok("SUB \(cast.room)")
        for (client, title) in [(cast.owner, "tea at five"), (cast.op, "no: at \"six\" :)")] {
            let reply = try client.ok("TOPIC \(cast.room) \(title)")
            try cast.member.expectEvent("topic", of: reply, ["by": client.user, "title": title])
        }
    }

    @Test(arguments: [1, 2])
    func `title and topic are one thing, and the lists show it`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = scene.roomName()
        try ann.ok(#"CREATE title="first" \#(room)"#)
        try ben.ok("JOIN \(room)")
        #expect(try ben.rows("LIST \(room)").first?["title"] == "first")
        try ann.ok(#"TOPIC text="second" \#(room)"#)
        #expect(try ben.rows("LIST \(room)").first?["title"] == "second")
        #expect(try ben.row(of: room)?["title"] == "second")
        #expect(try ann.ok("TOPIC \(room) second")["dup"] == "yes")
    }

    @Test(arguments: [1, 2])
    func `members hear that the list has changed`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ann.ok("TOPIC \(room) new")
        for client in [ann, ben] {
            #expect(try client.event("conv", ["conv": room, "state": "retitled"]) != nil)
        }
    }

    @Test(arguments: [1, 2])
    func `a title may have 64 characters of any kind, and no more`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let thumbs = String(repeating: "👍🏽", count: 64)
        try ann.ok("TOPIC \(room) \(thumbs)")
        let line = try ann.refusal("TOPIC \(room) \(thumbs)x")
        #expect(["TOO-LONG", "BAD-ARG"].contains(line.code) && line["field"] == "text", "\(line)")
        #expect(try ann.rows("LIST \(room)").first?["title"] == thumbs)
    }

    @Test(arguments: ["TOPIC %@", "TOPIC %@ ", "TOPIC %@    "], [1, 2])
    func `no text or only blanks is BAD-ARG`(request: String, loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        try ann.expectRefusal(request.replacing("%@", with: room), "BAD-ARG", field: "text")
    }

    @Test func `a topic is there after kill -9 and after a snapshot`() throws {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        try ann.ok("CREATE #room")
        try ann.ok("TOPIC #room kept")
        try daemon.restart()
        #expect(try daemon.another(of: ann).rows("LIST #room").first?["title"] == "kept")
        try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30)
        try daemon.restart()
        #expect(try daemon.another(of: ann).rows("LIST #room").first?["title"] == "kept")
    }
}
