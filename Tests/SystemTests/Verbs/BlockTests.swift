import ChatTesting
import Testing

@Suite("BLOCK, UNBLOCK and BLOCKS")
struct BlockTests {
    @Test(arguments: [1, 2])
    func `a blocked user cannot open the 1:1`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        try ben.ok("BLOCK \(ann.user.uppercased())")
        try ann.expectRefusal("SEND @\(ben.user) hi", "DENIED")
        for client in [ann, ben] { #expect(try client.row(of: oneToOne(ann, ben)) == nil) }
    }

    @Test(arguments: [1, 2])
    func `a blocked user cannot send to the 1:1 that is there, but still reads it`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let seq = try ann.ok("SEND @\(ben.user) before").seq
        try ben.ok("SUB @\(ann.user)")
        try ben.ok("BLOCK \(ann.user)")
        for request in ["SEND @\(ben.user) x", "EMOTE @\(ben.user) \(seq) 👍", "EDIT @\(ben.user) \(seq) x"] {
            try ann.expectRefusal(request, "DENIED")
        }
        #expect(try ben.hearsNothing(of: oneToOne(ann, ben)))
        #expect(try ann.rows("HISTORY @\(ben.user)").map(\.text) == ["before"])
        try ann.ok("DELETE @\(ben.user) \(seq)")
    }

    @Test(arguments: [1, 2])
    func `UNBLOCK makes it as it was`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        try ben.ok("BLOCK \(ann.user)")
        try ben.ok("UNBLOCK \(ann.user.uppercased())")
        try ann.ok("SEND @\(ben.user) hi")
        #expect(try ben.rows("BLOCKS").isEmpty)
    }

    @Test(arguments: [1, 2])
    func `a blocked nonce is no message: sent again after UNBLOCK, it is one`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        try ben.ok("BLOCK \(ann.user)")
        try ann.expectRefusal("SEND nonce=n1 @\(ben.user) hi", "DENIED")
        try ben.ok("UNBLOCK \(ann.user)")
        #expect(try ann.ok("SEND nonce=n1 @\(ben.user) hi")["dup"] == nil)
    }

    @Test(arguments: [1, 2])
    func `BLOCKS lists one's own, and the blocked hears nothing of it`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben, cat) = (try scene.user(), try scene.user("ben"), try scene.user("cat"))
        for user in [cat.user, ann.user] { try ben.ok("BLOCK \(user)") }
        let reply = try ben.ok("BLOCKS")
        #expect(Set(reply.rows.compactMap { $0["user"] }) == [ann.user, cat.user] && reply["n"] == "2")
        #expect(reply.rows.allSatisfy { $0.kind == "block" })
        #expect(try ann.rows("BLOCKS").isEmpty)
    }

    @Test(arguments: [1, 2])
    func `blocking twice, or unblocking one who is not blocked, changes nothing and says so`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        #expect(try ben.ok("UNBLOCK \(ann.user)")["dup"] == "yes")
        #expect(try ben.ok("BLOCK \(ann.user)")["dup"] == nil)
        #expect(try ben.ok("BLOCK \(ann.user)")["dup"] == "yes")
        #expect(try ben.rows("BLOCKS").count == 1)
    }

    @Test(arguments: [1, 2])
    func `in a conversation of several the two hear each other as before`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben, cat) = (try scene.user(), try scene.user("ben"), try scene.user("cat"))
        let room = try scene.room(of: cat, ann, ben)
        try ben.ok("BLOCK \(ann.user)")
        try ben.ok("SUB \(room)")
        try ann.ok("SEND \(room) to all")
        #expect(try ben.event("msg", ["conv": room])?.text == "to all")
    }

    @Test(arguments: [1, 2])
    func `typing and presence stop between the two, in both directions`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben, cat) = (try scene.user(), try scene.user("ben"), try scene.user("cat"))
        let room = try scene.room(of: cat, ann, ben)
        try ann.ok("SEND @\(ben.user) hi")
        for client in [ann, ben, cat] { try client.ok("SUB all=yes") }
        try ben.ok("BLOCK \(ann.user)")
        for (client, other) in [(ann, ben), (ben, ann)] {
            try client.ok("TYPING \(room)")
            try client.ok("AWAY")
            #expect(try cat.event("typing", ["conv": room, "by": client.user]) != nil)
            #expect(try cat.event("presence", ["user": client.user, "state": "away"]) != nil)
            #expect(try other.event("typing", within: 0.3, ["by": client.user]) == nil)
        }
        try ann.ok("AWAY off=yes")
        #expect(try ben.event("presence", within: 0.3, ["user": ann.user]) == nil)
    }

    @Test(arguments: ["BLOCK", "UNBLOCK"], [1, 2])
    func `oneself is BAD-ARG, nobody NOT-FOUND, a missing user and an unknown option BAD-ARG`(
        verb: String,
        loops: Int
    ) throws {
        let ann = try Scene(loops).user()
        try ann.expectRefusal("\(verb) \(ann.user)", "BAD-ARG", field: "user")
        try ann.expectRefusal("\(verb) nobody-has-this", "NOT-FOUND", field: "user")
        try ann.expectRefusal("\(verb)", "BAD-ARG", field: "user")
        try ann.expectRefusal("\(verb) frob=1 \(ann.user)", "BAD-ARG", field: "frob")
    }

    @Test func `a block is there after kill -9 and after a snapshot`() throws {
        let daemon = try RunningDaemon()
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        try ben.ok("BLOCK ann")
        for isSnapshot in [false, true] {
            if isSnapshot { try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30) }
            try daemon.restart()
            try daemon.another(of: ann).expectRefusal("SEND @ben hi", "DENIED")
            #expect(try daemon.another(of: ben).rows("BLOCKS").map { $0["user"] } == ["ann"])
        }
    }
}
