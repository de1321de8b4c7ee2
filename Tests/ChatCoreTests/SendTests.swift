import ChatCore
import ChatModel
import ChatTesting
import Testing

@Suite("SEND") struct SendTests {
    let world = World()

    @Test func `takes the next seq of its conversation`() throws {
        let ada = try world.signUp("ada")
        try world.create("garden", by: ada)
        #expect(try world.send(to: .named("garden"), by: ada).seq == 2)
        #expect(try world.send(to: .named("garden"), by: ada).seq == 3)
        #expect(try world.send(to: .named("lobby"), by: ada).seq == 2)
    }

    @Test func `needs a text that is not blank, or a place`() throws {
        let ada = try world.signUp("ada")
        let here = Location(latitude: "52.52", longitude: "-13.4")
        #expect(try refused { try world.send(to: .named("lobby"), by: ada, text: nil) } == "BAD-ARG text")
        #expect(try refused { try world.send(to: .named("lobby"), by: ada, text: " \u{3000}\t") } == "BAD-ARG text")
        #expect(try refused { try world.send(to: .named("lobby"), by: ada, text: " ", geo: here) } == "BAD-ARG text")
        guard case .message(let event) = try world.send(to: .named("lobby"), by: ada, text: nil, geo: here),
            case .message(let message) = event.kind
        else {
            Issue.record("a message")
            return
        }
        #expect((message.kind, message.geo) == ("location", here))
    }

    @Test func `a text has at most limits.text Unicode scalars`() throws {
        let ada = try world.signUp("ada")
        let family = "👩‍👩‍👧"
        let (fits, scalars) = (String(repeating: family, count: 800), family.unicodeScalars.count)
        #expect(scalars * 800 == 4000)
        #expect(try refused { try world.send(to: .named("lobby"), by: ada, text: fits) } == "taken")
        #expect(try refused { try world.send(to: .named("lobby"), by: ada, text: fits + "x") } == "TOO-LONG text")
    }

    @Test func `by an outsider is DENIED in a public conversation and NOT-FOUND in a private one`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        try world.create("garden", by: ada)
        try world.create("den", by: ada, isPrivate: true)
        #expect(try refused { try world.send("garden", bob) } == "DENIED")
        #expect(try refused { try world.send("den", bob) } == "NOT-FOUND")
        #expect(try refused { try world.send("nothing", bob) } == "NOT-FOUND")
    }

    @Test func `a reader may not write`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let number = try world.create("garden", by: ada)
        try world.join("garden", bob)
        world.apply([.event(world.event(number, .grant(bob, .reader), by: ada))])
        #expect(try refused { try world.send("garden", bob) } == "DENIED")
    }

    @Test func `reply= names a message one may see`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        try world.create("den", by: ada, isPrivate: true)
        try world.send("den", ada)
        try world.invite("bob", to: "den", by: ada)
        try world.join("den", bob)
        #expect(try world.send(to: .named("den"), by: ada, reply: 2).seq == 5)
        for reply: Seq in [0, 1, 3, 6, .max] {
            #expect(try refused { try world.send(to: .named("den"), by: ada, reply: reply) } == "NOT-FOUND reply")
        }
        #expect(try refused { try world.send(to: .named("den"), by: bob, reply: 2) } == "NOT-FOUND reply")
        #expect(try refused { try world.send(to: .named("den"), by: bob, reply: 5) } == "taken")
        #expect(try refused { try world.send(to: .direct("bob"), by: ada, reply: 1) } == "NOT-FOUND reply")
    }
}

@Suite("A nonce") struct NonceTests {
    let world = World()

    @Test func `makes a repeat answer the same seq and time, and no event`() throws {
        let ada = try world.signUp("ada")
        let first = try world.send(to: .named("lobby"), by: ada, nonce: 5)
        world.pass(milliseconds: 60_000)
        try world.send("lobby", ada)
        let again = try world.send(to: .named("lobby"), by: ada, text: "another text", nonce: 5)
        #expect(again.isRepeat)
        #expect(again.seq == first.seq)
        #expect(world.state.conversation(.lobby).nextSeq == 4)
    }

