import ChatTesting
import Testing

@Suite("SIGNUP")
struct SignUpTests {
    private func refused(
        _ options: String,
        _ code: String,
        field: String,
        loops: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let client = try Scene(loops).daemon.client()
        let mail = SharedDaemon.name("mail") + "@example.test"
        let request = "SIGNUP \(options) \(mail) Secret123"
        try client.expectRefusal(request, code, field: field, sourceLocation: sourceLocation)
    }

    @Test(arguments: ["SIGNUP", "REGISTER", "signup"], [1, 2])
    func `an account is made and signed in at once`(verb: String, loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        let name = SharedDaemon.name("Ada")
        let reply = try client.ok(
            #"\#(verb) name=\#(name) display="Ada \"L.\"" phone=+49123456 \#(name)@example.test Secret 123"#
        )
        #expect(reply["user"] == name && (reply["token"]?.count ?? 0) >= 20)
        let who = try client.ok("WHOAMI")
        #expect(who["user"] == name && who["display"] == "Ada \"L.\"" && who["guest"] == "no")
        let again = try Scene(loops).daemon.client()
        #expect(try again.ok("AUTH \(name) Secret 123")["user"] == name)
    }

    @Test(arguments: [1, 2])
    func `display is the name when left out, never the address`(loops: Int) throws {
        let ann = try Scene(loops).user()
        #expect(try ann.ok("WHOAMI")["display"] == ann.user)
    }

