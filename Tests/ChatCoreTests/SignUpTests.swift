import ChatCore
import ChatModel
import ChatTesting
import Testing

@Suite("SIGNUP") struct SignUpTests {
    let world = World()

    private func fault(_ request: SignUp) throws -> String {
        try refused { try world.state.checkSignUp(request) }
    }

    @Test func `makes account, profile and session in one record`() throws {
        let request = World.request(name: "Ada", display: "Ada L.", phone: "+44 20 7946")
        let hash = PasswordRecord(n: 2, r: 8, p: 1, salt: [1], hash: [2])
        let token = world.token()
        let record = try world.state.decideSignUp(request, password: hash, session: token, now: world.now)
        world.apply([.ledger(.account(record))])
        let account = try #require(world.state.account(record.number))
        #expect((account.handle.text, account.display, account.phone) == ("Ada", "Ada L.", "+44 20 7946"))
        #expect(account.password == hash)
        #expect(world.state.owner(of: token) == record.number)
        #expect(world.state.account(signingInAs: "ADA") == record.number)
        #expect(world.state.account(signingInAs: "Ada@Example.TEST") == record.number)
    }

    @Test func `a handle held by somebody else is refused, whatever its case or normal form`() throws {
        try world.signUp("Alice")
        try world.signUp("Caf\u{E9}")
        try world.signUp("Straße")
        for name in ["alice", "ALICE", "ａｌｉｃｅ", "cafe\u{301}", "CAFE\u{301}", "STRASSE"] {
            #expect(try fault(World.request(name: name, email: "x@y.z")) == "EXISTS name", "\(name)")
        }
    }

    @Test func `a handle that looks like somebody else's is refused, before its scripts are`() throws {
        try world.signUp("Alina")
        try world.signUp("max")
        _ = try world.guest(word: 7)
        for name in ["аlina", "АLINA", "a1ina", "aIina", "Al\u{131}na", "rnax", "Мах", "guest‐7", "guеst-7"] {
            #expect(try fault(World.request(name: name, email: "x@y.z")) == "EXISTS name", "\(name)")
        }
        #expect(try fault(World.request(name: "аlinka", email: "x@y.z")) == "BAD-ARG name")
        #expect(world.state.account(signingInAs: "a1ina") == nil)
        #expect(world.state.account(signingInAs: "АLINA") == nil)
        #expect(world.state.account(signingInAs: "ALINA") != nil)
    }

    @Test func `an address that has an account is refused, whatever its case`() throws {
        try world.signUp("ada")
        #expect(try fault(World.request(name: "bob", email: "U1@EXAMPLE.test")) == "EXISTS email")
    }

    @Test func `each fault names its field`() throws {
        #expect(try fault(World.request(name: "a b")) == "BAD-ARG name")
        #expect(try fault(World.request(email: "nobody")) == "BAD-ARG email")
        #expect(try fault(World.request(password: "1234567")) == "BAD-ARG password")
        #expect(try fault(World.request(display: "a\u{7}b")) == "BAD-ARG display")
        #expect(try fault(World.request(display: String(repeating: "x", count: 65))) == "TOO-LONG display")
        #expect(try fault(World.request(phone: "call me")) == "BAD-ARG phone")
        #expect(try fault(World.request(phone: "12")) == "BAD-ARG phone")
        #expect(try fault(World.request()) == "taken")
    }

    @Test(arguments: [
        (7, "BAD-ARG password"), (8, "taken"), (1024, "taken"), (1025, "BAD-ARG password"), (0, "BAD-ARG password"),
    ])
    func `a password has 8 to 1024 bytes`(count: Int, outcome: String) throws {
        #expect(try fault(World.request(password: String(repeating: "x", count: count))) == outcome)
    }

    @Test(arguments: ["ada-lovelace", "ADA-Lovelace", "Ada@Example.test", "ada@example.test"])
    func `a password is not the name or the address`(password: String) throws {
        #expect(try fault(World.request(name: "ada-lovelace", password: password)) == "BAD-ARG password")
    }

    @Test func `the rule of classes asks for six bytes with upper case, lower case and a digit`() throws {
        world.state.limits.passwordRule = .classes6
        for weak in ["Abcd1", "abcde1", "ABCDE1", "Abcdef"] {
            #expect(try fault(World.request(password: weak)) == "BAD-ARG password", "\(weak)")
        }
        #expect(try fault(World.request(password: "Abcde1")) == "taken")
    }

