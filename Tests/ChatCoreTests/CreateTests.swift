import ChatCore
import ChatModel
import ChatTesting
import Testing

@Suite("CREATE and JOIN") struct CreateTests {
    let world = World()

    @Test func `the maker owns what it makes, and its first event is seq 1`() throws {
        let ada = try world.signUp("ada")
        let number = try world.create("Garden", by: ada, title: "Roses")
        let garden = world.state.conversation(number)
        #expect(garden.name == "#Garden")
        #expect(garden.topic == "Roses")
        #expect(garden.role(of: ada) == .owner)
        #expect((garden.nextSeq, garden.lastKind) == (2, "create"))
        #expect(world.state.account(ada)?.ownedCount == 1)
    }

    @Test func `a name that is taken, or was once, is refused, also when it may not be seen`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        try world.create("Garden", by: ada)
        try world.create("den", by: ada, isPrivate: true)
        try world.leave("den", ada)
        for name in ["garden", "GARDEN", "ｇarden", "den", "lobby", "LOBBY"] {
            #expect(try refused { try world.create(name, by: bob) } == "EXISTS conv", "\(name)")
        }
    }

    @Test func `a name that looks like another's, or like one that was, is refused`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        try world.create("paypal", by: ada)
        try world.create("Мир", by: ada, isPrivate: true)
        try world.create("den1", by: ada, isPrivate: true)
        try world.leave("den1", ada)
        for name in ["pаypal", "paypaI", "PAYPA1", "Mиp", "denl", "l0bby", "lоbby"] {
            #expect(try refused { try world.create(name, by: bob) } == "EXISTS conv", "\(name)")
        }
        #expect(try refused { try world.create("pаypals", by: bob) } == "BAD-ARG conv")
        #expect(try refused { try world.join("paypa1", bob) } == "NOT-FOUND")
        try world.join("PayPal", bob)
    }

    @Test func `titles have 1 to 64 characters, show something and hold no controls`() throws {
        let ada = try world.signUp("ada")
        let family = "👩‍👩‍👧"
        #expect(try refused { try world.create("a1", by: ada, title: String(repeating: family, count: 64)) } == "taken")
        #expect(
            try refused { try world.create("a2", by: ada, title: String(repeating: "x", count: 65)) }
                == "TOO-LONG title"
        )
        for title in ["", "  ", "\u{3000}", "a\nb", "a\u{0}", "a\u{85}", "a\u{2028}b", "a\u{202E}b", "\u{2066}x"] {
            #expect(try refused { try world.create("a3", by: ada, title: title) } == "BAD-ARG title")
        }
    }

    @Test func `conversations owned are bounded, and giving one up makes room`() throws {
        world.state.limits.conversationsOwned = 2
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        try world.create("a1", by: ada)
        try world.create("a2", by: ada, isPrivate: true)
        #expect(try refused { try world.create("a3", by: ada) } == "LIMIT")
        try world.join("a1", bob)
        try world.leave("a1", ada)
        #expect(world.state.account(bob)?.ownedCount == 1)
        try world.create("a3", by: ada)
        try world.leave("a2", ada)
        try world.create("a4", by: ada)
        #expect(world.state.account(ada)?.ownedCount == 2)
    }

    @Test func `conversations joined are bounded, of every kind`() throws {
        world.state.limits.conversationsJoined = 2
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        try world.create("a1", by: ada)
        try world.join("a1", bob)
        try world.create("b1", by: bob)
        #expect(try refused { try world.create("b2", by: bob) } == "LIMIT")
        try world.create("a2", by: ada)
        #expect(try refused { try world.join("a2", bob) } == "LIMIT")
        #expect(try refused { try world.send(to: .direct("ada"), by: bob) } == "LIMIT")
        try world.leave("a1", bob)
        try world.join("a2", bob)
    }

    @Test func `a public conversation is joined by anybody, once`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let number = try world.create("garden", by: ada)
        #expect(try world.join("GARDEN", bob).values("seq") == ["2"])
        try world.send("garden", ada)
        let again = try world.join("garden", bob)
        #expect((again.values("seq"), again.values("dup")) == (["2"], ["yes"]))
        #expect(world.state.conversation(number).nextSeq == 4)
    }

    @Test func `a private conversation is joined after an invitation only`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        try world.create("den", by: ada, isPrivate: true)
        #expect(try refused { try world.join("den", bob) } == "NOT-FOUND")
        #expect(try refused { try world.join("nothing", bob) } == "NOT-FOUND")
        try world.invite("bob", to: "den", by: ada)
        try world.join("den", bob)
        try world.leave("den", bob)
        #expect(try refused { try world.join("den", bob) } == "NOT-FOUND", "an invitation is good for one join")
    }

    @Test func `everybody is in the lobby without joining`() throws {
        let ada = try world.signUp("ada")
        #expect(try world.join("lobby", ada).values("dup") == ["yes"])
        #expect(world.state.conversation(.lobby).nextSeq == 2)
    }

    @Test func `a 1:1 is neither joined nor left`() throws {
        let ada = try world.signUp("ada")
        try world.signUp("bob")
        #expect(
            try refused { _ = try world.state.decideJoin(.direct("bob"), by: ada, now: world.now) } == "DENIED"
        )
        #expect(try refused { _ = try world.state.decideLeave(.direct("bob"), by: ada, now: world.now) } == "DENIED")
    }
}

@Suite("INVITE") struct InviteTests {
    let world = World()

    @Test func `is for the owner and ops; the invited one sees the conversation`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let cyd = try world.signUp("cyd")
        let den = try world.create("den", by: ada, isPrivate: true)
        try world.invite("BOB", to: "den", by: ada)
        #expect(world.state.overview(of: bob).map(\.number) == [.lobby, den])
        #expect(world.state.overview(of: bob).last?.role == nil)
        try world.join("den", bob)
        #expect(try refused { try world.invite("cyd", to: "den", by: bob) } == "DENIED")
        world.apply([.event(world.event(den, .grant(bob, .op), by: ada))])
        try world.invite("cyd", to: "den", by: bob)
        try world.join("den", cyd)
    }

    @Test func `of somebody unknown is NOT-FOUND, of a member or twice it changes nothing`() throws {
        let ada = try world.signUp("ada")
        try world.signUp("bob")
        let den = try world.create("den", by: ada, isPrivate: true)
        #expect(try refused { try world.invite("nobody1", to: "den", by: ada) } == "NOT-FOUND user")
        #expect(try world.invite("ada", to: "den", by: ada).values("dup") == ["yes"])
        #expect(try world.invite("bob", to: "den", by: ada).values("seq") == ["2"])
        try world.send("den", ada)
        let again = try world.invite("bob", to: "den", by: ada)
        #expect((again.values("dup"), again.values("seq")) == (["yes"], ["2"]))
        #expect(world.state.conversation(den).nextSeq == 4)
    }

    @Test func `by an outsider is NOT-FOUND in a private conversation and DENIED in a public one`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        try world.create("den", by: ada, isPrivate: true)
        try world.create("garden", by: ada)
        #expect(try refused { try world.invite("bob", to: "den", by: bob) } == "NOT-FOUND")
        #expect(try refused { try world.invite("bob", to: "nothing", by: bob) } == "NOT-FOUND")
        #expect(try refused { try world.invite("ada", to: "garden", by: bob) } == "DENIED")
    }
}
