import ChatTesting
import Testing

@Suite("PASSWD")
struct PasswdTests {
    @Test(arguments: [1, 2])
    func `the new password counts and the old one does not, whatever blanks it has`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        try ann.ok("PASSWD Secret123 key=value and blanks ")
        try scene.daemon.client().expectRefusal("AUTH \(ann.user) Secret123", "BAD-AUTH")
        try scene.daemon.client().ok("AUTH \(ann.user) key=value and blanks ")
    }

    @Test(arguments: [1, 2])
    func `a wrong old password is BAD-AUTH and changes nothing`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let second = try scene.daemon.client()
        try second.ok("AUTH \(ann.user) Secret123")
        try ann.expectRefusal("PASSWD Wrong1234 Newpass123", "BAD-AUTH")
        try second.ok("WHOAMI")
        try scene.daemon.client().ok("AUTH \(ann.user) Secret123")
        try scene.daemon.client().expectRefusal("AUTH \(ann.user) Newpass123", "BAD-AUTH")
    }

    @Test(arguments: [1, 2])
    func `it ends every other session, and this one goes on`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let others = try (0..<2).map { _ in
            let client = try scene.daemon.client()
            client.token = try client.ok("AUTH \(ann.user) Secret123")["token"] ?? ""
            return client
        }
        let same = try scene.daemon.another(of: ann)
        try ann.ok("PASSWD Secret123 Newpass123")
        for other in others {
            let lines = try other.restOfStream()
            #expect(lines.contains { $0.kind == "auth" && $0["state"] == "signed-out" }, "\(lines)")
            #expect(lines.last?.word == "BYE" && lines.last?.code == "BAD-AUTH", "\(lines)")
            try scene.daemon.client().expectRefusal("AUTH token=\(other.token)", "BAD-AUTH")
        }
        for client in [ann, same] { #expect(try client.ok("WHOAMI")["user"] == ann.user) }
        try scene.daemon.client().ok("AUTH token=\(ann.token)")
        #expect(try ann.rows("SESSIONS").count == 1)
    }

    @Test(arguments: [1, 2])
    func `a TOKEN lives on, and so do its connections`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let token = try #require(try ann.ok("TOKEN bot")["token"])
        let bot = try scene.daemon.client()
        try bot.ok("AUTH token=\(token)")
        try ann.ok("PASSWD Secret123 Newpass123")
        #expect(try bot.ok("WHOAMI")["user"] == ann.user)
        try scene.daemon.client().ok("AUTH token=\(token)")
    }

    @Test(arguments: [1, 2])
    func `what is left out is asked, the old password first, and each answer is taken whole`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let asked = try ann.request("PASSWD")
        #expect(asked.final.word == "ASK" && asked.final.human?.isEmpty == false)
        try ann.send("Secret123\n")
        #expect(try ann.reply(to: asked.final.tag).final.word == "ASK")
        try ann.send("  two blanks = here  \n")
        #expect(try ann.reply(to: asked.final.tag).isOK)
        let again = try ann.request("PASSWD x")
        #expect(again.final.word == "ASK")
        try ann.send("Newpass123\n")
        #expect(try ann.reply(to: again.final.tag).code == "BAD-AUTH")
        try scene.daemon.client().ok("AUTH \(ann.user)   two blanks = here  ")
    }

    @Test(arguments: [1, 2])
    func `a new password that breaks the rule is BAD-ARG, and the old one stays`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user("longname")
        for password in ["Short12", String(repeating: "x", count: 1025), ann.user, "\(ann.user)@example.test"] {
            try ann.expectRefusal("PASSWD Secret123 \(password)", "BAD-ARG", field: "password")
        }
        try scene.daemon.client().ok("AUTH \(ann.user) Secret123")
    }

    @Test(arguments: [1, 2])
    func `a guest has no password to change`(loops: Int) throws {
        let guest = try Scene(loops).guest()
        try guest.expectRefusal("PASSWD Secret123 Newpass123", "CONFLICT")
        try guest.ok("WHOAMI")
    }

    @Test(arguments: [1, 2])
    func `it counts after kill -9 and after a snapshot`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        try daemon.user("ann").ok("PASSWD Secret123 Newpass123")
        for isSnapshot in [false, true] {
            if isSnapshot { try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30) }
            try daemon.restart()
            try daemon.client().ok("AUTH ann Newpass123")
            try daemon.client().expectRefusal("AUTH ann Secret123", "BAD-AUTH")
        }
    }
}
