import ChatTesting
import Testing

@Suite("LOGOUT and WHOAMI")
struct LogoutTests {
    @Test(arguments: [1, 2])
    func `the token dies, the connection stays, and a second time changes nothing`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        try ann.ok("LOGOUT")
        try ann.expectRefusal("SEND #lobby x", "NEED-AUTH")
        try ann.ok("LOGOUT")
        try scene.daemon.client().expectRefusal("AUTH token=\(ann.token)", "BAD-AUTH")
        #expect(try ann.ok("AUTH \(ann.user) Secret123")["user"] == ann.user)
    }

    @Test(arguments: [1, 2])
    func `before signing in it is OK`(loops: Int) throws {
        try Scene(loops).daemon.client().ok("LOGOUT")
    }

    @Test(arguments: [1, 2])
    func `subscriptions end with the session`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ben.ok("SUB \(room)")
        try ben.ok("SUB all=yes")
        try ben.ok("LOGOUT")
        try ann.ok("SEND \(room) unheard")
        #expect(try ben.hearsNothing("msg", for: 0.3))
    }

    @Test(arguments: [1, 2])
    func `another session of the same user goes on`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let other = try scene.daemon.client()
        try other.ok("AUTH \(ann.user) Secret123")
        try ann.ok("LOGOUT")
        #expect(try other.ok("WHOAMI")["user"] == ann.user)
    }

    @Test(arguments: [1, 2])
    func `other connections of the same session hear of the end and are closed`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let other = try scene.daemon.another(of: ann)
        try ann.ok("LOGOUT")
        let lines = try other.restOfStream()
        let notice = lines.first { $0.word == "EV" && $0.kind == "auth" }
        #expect(notice?["state"] == "signed-out" && notice?["reason"]?.isEmpty == false, "\(lines)")
        #expect(lines.last?.word == "BYE" && lines.last?.code == "BAD-AUTH", "\(lines)")
    }

    @Test(arguments: [1, 2])
    func `all=yes ends every session and token, and all=no only this one`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let others = try (0..<3).map { _ in
            let client = try scene.daemon.client()
            client.token = try client.ok("AUTH \(ann.user) Secret123")["token"] ?? ""
            return client
        }
        try others[0].ok("LOGOUT all=no")
        try others[1].ok("WHOAMI")
        try ann.ok("LOGOUT all=yes")
        for other in others[1...] {
            let lines = try other.restOfStream()
            #expect(lines.contains { $0.kind == "auth" && $0["state"] == "signed-out" }, "\(lines)")
            #expect(lines.last?.code == "BAD-AUTH", "\(lines)")
        }
        for client in others { try scene.daemon.client().expectRefusal("AUTH token=\(client.token)", "BAD-AUTH") }
        try ann.expectRefusal("WHOAMI", "NEED-AUTH")
    }

    @Test(arguments: [("all=maybe", "all"), ("frob=1", "frob")], [1, 2])
    func `a bad option is BAD-ARG`(option: (text: String, field: String), loops: Int) throws {
        try Scene(loops).user().expectRefusal("LOGOUT \(option.text)", "BAD-ARG", field: option.field)
    }

    @Test(arguments: [1, 2])
    func `WHOAMI tells user, display name and whether one is a guest`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let who = try ann.ok("WHOAMI")
        #expect(who["user"] == ann.user && who["display"] == ann.user && who["guest"] == "no")
        #expect(try scene.guest().ok("WHOAMI")["guest"] == "yes")
    }
}
