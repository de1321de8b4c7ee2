import ChatTesting
import Foundation
import Testing

@Suite("TOKEN, TOKENS and TOKEN-DEL")
struct TokenTests {
    /// A connection signed in with a new TOKEN of this user's.
    private func bot(_ scene: Scene, _ user: TestClient, _ options: String = "") throws -> TestClient {
        let client = try scene.daemon.client()
        client.token = try user.ok("TOKEN \(options) bot")["token"] ?? ""
        client.user = try client.ok("AUTH token=\(client.token)")["user"] ?? ""
        return client
    }

    private func id(_ label: String, of user: TestClient) throws -> String {
        try #require(try user.rows("TOKENS").first { $0["label"] == label }?["id"])
    }

    @Test(arguments: [1, 2])
    func `a token signs a bot in as its account, and is shown once`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let bot = try bot(scene, ann)
        #expect(bot.user == ann.user && bot.token.count >= 20 && bot.token != ann.token)
        try bot.ok("SEND #lobby from a bot")
        try bot.ok("HISTORY limit=1 #lobby")
        #expect(try ann.rows("TOKENS").allSatisfy { !$0.raw.contains(bot.token) })
    }

    @Test(arguments: [1, 2])
    func `TOKENS lists one's own, with id, label, scope and end`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        try ann.ok("TOKEN scope=read expires=30d ci-bot")
        try ann.ok("TOKEN plain")
        let reply = try ann.ok("TOKENS")
        #expect(reply["n"] == "2" && reply.rows.allSatisfy { $0.kind == "token" && $0["id"] != nil })
        let row = try #require(reply.rows.first { $0["label"] == "ci-bot" })
        #expect(row["scope"] == "read" && isTime(row["expires"]), "\(row)")
        #expect(reply.rows.first { $0["label"] == "plain" }?["expires"] == nil)
        #expect(try ben.rows("TOKENS").isEmpty)
    }

    @Test(arguments: [1, 2])
    func `TOKEN-DEL ends the token and its connections, and only those`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let bot = try bot(scene, ann)
        let other = try scene.daemon.client()
        try other.ok("AUTH token=\(try ann.ok("TOKEN other")["token"] ?? "")")
        try ann.ok("TOKEN-DEL \(try id("bot", of: ann))")
        let lines = try bot.restOfStream()
        #expect(lines.contains { $0.kind == "auth" && $0["state"] == "signed-out" }, "\(lines)")
        #expect(lines.last?.code == "BAD-AUTH", "\(lines)")
        try scene.daemon.client().expectRefusal("AUTH token=\(bot.token)", "BAD-AUTH")
        try other.ok("WHOAMI")
        #expect(try ann.rows("TOKENS").map { $0["label"] } == ["other"])
    }

    @Test(arguments: [1, 2])
    func `an id that is not there, or another's, is NOT-FOUND`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let bot = try bot(scene, ann)
        let known = try id("bot", of: ann)
        let hidden = try ben.expectRefusal("TOKEN-DEL \(known)", "NOT-FOUND", field: "id")
        try ann.ok("TOKEN-DEL \(known)")
        let missing = try ann.expectRefusal("TOKEN-DEL \(known)", "NOT-FOUND", field: "id")
        #expect(hidden.human == missing.human)
        #expect(bot.isEnded(within: 5))
    }

    @Test(arguments: [1, 2])
    func `scope=read reads and changes nothing`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let seq = try ann.ok("SEND \(room) text").seq
        let bot = try bot(scene, ann, "scope=read")
        for request in ["HISTORY \(room)", "SUB since=0 \(room)", "CONVS", "MEMBERS \(room)", "WHOAMI"] {
            try bot.ok(request)
        }
        for request in [
            "SEND \(room) x", "EDIT \(room) \(seq) x", "DELETE \(room) \(seq)", "EMOTE \(room) \(seq) 👍",
            "TYPING \(room)", "CREATE \(scene.roomName())", "LEAVE \(room)", "TOPIC \(room) x",
            "EJECT \(room) \(ben.user)", "PROFILE display=x", "BLOCK \(ben.user)",
        ] {
            try bot.expectRefusal(request, "DENIED")
        }
    }

    @Test(arguments: [1, 2])
    func `scope=send sends and reads nothing`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let bot = try bot(scene, ann, "scope=send")
        try bot.ok("SEND \(room) the build is red")
        for request in ["HISTORY \(room)", "SUB \(room)", "SUB all=yes", "CONVS"] {
            try bot.expectRefusal(request, "DENIED")
        }
    }

    @Test(arguments: [1, 2])
    func `a scoped token has no power over the account`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let bot = try bot(scene, ann, "scope=read,send")
        try bot.ok("SEND #lobby x")
        try bot.ok("HISTORY limit=1 #lobby")
        for request in [
            "PASSWD Secret123 Newpass123", "EMAIL \(SharedDaemon.name("x"))@example.test Secret123", "TOKEN more",
            "TOKEN-DEL \(try id("bot", of: ann))", "UNREGISTER Secret123",
        ] {
            try bot.expectRefusal(request, "DENIED")
        }
        try scene.daemon.client().ok("AUTH \(ann.user) Secret123")
    }

    @Test(arguments: ["", "scope=read"], [1, 2])
    func `LOGOUT ends the token alone, and LOGOUT all=yes is not for a token`(scope: String, loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let bot = try bot(scene, ann, scope)
        try bot.expectRefusal("LOGOUT all=yes", "DENIED")
        try bot.ok("WHOAMI")
        try bot.ok("LOGOUT")
        try ann.ok("WHOAMI")
        #expect(try ann.rows("TOKENS").isEmpty)
        try scene.daemon.client().expectRefusal("AUTH token=\(bot.token)", "BAD-AUTH")
    }

    @Test(arguments: [1, 2])
    func `a token ends with its time, and its connections with it`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let bot = try bot(scene, ann, "expires=1s")
        let lines = try bot.restOfStream()
        #expect(lines.last?.code == "BAD-AUTH", "\(lines)")
        try scene.daemon.client().expectRefusal("AUTH token=\(bot.token)", "BAD-AUTH")
    }

    @Test(
        arguments: [
            ("TOKEN", "label"), ("TOKEN scope=write x", "scope"), ("TOKEN scope=\"\" x", "scope"),
            ("TOKEN scope=read, x", "scope"), ("TOKEN expires=30 x", "expires"), ("TOKEN expires=soon x", "expires"),
            ("TOKEN frob=1 x", "frob"), ("TOKEN-DEL", "id"),
        ],
        [1, 2]
    )
    func `a bad option or a missing argument is BAD-ARG`(request: (text: String, field: String), loops: Int) throws {
        try Scene(loops).user().expectRefusal(request.text, "BAD-ARG", field: request.field)
    }

    @Test func `tokens live on after kill -9 and a snapshot, deleted ones do not, and no file holds one`() throws {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        let tokens = try ["one", "two"].map { try ann.ok("TOKEN \($0)")["token"] ?? "" }
        let first = try #require(try ann.rows("TOKENS").first { $0["label"] == "one" }?["id"])
        try ann.ok("TOKEN-DEL \(first)")
        for isSnapshot in [false, true] {
            if isSnapshot { try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30) }
            try daemon.restart()
            try daemon.client().expectRefusal("AUTH token=\(tokens[0])", "BAD-AUTH")
            #expect(try daemon.client().ok("AUTH token=\(tokens[1])")["user"] == "ann")
            let contents = try DirectoryContents(daemon.data)
            for token in tokens + [ann.token] { #expect(contents.names(holding: token).isEmpty) }
        }
    }
}
