import ChatCore
import ChatModel
import ChatTesting
import Testing

@Suite("Guests") struct GuestTests {
    let world = World()

    @Test func `a guest is written down with the first thing it leaves behind, and only then`() throws {
        let guest = try world.guest(word: 7)
        #expect(!world.state.isRecorded(guest))
        let before = world.changes.count
        try world.send("lobby", guest)
        #expect(world.state.isRecorded(guest))
        #expect(world.changes.count == before + 2)
        guard case .ledger(.account(let record)) = world.changes[before] else {
            Issue.record("the guest itself comes first")
            return
        }
        #expect(record.isGuest && record.number == guest && record.session != nil)
        try world.send("lobby", guest)
        #expect(world.changes.count == before + 3)
    }

    @Test func `a guest's JOIN writes it down too`() throws {
        let ada = try world.signUp("ada")
        try world.create("garden", by: ada)
        let guest = try world.guest(word: 7)
        try world.join("garden", guest)
        #expect(world.state.isRecorded(guest))
    }

    @Test func `may not CREATE unless a setting allows it`() throws {
        let guest = try world.guest(word: 7)
        #expect(try refused { try world.create("den", by: guest) } == "DENIED")
        world.state.limits.anonymousCreate = true
        try world.create("den", by: guest)
        #expect(world.state.isRecorded(guest))
    }

    @Test func `a guest that did nothing is forgotten without a trace`() throws {
        let guest = try world.guest(word: 7)
        let handle = world.state.handleText(guest)
        let token = try #require(world.state.account(guest)?.sessions.first?.hash)
        world.state.removeUnrecordedGuest(guest)
        #expect(world.state.account(handleKey: handle) == nil)
        #expect(world.state.owner(of: token) == nil)
        #expect(world.state.account(guest) == nil)
    }

    @Test func `a guest that did something is not forgotten`() throws {
        let guest = try world.guest(word: 7)
        try world.send("lobby", guest)
        world.state.removeUnrecordedGuest(guest)
        #expect(world.state.account(guest) != nil)
    }

    @Test func `a guest's name cannot be signed up for`() throws {
        #expect(try refused { try world.signUp("guest-7") } == "EXISTS name")
        #expect(try refused { try world.signUp("GUEST-7") } == "EXISTS name")
    }
}

@Suite("A guest that is forgotten") struct ExpiryTests {
    let world = World()

    @Test func `leaves its conversations with the succession of LEAVE, and its sessions die`() throws {
        world.state.limits.anonymousCreate = true
        let (guest, bob) = (try world.guest(word: 7), try world.signUp("bob"))
        let token = try #require(world.state.account(guest)?.sessions.first?.hash)
        let number = try world.create("garden", by: guest)
        try world.join("garden", bob)
        world.apply(world.state.decideExpire(guest, now: world.now))
        #expect(world.state.conversation(number).role(of: guest) == nil)
        #expect(world.state.conversation(number).role(of: bob) == .owner)
        #expect(world.state.owner(of: token) == nil)
        #expect(world.state.account(guest) == nil)
    }

    @Test func `keeps its handle taken and its 1:1s readable for the other side`() throws {
        let (guest, bob) = (try world.guest(word: 7), try world.signUp("bob"))
        let handle = world.state.handleText(guest)
        try world.send(to: .direct("bob"), by: guest)
        world.apply(world.state.decideExpire(guest, now: world.now))
        #expect(world.state.makeGuest(word: 7, session: world.token(), now: world.now) == nil)
        let found = try world.state.findAsMember(.direct(handle), bob)
        #expect(world.state.decideHistory(in: found, .newest, limit: 5, by: bob).seqs == [2])
    }

    @Test func `is nobody that can be written to for the first time, or invited`() throws {
        let (guest, bob) = (try world.guest(word: 7), try world.signUp("bob"))
        let handle = world.state.handleText(guest)
        try world.send("lobby", guest)
        try world.create("garden", by: bob)
        world.apply(world.state.decideExpire(guest, now: world.now))
        #expect(try refused { try world.send(to: .direct(handle), by: bob) } == "NOT-FOUND")
        #expect(try refused { try world.invite(handle, to: "garden", by: bob) } == "NOT-FOUND user")
    }

    @Test func `is one that was not seen for long, was written down and is no account`() throws {
        let (idle, silent) = (try world.guest(word: 7), try world.guest(word: 8))
        let (fresh, ada) = (try world.guest(word: 9), try world.signUp("ada"))
        for guest in [idle, fresh] { try world.send("lobby", guest) }
        for number in [idle, silent, ada] { world.state.noteSeen(number) }
        world.pass(milliseconds: 1_000)
        world.state.noteSeen(fresh)
        let now = world.state.monotonic
        #expect(world.state.guests(notSeenSince: now, after: nil, span: 100).found == [idle])
        #expect(world.state.guests(notSeenSince: now, after: nil, span: 100).next == nil)
        #expect(world.state.guests(notSeenSince: now, after: nil, span: 1).next == idle)
        #expect(world.state.guests(notSeenSince: now, after: idle, span: 100).found == [])
    }
}