    @Test func `is each account's own`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        try world.send(to: .named("lobby"), by: ada, nonce: 5)
        #expect(try world.send(to: .named("lobby"), by: bob, nonce: 5).isRepeat == false)
    }

    @Test func `used in another conversation is a CONFLICT`() throws {
        let ada = try world.signUp("ada")
        try world.signUp("bob")
        try world.create("garden", by: ada)
        try world.send(to: .named("lobby"), by: ada, nonce: 5)
        #expect(try refused { try world.send(to: .named("garden"), by: ada, nonce: 5) } == "CONFLICT nonce")
        #expect(try refused { try world.send(to: .direct("bob"), by: ada, nonce: 5) } == "CONFLICT nonce")
    }

    @Test func `is looked at after the right to see and before everything else`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let number = try world.create("garden", by: ada)
        try world.join("garden", bob)
        try world.send(to: .named("garden"), by: bob, nonce: 5)
        world.apply([.event(world.event(number, .grant(bob, .reader), by: ada))])
        #expect(try world.send(to: .named("garden"), by: bob, text: " ", nonce: 5, reply: 99).isRepeat)
        #expect(try refused { try world.send(to: .named("nothing"), by: bob, nonce: 5) } == "NOT-FOUND")
        try world.leave("garden", bob)
        #expect(try refused { try world.send(to: .named("garden"), by: bob, nonce: 5) } == "DENIED")
    }

    @Test func `of a refused message stays unused`() throws {
        let ada = try world.signUp("ada")
        #expect(try refused { try world.send(to: .named("lobby"), by: ada, text: " ", nonce: 5) } == "BAD-ARG text")
        #expect(try world.send(to: .named("lobby"), by: ada, nonce: 5).isRepeat == false)
    }

    @Test func `is good for 24 hours and not a millisecond more`() throws {
        let ada = try world.signUp("ada")
        try world.send(to: .named("lobby"), by: ada, nonce: 5)
        world.pass(milliseconds: 24 * 3_600_000)
        #expect(try world.send(to: .named("lobby"), by: ada, nonce: 5).isRepeat)
        world.pass(milliseconds: 1)
        #expect(try world.send(to: .named("lobby"), by: ada, nonce: 5).isRepeat == false)
    }

    @Test func `is one of the account's last 10,000`() throws {
        let ada = try world.signUp("ada")
        for nonce: UInt64 in 0..<10_000 { try world.send(to: .named("lobby"), by: ada, nonce: nonce) }
        #expect(try world.send(to: .named("lobby"), by: ada, nonce: 0).isRepeat)
        try world.send(to: .named("lobby"), by: ada, nonce: 10_000)
        #expect(try world.send(to: .named("lobby"), by: ada, nonce: 1).isRepeat)
        #expect(try world.send(to: .named("lobby"), by: ada, nonce: 0).isRepeat == false)
        #expect(try world.send(to: .named("lobby"), by: ada, nonce: 1).isRepeat == false)
    }

    @Test func `that ran out and was used anew is among the newest again`() throws {
        world.state.limits.nonces = 3
        let ada = try world.signUp("ada")
        for nonce: UInt64 in 0..<3 { try world.send(to: .named("lobby"), by: ada, nonce: nonce) }
        world.pass(milliseconds: 25 * 3_600_000)
        try world.send(to: .named("lobby"), by: ada, nonce: 0)
        for nonce: UInt64 in 10..<12 { try world.send(to: .named("lobby"), by: ada, nonce: nonce) }
        #expect(try world.send(to: .named("lobby"), by: ada, nonce: 0).isRepeat)
        for nonce: UInt64 in 12..<15 { try world.send(to: .named("lobby"), by: ada, nonce: nonce) }
        #expect(try world.send(to: .named("lobby"), by: ada, nonce: 0).isRepeat == false)
    }
}

@Suite("A 1:1") struct OneToOneTests {
    let world = World()

    @Test func `opened from both sides is one conversation`() throws {
        let (bob, ada) = (try world.signUp("bob"), try world.signUp("ada"))
        guard case .opening(let create, let message) = try world.send(to: .direct("ada"), by: bob) else {
            Issue.record("the first message opens it")
            return
        }
        #expect((create.seq, message.seq) == (1, 2))
        #expect(try world.send(to: .direct("bob"), by: ada).seq == 3)
        #expect(try world.send(to: .pair("ada", "bob"), by: ada).seq == 4)
        #expect(try world.send(to: .pair("bob", "ada"), by: bob).seq == 5)
        let number = try #require(world.state.direct(ada, bob))
        #expect(world.state.conversation(number).name == "@ada,bob")
        #expect(world.state.conversations.count == 2)
    }

    @Test func `is named by both handles, sorted by their bytes`() throws {
        let (upper, lower) = (try world.signUp("Zoe"), try world.signUp("ada"))
        #expect(world.state.directName(lower, upper) == "@Zoe,ada")
        #expect(world.state.directName(upper, lower) == "@Zoe,ada")
    }

    @Test func `with oneself is BAD-ARG, with nobody NOT-FOUND, of others NOT-FOUND`() throws {
        let ada = try world.signUp("ada")
        try world.signUp("bob")
        try world.signUp("cyd")
        #expect(try refused { try world.send(to: .direct("ada"), by: ada) } == "BAD-ARG conv")
        #expect(try refused { try world.send(to: .pair("ada", "ada"), by: ada) } == "BAD-ARG conv")
        #expect(try refused { try world.send(to: .direct("nobody1"), by: ada) } == "NOT-FOUND")
        #expect(try refused { try world.send(to: .pair("bob", "cyd"), by: ada) } == "NOT-FOUND")
    }

    @Test func `without messages exists for reading and has none`() throws {
        let ada = try world.signUp("ada")
        try world.signUp("bob")
        let found = try world.state.findAsMember(.direct("bob"), ada)
        let page = world.state.decideHistory(in: found, .newest, limit: 50, by: ada)
        #expect(page.seqs.isEmpty && !page.more)
        #expect(world.state.overview(of: ada).map(\.number) == [.lobby])
        let members = try world.state.decideMembers(.direct("bob"), Page(after: nil, limit: 50), by: ada)
        #expect(members.values("user") == ["ada", "bob"])
    }

    @Test func `counts as unread for the one who did not write`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        try world.send(to: .direct("bob"), by: ada)
        #expect((world.state.unread(of: ada), world.state.unread(of: bob)) == (0, 1))
        try world.send(to: .direct("ada"), by: bob)
        #expect((world.state.unread(of: ada), world.state.unread(of: bob)) == (1, 0))
    }
}