    @Test(arguments: [1, 2])
    func `a name left out is made of the address, without forbidden characters, with digits until it is free`(
        loops: Int
    ) throws {
        let daemon = try Scene(loops).daemon
        let stem = SharedDaemon.name("lo+cal")
        let made = try ["a.test", "b.test", "c.test"].map { domain in
            try daemon.client().ok("SIGNUP \(stem)@\(domain) Secret123")["user"] ?? ""
        }
        let plain = stem.replacing("+", with: "")
        #expect(
            made.allSatisfy { $0.hasPrefix(plain) && $0.dropFirst(plain.count).allSatisfy { $0.isNumber } },
            "\(made)"
        )
        #expect(Set(made).count == 3)
        let short = try daemon.client().ok("SIGNUP q@\(SharedDaemon.name("short")).test Secret123")["user"] ?? ""
        #expect(short.hasPrefix("q") && short.count >= 3 && short.dropFirst().allSatisfy { $0.isNumber }, "\(short)")
    }

    @Test(
        arguments: [
            "name=ab", "name=abcdefghijklmnopqrstu", "name=a#b1", "name=a@b1", "name=a,b1", "name=a:b1", "name=a/b1",
            "name=a+b1",
            #"name="a b1""#, #"name="""#, #"name="a=b1""#, #"name="a\"b1""#, #"name="a\u0007b1""#, "name=pаypal",
            "name=αnna1",
        ],
        [1, 2]
    )
    func `a name of forbidden length, characters or mixed scripts is BAD-ARG`(option: String, loops: Int) throws {
        try refused(option, "BAD-ARG", field: "name", loops: loops)
    }

    @Test(
        arguments: [
            "admin", "ADMIN", "root", "System", "server", "everyone", "nobody", "fcd", "lobby", "guest-1", "Guest-x",
        ],
        [1, 2]
    )
    func `a reserved name is EXISTS, whatever its case`(name: String, loops: Int) throws {
        try refused("name=\(name)", "EXISTS", field: "name", loops: loops)
    }

    @Test(arguments: [1, 2])
    func `a name somebody has is EXISTS, in any case, width and composition`(loops: Int) throws {
        let scene = try Scene(loops)
        let name = SharedDaemon.name("zoë")
        _ = try scene.daemon.user(name)
        let decomposed = name.replacing("ë", with: "e\u{308}")
        let wide = name.replacing("z", with: "ｚ")
        for other in [name, name.uppercased(), decomposed, wide] {
            try refused("name=\(other)", "EXISTS", field: "name", loops: loops)
        }
    }

    @Test(arguments: ["李小龍", "محمد", "Ωmega".replacing("mega", with: "μέγα"), "Борис"], [1, 2])
    func `a name may be of any one script`(name: String, loops: Int) throws {
        let unique = SharedDaemon.name(name)
        let client = try Scene(loops).daemon.client()
        let reply = try client.ok("SIGNUP name=\(unique) \(SharedDaemon.name("mail"))@example.test Secret123")
        #expect(reply["user"] == unique)
    }

    @Test(
        arguments: [
            "plain", "@example.test", "a@", "a@nodot", "a@b@example.test", "a@.test", "a@example.", "a @example.test",
            "\(String(repeating: "a", count: 250))@example.test",
        ],
        [1, 2]
    )
    func `an address without local part, at sign or domain with a dot is BAD-ARG`(address: String, loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        let request = "SIGNUP name=\(SharedDaemon.name("ann")) \(address) Secret123"
        try client.expectRefusal(request, "BAD-ARG", field: "email")
    }

    @Test(arguments: [1, 2])
    func `an address somebody has is EXISTS, whatever its case`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let client = try scene.daemon.client()
        for address in ["\(ann.user)@example.test", "\(ann.user.uppercased())@EXAMPLE.test"] {
            let request = "SIGNUP name=\(SharedDaemon.name("ben")) \(address) Secret123"
            try client.expectRefusal(request, "EXISTS", field: "email")
        }
    }

    @Test(arguments: [1, 2])
    func `a password too short, too long, or the same as name or address is BAD-ARG`(loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        let name = SharedDaemon.name("longname")
        let mail = "\(name)@example.test"
        for password in ["Short12", String(repeating: "x", count: 1025), name, mail] {
            try client.expectRefusal("SIGNUP name=\(name) \(mail) \(password)", "BAD-ARG", field: "password")
        }
        #expect(try client.ok("SIGNUP name=\(name) \(mail) \(String(repeating: "é", count: 512))")["user"] == name)
    }

    @Test(arguments: [1, 2])
    func `a display name over 64 characters is refused, 64 of any kind are taken`(loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        let name = SharedDaemon.name("ann")
        let thumbs = String(repeating: "👍🏽", count: 64)
        let refused = try client.refusal(#"SIGNUP name=\#(name) display="\#(thumbs)x" \#(name)@example.test Secret123"#)
        #expect(refused["field"] == "display", "\(refused)")
        try client.ok(#"SIGNUP name=\#(name) display="\#(thumbs)" \#(name)@example.test Secret123"#)
        #expect(try client.ok("WHOAMI")["display"] == thumbs)
    }

    @Test(arguments: [1, 2])
    func `a missing address and an unknown option are BAD-ARG`(loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        try client.expectRefusal("SIGNUP", "BAD-ARG", field: "email")
        try client.expectRefusal("SIGNUP frob=1 a@example.test Secret123", "BAD-ARG", field: "frob")
    }

    @Test(arguments: [1, 2])
    func `a refused sign-up leaves nothing behind`(loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        let name = SharedDaemon.name("ann")
        try client.expectRefusal("SIGNUP name=\(name) \(name)@example.test short", "BAD-ARG", field: "password")
        try client.expectRefusal("WHOAMI", "NEED-AUTH")
        try client.ok("SIGNUP name=\(name) \(name)@example.test Secret123")
    }

    @Test(arguments: [1, 2])
    func `signing up while signed in is CONFLICT`(loops: Int) throws {
        let ann = try Scene(loops).user()
        let name = SharedDaemon.name("ben")
        try ann.expectRefusal("SIGNUP name=\(name) \(name)@example.test Secret123", "CONFLICT")
    }

    @Test(arguments: [1, 2])
    func `of ten that want one name at once exactly one gets it`(loops: Int) throws {
        let daemon = try Scene(loops).daemon
        let name = SharedDaemon.name("race")
        let clients = try (0..<10).map { _ in try daemon.client() }
        for (number, client) in clients.enumerated() {
            try client.send("@x SIGNUP name=\(name) \(name)-\(number)@example.test Secret123\n")
        }
        let replies = try clients.map { try $0.reply(to: "x") }
        #expect(replies.filter(\.isOK).count == 1)
        #expect(replies.filter { $0.code == "EXISTS" && $0["field"] == "name" }.count == 9)
    }
}
