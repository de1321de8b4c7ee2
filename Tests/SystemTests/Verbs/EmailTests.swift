import ChatTesting
import Testing

@Suite("EMAIL")
struct ChangeOfAddressTests {
    private func address(_ stem: String = "new") -> String { SharedDaemon.name(stem) + "@example.test" }

    @Test(arguments: [1, 2])
    func `the new address signs in, the old one does not and is free again`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let (old, new) = ("\(ann.user)@example.test", address("New.Mail"))
        try ann.ok("EMAIL \(new) Secret123")
        #expect(try scene.daemon.client().ok("AUTH \(new.uppercased()) Secret123")["user"] == ann.user)
        try scene.daemon.client().expectRefusal("AUTH \(old) Secret123", "BAD-AUTH")
        #expect(try ann.ok("PROFILE")["email"] == new)
        let name = SharedDaemon.name("heir")
        try scene.daemon.client().ok("SIGNUP name=\(name) \(old) Secret123")
    }

    @Test(arguments: [1, 2])
    func `it wants the password, and asks for it when it is left out`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let new = address()
        try ann.expectRefusal("EMAIL \(new) Wrong1234", "BAD-AUTH")
        let asked = try ann.request("EMAIL \(new)")
        #expect(asked.final.word == "ASK" && asked.final.kind == "password")
        try ann.send("Secret123\n")
        #expect(try ann.reply(to: asked.final.tag).isOK)
        try scene.daemon.client().ok("AUTH \(new) Secret123")
    }

    @Test(arguments: [1, 2])
    func `an address somebody has is EXISTS in any case, a malformed one BAD-ARG`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        try ann.expectRefusal("EMAIL \(ben.user.uppercased())@Example.test Secret123", "EXISTS", field: "email")
        for bad in ["plain", "@example.test", "a@", "a@nodot", "a@b@example.test"] {
            try ann.expectRefusal("EMAIL \(bad) Secret123", "BAD-ARG", field: "email")
        }
        try ann.expectRefusal("EMAIL", "BAD-ARG", field: "email")
        try scene.daemon.client().ok("AUTH \(ann.user)@example.test Secret123")
    }

    @Test(arguments: [1, 2])
    func `sessions go on, and nobody else hears of it`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let second = try scene.daemon.client()
        try second.ok("AUTH \(ann.user) Secret123")
        try ben.ok("SUB \(room)")
        try ann.ok("EMAIL \(address()) Secret123")
        try second.ok("WHOAMI")
        #expect(try ben.event("profile", within: 0.3, ["user": ann.user]) == nil)
    }

    @Test func `it counts after kill -9 and after a snapshot`() throws {
        let daemon = try RunningDaemon()
        try daemon.user("ann").ok("EMAIL other@example.test Secret123")
        for isSnapshot in [false, true] {
            if isSnapshot { try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30) }
            try daemon.restart()
            try daemon.client().ok("AUTH other@example.test Secret123")
            try daemon.client().expectRefusal("AUTH ann@example.test Secret123", "BAD-AUTH")
        }
    }
}
