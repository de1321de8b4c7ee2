import ChatTesting
import Testing

@Suite("DROP")
struct DropTests {
    @Test(arguments: [true, false], [1, 2])
    func `a drop is the last event, and ends every cursor`(isPrivate: Bool, loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, isPrivate: isPrivate, ben)
        let other = try scene.daemon.another(of: ben)
        try ann.ok("SUB \(room)")
        try ben.ok("SUB \(room)")
        try other.ok("SUB all=yes")
        let reply = try ann.ok("DROP \(room.uppercased())")
        #expect(reply["conv"] == room && reply.seq == (isPrivate ? 4 : 3))
        for client in [ann, ben, other] {
            try client.expectEvent("drop", of: reply, ["by": ann.user])
            #expect(try client.rows("SUBS").allSatisfy { $0["conv"] != room })
            #expect(try client.row(of: room) == nil)
        }
    }

    @Test(arguments: [1, 2])
    func `members hear that their list has changed`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ann.ok("DROP \(room)")
        for client in [ann, ben] {
            #expect(try client.event("conv", ["conv": room, "state": "dropped"]) != nil)
        }
    }

    @Test(arguments: [true, false], [1, 2])
    func `afterwards it is NOT-FOUND for everybody, and its name stays taken`(isPrivate: Bool, loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben, eve) = (try scene.user(), try scene.user("ben"), try scene.user("eve"))
        let room = try scene.room(of: ann, isPrivate: isPrivate, ben)
        let seq = try ann.ok("SEND \(room) gone").seq
        try ann.ok("DROP \(room)")
        for client in [ann, ben, eve] {
            for request in [
                "SEND \(room) x", "HISTORY \(room)", "SUB \(room)", "SUB since=0 \(room)", "JOIN \(room)",
                "MEMBERS \(room)", "EDIT \(room) \(seq) x", "TOPIC \(room) x", "DROP \(room)",
            ] {
                try client.expectRefusal(request, "NOT-FOUND")
            }
            try client.expectRefusal("CREATE \(room)", "EXISTS")
        }
        #expect(try eve.rows("LIST \(room)").isEmpty)
    }

    @Test(arguments: [1, 2])
    func `a dropped one is no longer owned, so that fifty can be owned again`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let rooms = (0..<50).map { _ in scene.roomName("own") }
        #expect(try ann.pipeline(rooms.map { "CREATE \($0)" }).allSatisfy(\.isOK))
        try ann.expectRefusal("CREATE \(scene.roomName("own"))", "LIMIT")
        try ann.ok("DROP \(rooms[7])")
        try ann.ok("CREATE \(scene.roomName("own"))")
    }

    @Test func `it stays dropped after kill -9 and after a snapshot`() throws {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        try ann.ok("CREATE #room")
        try ann.ok("DROP #room")
        for isSnapshot in [false, true] {
            if isSnapshot { try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30) }
            try daemon.restart()
            let again = try daemon.another(of: ann)
            try again.expectRefusal("HISTORY #room", "NOT-FOUND")
            try again.expectRefusal("CREATE #room", "EXISTS")
        }
    }

    @Test(arguments: [1, 2])
    func `one who was invited hears that there is nothing to join any more`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, eve) = (try scene.user(), try scene.user("eve"))
        let room = try scene.room(of: ann, isPrivate: true)
        try ann.ok("INVITE \(room) \(eve.user)")
        try ann.ok("DROP \(room)")
        #expect(try eve.event("conv", ["conv": room, "state": "dropped"]) != nil)
    }

    @Test func `what was said there is in no file after the next snapshot, and the start after it is a good one`()
        throws
    {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        try ann.ok("CREATE #room")
        _ = try ann.pipeline((0..<100).map { "SEND #room secret-plan-\($0)" })
        try ann.ok("SEND #lobby still-here")
        func files(with text: String) throws -> [String] { try DirectoryContents(daemon.data).names(holding: text) }
        #expect(try !files(with: "secret-plan").isEmpty)
        try ann.ok("DROP #room")
        try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30)
        #expect(try files(with: "secret-plan").isEmpty)
        #expect(try !files(with: "still-here").isEmpty)
        try daemon.restart()
        try daemon.another(of: ann).expectRefusal("HISTORY #room", "NOT-FOUND")
    }
}
