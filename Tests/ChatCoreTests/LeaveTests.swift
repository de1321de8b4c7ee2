import ChatCore
import ChatModel
import ChatTesting
import Testing

@Suite("LEAVE") struct LeaveTests {
    let world = World()

    private func roles(_ number: ConversationNumber, _ accounts: [AccountNumber]) -> [Role?] {
        accounts.map { world.state.conversation(number).role(of: $0) }
    }

    @Test func `an owner is followed by the eldest op`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let (cyd, dan) = (try world.signUp("cyd"), try world.signUp("dan"))
        let number = try world.create("garden", by: ada)
        for account in [bob, cyd, dan] { try world.join("garden", account) }
        world.apply([.event(world.event(number, .grant(dan, .op), by: ada))])
        world.apply([.event(world.event(number, .grant(cyd, .op), by: ada))])
        let changes = try world.state.decideLeave(.named("garden"), by: ada, now: world.now).changes
        guard changes.count == 2, case .event(let grant) = changes[1], case .grant(let heir, .owner) = grant.kind else {
            Issue.record("a leave and a grant")
            return
        }
        #expect((heir, grant.by) == (cyd, .server), "cyd joined before dan")
        try world.leave("garden", ada)
        #expect(roles(number, [ada, bob, cyd, dan]) == [nil, .member, .owner, .op])
        #expect([ada, cyd].map { world.state.account($0)?.ownedCount } == [0, 1])
    }

    @Test func `without ops the eldest member follows, one who came again is young`() throws {
        let (ada, bob, cyd) = (try world.signUp("ada"), try world.signUp("bob"), try world.signUp("cyd"))
        let number = try world.create("garden", by: ada)
        try world.join("garden", bob)
        try world.join("garden", cyd)
        try world.leave("garden", bob)
        try world.join("garden", bob)
        try world.leave("garden", ada)
        #expect(roles(number, [bob, cyd]) == [.member, .owner])
    }

    @Test func `readers follow when there is nobody else`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let number = try world.create("garden", by: ada)
        try world.join("garden", bob)
        world.apply([.event(world.event(number, .grant(bob, .reader), by: ada))])
        try world.leave("garden", ada)
        #expect(roles(number, [bob]) == [.owner])
    }

    @Test func `the last of a private conversation drops it, and its name is spent`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let den = try world.create("den", by: ada, isPrivate: true)
        try world.invite("bob", to: "den", by: ada)
        #expect(try world.leave("den", ada).values("seq") == ["3"])
        #expect(world.state.conversation(den).isDropped)
        #expect(world.state.conversation(den).lastKind == "drop")
        #expect(world.state.conversation(den).nextSeq == 5)
        for account in [ada, bob] {
            #expect(try refused { try world.join("den", account) } == "NOT-FOUND")
            #expect(try refused { try world.send("den", account) } == "NOT-FOUND")
            #expect(world.state.overview(of: account).map(\.number) == [.lobby])
        }
    }

    @Test func `the last of a public conversation leaves it without an owner, open to all`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let number = try world.create("garden", by: ada)
        try world.leave("garden", ada)
        #expect(!world.state.conversation(number).isDropped)
        try world.join("garden", bob)
        #expect(roles(number, [ada, bob]) == [nil, .member])
        #expect(world.state.account(ada)?.ownedCount == 0)
    }

    @Test func `a member that leaves makes one event, and is out`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let number = try world.create("garden", by: ada)
        try world.join("garden", bob)
        #expect(try world.leave("GARDEN", bob).values("seq") == ["3"])
        #expect(world.state.conversation(number).nextSeq == 4)
        #expect(try refused { try world.send("garden", bob) } == "DENIED")
        #expect(try refused { try world.leave("garden", bob) } == "DENIED")
    }

    @Test func `the lobby cannot be left; what one may not see is not there`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        try world.create("den", by: ada, isPrivate: true)
        #expect(try refused { try world.leave("lobby", ada) } == "DENIED")
        #expect(try refused { try world.leave("den", bob) } == "NOT-FOUND")
        #expect(try refused { try world.leave("nothing", bob) } == "NOT-FOUND")
        try world.invite("bob", to: "den", by: ada)
        #expect(try refused { try world.leave("den", bob) } == "NOT-FOUND")
    }

    @Test func `the time of events never goes back within a conversation`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let number = try world.create("garden", by: ada)
        let first = world.now
        world.pass(milliseconds: -5_000)
        try world.join("garden", bob)
        #expect(world.state.conversation(number).lastTime == first)
    }
}