    @Test func `a server that is closed or by invitation takes no one`() throws {
        world.state.limits.signUp = .closed
        #expect(try fault(World.request()) == "DENIED")
        world.state.limits.signUp = .invite
        #expect(try fault(World.request()) == "DENIED invite")
    }

    @Test func `the display name is the handle when none is given, never the address`() throws {
        let number = try world.signUp("ada")
        #expect(world.state.account(number)?.display == "ada")
    }

    @Test(arguments: [
        ("grace@navy.test", "grace"), ("grace.hopper@navy.test", "grace.hopper"), ("g+r/a:ce@navy.test", "grace"),
        ("al@b.c", "al2"), ("admin@b.c", "admin1"), ("Ж@b.c", "Ж10"),
        ("a-very-long-local-part-indeed@b.c", "a-very-long-loca"),
    ])
    func `a missing name is made from the address`(email: String, expected: String) throws {
        let hash = PasswordRecord(n: 2, r: 8, p: 1, salt: [1], hash: [2])
        let record = try world.state.decideSignUp(
            World.request(name: nil, email: email),
            password: hash,
            session: world.token(),
            now: world.now
        )
        #expect(record.handle == expected)
    }

    @Test func `made names get digits until they are free`() throws {
        try world.signUp("grace")
        try world.signUp("Grace1")
        let hash = PasswordRecord(n: 2, r: 8, p: 1, salt: [1], hash: [2])
        let request = World.request(name: nil, email: "GRACE@navy.test")
        let record = try world.state.decideSignUp(request, password: hash, session: world.token(), now: world.now)
        #expect(record.handle == "GRACE2")
    }

    @Test func `made names look like no other`() throws {
        for name in ["grace", "gracel", "Мах", "MAX2", "user6"] { try world.signUp(name) }
        let hash = PasswordRecord(n: 2, r: 8, p: 1, salt: [1], hash: [2])
        for (email, expected) in [
            ("graсe@a.b", "user7"), ("grace@a.b", "grace2"), ("max@a.b", "max1"), ("max@c.d", "max3"),
        ] {
            let request = World.request(name: nil, email: email)
            let record = try world.state.decideSignUp(request, password: hash, session: world.token(), now: world.now)
            world.apply([.ledger(.account(record))])
            #expect(record.handle == expected, "\(email)")
        }
    }

    @Test(arguments: ["aп@b.c", "guest-1@b.c", "guеst-1@b.c", "🇩🇪🇫🇷🇮🇹🇪🇸🇵🇹🇩🇰🇳🇴🇸🇪🇫🇮🇵🇱@b.c", "\u{301}abc@b.c"])
    func `an address that no name can be made of costs no long search`(email: String) throws {
        let hash = PasswordRecord(n: 2, r: 8, p: 1, salt: [1], hash: [2])
        let request = World.request(name: nil, email: email)
        let start = ContinuousClock.now
        let record = try world.state.decideSignUp(request, password: hash, session: world.token(), now: world.now)
        #expect(ContinuousClock.now - start < .milliseconds(20), "a turn of the engine lasts at most 20 ms")
        #expect(record.handle.hasPrefix("user"))
    }

    @Test func `only the newest sessions of an account live on`() throws {
        world.state.limits.sessions = 3
        let number = try world.signUp("ada")
        var tokens = world.state.account(number)?.sessions.map(\.hash) ?? []
        for _ in 0..<4 {
            tokens.append(world.token())
            let session = Session(hash: tokens[tokens.count - 1], created: world.now)
            world.apply([.ledger(.session(number, session))])
        }
        #expect(world.state.account(number)?.sessions.map(\.hash) == Array(tokens.suffix(3)))
        #expect(tokens.map { world.state.owner(of: $0) } == [nil, nil, number, number, number])
    }

    @Test func `a session ends alone, or all of an account together`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let (one, two) = (world.token(), world.token())
        for hash in [one, two] { world.apply([.ledger(.session(ada, Session(hash: hash, created: world.now)))]) }
        world.apply([.ledger(.endSession(ada, one))])
        #expect(world.state.owner(of: one) == nil)
        #expect(world.state.owner(of: two) == ada)
        world.apply([.ledger(.endSessions(ada))])
        #expect(world.state.owner(of: two) == nil)
        #expect(world.state.account(ada)?.sessions == [])
        #expect(world.state.account(bob)?.sessions.count == 1)
    }
}
