import ChatTesting
import Testing

@Suite("AUTH")
struct AuthTests {
    @Test(arguments: [1, 2])
    func `a name or an address in any case signs in with the password`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        for who in [
            ann.user, ann.user.uppercased(), "\(ann.user)@example.test", "\(ann.user.uppercased())@Example.Test",
        ] {
            let reply = try scene.daemon.client().ok("AUTH \(who) Secret123")
            #expect(reply["user"] == ann.user && reply["token"]?.isEmpty == false && reply.final.number("unread") >= 0)
        }
    }

    @Test(arguments: [1, 2])
    func `a token signs in`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let reply = try scene.daemon.client().ok("AUTH token=\(ann.token)")
        #expect(reply["user"] == ann.user && reply["token"] == ann.token)
    }

    @Test(arguments: [1, 2])
    func `unread counts what others wrote since`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let before = try scene.daemon.client().ok("AUTH token=\(ben.token)").final.number("unread")
        for number in 0..<3 { try ann.ok("SEND \(room) \(number)") }
        let after = try scene.daemon.client().ok("AUTH token=\(ben.token)").final.number("unread")
        #expect(before >= 0 && after >= before + 3)
    }

    @Test(arguments: [1, 2])
    func `an anonymous visitor is a guest with a token`(loops: Int) throws {
        let scene = try Scene(loops)
        let guest = try scene.guest()
        #expect(guest.user.hasPrefix("guest-") && guest.token.count >= 20)
        #expect(try guest.ok("WHOAMI")["guest"] == "yes")
        try guest.ok("SEND #lobby hello")
        #expect(try scene.daemon.client().ok("AUTH token=\(guest.token)")["user"] == guest.user)
    }

    @Test(arguments: [1, 2])
    func `a wrong password and an unknown name or address look the same`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let whos = [ann.user, "\(ann.user)@example.test", "nobody-has-this", "nobody@example.test", "guest-123", "x"]
        let lines = try whos.map { who in
            let client = try scene.daemon.client()
            try client.send("@s AUTH \(who) Wrong1234\n")
            return try client.line().raw
        }
        #expect(Set(lines).count == 1 && lines[0].hasPrefix("ERR @s BAD-AUTH "), "\(lines)")
    }

    @Test(arguments: ["token=nonsense", "token=\(String(repeating: "A", count: 43))"], [1, 2])
    func `an unknown token is BAD-AUTH`(option: String, loops: Int) throws {
        try Scene(loops).daemon.client().expectRefusal("AUTH \(option)", "BAD-AUTH")
    }

    @Test(arguments: [("anonymous=maybe", "anonymous"), ("frob=1 ann", "frob")], [1, 2])
    func `a bad option is BAD-ARG`(option: (text: String, field: String), loops: Int) throws {
        try Scene(loops).daemon.client().expectRefusal("AUTH \(option.text)", "BAD-ARG", field: option.field)
    }

    @Test(arguments: [1, 2])
    func `without name, token or anonymous=yes it is BAD-ARG`(loops: Int) throws {
        try Scene(loops).daemon.client().expectRefusal("AUTH", "BAD-ARG")
    }

    @Test(arguments: [1, 2])
    func `a password over 1024 bytes is refused`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let reply = try scene.daemon.client().refusal("AUTH \(ann.user) \(String(repeating: "x", count: 1025))")
        #expect(["BAD-AUTH", "BAD-ARG"].contains(reply.code))
    }

    @Test(arguments: ["AUTH anonymous=yes", "AUTH token=x", "AUTH ann Secret123"], [1, 2])
    func `while signed in it is CONFLICT`(request: String, loops: Int) throws {
        let ann = try Scene(loops).user()
        try ann.expectRefusal(request, "CONFLICT")
        #expect(try ann.ok("WHOAMI")["user"] == ann.user)
    }

    @Test(arguments: [1, 2])
    func `what is sent behind it waits for its outcome`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let client = try scene.daemon.client()
        try client.send(
            "@a AUTH \(ann.user) Secret123\n@b WHOAMI\n@c LOGOUT\n@d WHOAMI\n@e AUTH anonymous=yes\n@f WHOAMI\n"
        )
        #expect(try client.reply(to: "a")["user"] == ann.user)
        #expect(try client.reply(to: "b")["user"] == ann.user)
        #expect(try client.reply(to: "c").isOK)
        #expect(try client.reply(to: "d").code == "NEED-AUTH")
        #expect(try client.reply(to: "e").isOK)
        #expect(try client.reply(to: "f")["guest"] == "yes")
    }

    @Test(arguments: [1, 2])
    func `a hundred wrong passwords at once leave the others a quick answer`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let clients = try (0..<20).map { _ in try scene.daemon.client() }
        for client in clients {
            try client.send((0..<5).map { "@w\($0) AUTH \(ann.user) Wrong1234\n" }.joined())
        }
        let start = monotonicSeconds()
        try ann.ok("SEND #lobby still here")
        #expect(monotonicSeconds() - start < 2)
        for client in clients {
            for number in 0..<5 {
                let reply = try client.reply(to: "w\(number)")
                #expect(["BAD-AUTH", "BUSY"].contains(reply.code), "\(reply)")
            }
        }
    }
}
