import ChatTesting
import Testing

@Suite("JOIN and INVITE")
struct JoinTests {
    @Test(arguments: [1, 2])
    func `joining a public conversation is an event for its members, and makes a member`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann)
        try ann.ok("SUB \(room)")
        let reply = try ben.ok("JOIN \(room.uppercased())")
        #expect(reply["conv"] == room && reply.seq == 2 && isTime(reply["ts"]))
        let event = try #require(try ann.event("join"))
        #expect(event["conv"] == room && event.seq == 2 && event["by"] == ben.user && event["ts"] == reply["ts"])
        #expect(try ben.event("conv", ["conv": room])?["state"] == "joined")
        let roles = try ann.rows("MEMBERS \(room)").map { "\($0["user"] ?? "") \($0["role"] ?? "")" }
        #expect(Set(roles) == ["\(ann.user) owner", "\(ben.user) member"])
    }

    @Test(arguments: [1, 2])
    func `joining twice, or the lobby, changes nothing and says so`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ann.ok("SUB \(room)")
        for name in [room, "#lobby"] {
            let reply = try ben.ok("JOIN \(name)")
            #expect(reply["conv"] == name && reply["dup"] == "yes")
        }
        #expect(try ann.hearsNothing("join"))
    }

    @Test(arguments: ["JOIN", "LEAVE", "HISTORY", "SUB", "MEMBERS", "SEND", "UNSUB"], [1, 2])
    func `a private conversation and none at all are NOT-FOUND with the same text`(verb: String, loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, eve) = (try scene.user(), try scene.user("eve"))
        let room = try scene.room(of: ann, isPrivate: true)
        let text = verb == "SEND" ? " hi" : ""
        let hidden = try eve.expectRefusal("\(verb) \(room)\(text)", "NOT-FOUND")
        let missing = try eve.expectRefusal("\(verb) \(scene.roomName("none"))\(text)", "NOT-FOUND")
        #expect(hidden.raw.split(separator: " ").dropFirst(2) == missing.raw.split(separator: " ").dropFirst(2))
    }

    @Test(arguments: [1, 2])
    func `who is invited hears of it, finds it in CONVS, and may join`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, isPrivate: true)
        try ann.ok("SUB \(room)")
        let reply = try ann.ok("INVITE \(room) \(ben.user.uppercased())")
        #expect(reply["conv"] == room && reply.seq == 2)
        let event = try #require(try ann.event("invite"))
        #expect(event.seq == 2 && event["by"] == ann.user && event["user"] == ben.user)
        let notice = try #require(try ben.event("conv", ["conv": room]))
        #expect(notice["state"] == "invited" && notice["by"] == ann.user)
        #expect(try ben.rows("CONVS").first { $0["conv"] == room }?["role"] == "invited")
        try ben.ok("JOIN \(room)")
        #expect(try ben.rows("CONVS").first { $0["conv"] == room }?["role"] == "member")
    }

    @Test(arguments: [1, 2])
    func `inviting a member, or the same user twice, changes nothing and says so`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben, cat) = (try scene.user(), try scene.user("ben"), try scene.user("cat"))
        let room = try scene.room(of: ann, ben)
        #expect(try ann.ok("INVITE \(room) \(ben.user)")["dup"] == "yes")
        #expect(try ann.ok("INVITE \(room) \(cat.user)")["dup"] == nil)
        #expect(try ann.ok("INVITE \(room) \(cat.user)")["dup"] == "yes")
    }

    @Test(arguments: [1, 2])
    func `only an op or the owner invites`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben, cat) = (try scene.user(), try scene.user("ben"), try scene.user("cat"))
        let (open, closed) = (try scene.room(of: ann, ben), try scene.room(of: ann, isPrivate: true, ben))
        for room in [open, closed] { try ben.expectRefusal("INVITE \(room) \(cat.user)", "DENIED") }
        try cat.expectRefusal("INVITE \(open) \(cat.user)", "DENIED")
        let hidden = try cat.expectRefusal("INVITE \(closed) \(cat.user)", "NOT-FOUND")
        let missing = try cat.expectRefusal("INVITE \(scene.roomName("none")) \(cat.user)", "NOT-FOUND")
        #expect(hidden.human == missing.human)
    }

    @Test(arguments: [1, 2])
    func `inviting nobody is NOT-FOUND, a malformed name is refused, an option is BAD-ARG`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        try ann.expectRefusal("INVITE \(room) nobody-has-this", "NOT-FOUND", field: "user")
        #expect(try ann.request("INVITE \(room) a,b").final.isRefusal)
        try ann.expectRefusal("INVITE frob=1 \(room) \(ann.user)", "BAD-ARG", field: "frob")
        try ann.expectRefusal("JOIN frob=1 \(room)", "BAD-ARG", field: "frob")
    }

    @Test(arguments: [1, 2])
    func `in a private conversation what was before one's joining is not read`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, isPrivate: true)
        let old = try ann.ok("SEND \(room) before").seq
        try ann.ok("INVITE \(room) \(ben.user)")
        let joined = try ben.ok("JOIN \(room)").seq
        try ann.ok("SEND \(room) after")
        #expect(try ben.rows("HISTORY \(room)").map(\.text) == ["after"])
        #expect(try ben.rows("HISTORY around=\(old) \(room)").allSatisfy { $0.seq > joined })
        try ben.ok("SUB since=0 \(room)")
        let first = try #require(try ben.logEvents(of: room, count: 1).first)
        #expect(first.seq >= joined, "\(first)")
        #expect(try ben.rows("CONVS").first { $0["conv"] == room }?["preview"] == "after")
    }

    @Test(arguments: [1, 2])
    func `after leaving and joining again a private conversation starts at the latest joining`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, isPrivate: true, ben)
        try ann.ok("SEND \(room) first")
        try ben.ok("LEAVE \(room)")
        try ben.expectRefusal("JOIN \(room)", "NOT-FOUND")
        try ann.ok("SEND \(room) between")
        try ann.ok("INVITE \(room) \(ben.user)")
        try ben.ok("JOIN \(room)")
        try ann.ok("SEND \(room) last")
        #expect(try ben.rows("HISTORY \(room)").map(\.text) == ["last"])
    }
}
