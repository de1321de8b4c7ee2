import ChatTesting
import Testing

@Suite("LEAVE")
struct LeaveTests {
    @Test(arguments: [1, 2])
    func `leaving is an event for those who stay, and ends membership, cursors and rights`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let other = try scene.daemon.another(of: ben)
        try ann.ok("SUB \(room)")
        try ben.ok("SUB \(room)")
        let reply = try ben.ok("LEAVE \(room)")
        #expect(reply["conv"] == room && reply.seq == 3 && isTime(reply["ts"]))
        let event = try #require(try ann.event("leave"))
        #expect(event["by"] == ben.user && event.seq == 3)
        #expect(try other.event("conv", ["conv": room, "state": "left"]) != nil)
        #expect(try ben.rows("SUBS").isEmpty)
        #expect(try ben.rows("CONVS").allSatisfy { $0["conv"] != room })
        for request in ["SEND \(room) x", "HISTORY \(room)", "SUB \(room)", "SUB since=0 \(room)"] {
            try ben.expectRefusal(request, "DENIED")
        }
        try ann.ok("SEND \(room) unheard")
        #expect(try ben.hearsNothing("msg", for: 0.2))
        #expect(try other.hearsNothing("msg"))
    }

    @Test(arguments: [1, 2])
    func `the lobby is not left, a stranger cannot leave, an option is BAD-ARG`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann)
        try ben.expectRefusal("LEAVE #lobby", "DENIED")
        try ben.expectRefusal("LEAVE \(room)", "DENIED")
        try ben.expectRefusal("LEAVE frob=1 \(room)", "BAD-ARG", field: "frob")
    }

    @Test(arguments: [1, 2])
    func `an owner who leaves is followed by the eldest member, by the server's own event`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben, cat) = (try scene.user(), try scene.user("ben"), try scene.user("cat"))
        let room = try scene.room(of: ann, cat, ben)
        try ben.ok("SUB \(room)")
        let left = try ann.ok("LEAVE \(room)").seq
        #expect(try ben.event("leave")?.seq == left)
        let grant = try #require(try ben.event("grant"))
        #expect(
            grant.seq == left + 1 && grant["by"] == "server" && grant["user"] == cat.user && grant["role"] == "owner"
        )
        let roles = try ben.rows("MEMBERS \(room)").map { "\($0["user"] ?? "") \($0["role"] ?? "")" }
        #expect(Set(roles) == ["\(cat.user) owner", "\(ben.user) member"])
        try cat.ok("INVITE \(room) \(ann.user)")
    }

    @Test(arguments: [1, 2])
    func `a private conversation that everybody left is dropped and its name stays taken`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann, isPrivate: true)
        try ann.ok("LEAVE \(room)")
        for request in ["JOIN \(room)", "HISTORY \(room)", "SUB \(room)", "SEND \(room) x"] {
            try ann.expectRefusal(request, "NOT-FOUND")
        }
        try ann.expectRefusal("CREATE \(room)", "EXISTS")
    }

    @Test(arguments: [1, 2])
    func `a public conversation that everybody left has no owner and can be joined`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann)
        let kept = try ann.ok("SEND \(room) kept")
        try ann.ok("LEAVE \(room)")
        #expect(try ben.rows("LIST \(room)").map { $0["conv"] } == [room])
        #expect(try ben.ok("JOIN \(room)").seq > kept.seq)
        #expect(try ben.rows("MEMBERS \(room)").map { [$0["user"], $0["role"]] } == [[ben.user, "member"]])
        #expect(try ben.rows("HISTORY \(room)").map(\.text) == ["kept"])
    }

    @Test(arguments: [1, 2])
    func `what a leaver wrote stays`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ben.ok("SEND \(room) mine")
        try ben.ok("LEAVE \(room)")
        #expect(try ann.rows("HISTORY \(room)").map { [$0["by"], $0.text] } == [[ben.user, "mine"]])
    }
}
