import ChatCore
import ChatModel
import ChatTesting
import Testing

@Suite("Names stay taken, and so does what looks like them") struct TakenNameTests {
    let world = World()

    @Test func `a guest's name looks like no other guest's, and is free again with a guest that did nothing`() throws {
        // guest-1 and guest-l, guest-m and guest-rn.
        for (word, other) in [(UInt64(1), UInt64(21)), (22, 27 * 36 + 23)] {
            let guest = try world.guest(word: word)
            #expect(world.state.makeGuest(word: other, session: world.token(), now: world.now) == nil)
            world.state.removeUnrecordedGuest(guest)
            try world.send("lobby", try world.guest(word: other))
            #expect(world.state.makeGuest(word: word, session: world.token(), now: world.now) == nil)
        }
    }

    @Test func `also those of forgotten guests`() throws {
        let guest = try world.guest(word: 1)
        try world.send("lobby", guest)
        world.apply(world.state.decideExpire(guest, now: world.now))
        #expect(world.state.makeGuest(word: 21, session: world.token(), now: world.now) == nil)
    }

    @Test func `after a restart from a snapshot`() throws {
        let state = State(limits: Limits())
        #expect(state.restore(.account(account(1, "Max")), validFrom: 0))
        #expect(state.restore(.expired(AccountNumber(2), handle: "guest-1"), validFrom: 0))
        var linked = account(3, "gina")
        linked.aliases = ["guest-m"]
        #expect(state.restore(.account(linked), validFrom: 0))
        var lobby = ConversationSnapshot(number: .lobby, title: .named(ConversationName(trusted: "Мир1")))
        lobby.nextSeq = 2
        #expect(state.restore(lobby, validFrom: 0))
        for name in ["max", "rnax", "Мах", "guest-l", "guest-rn"] {
            #expect(state.isTaken(Handle(trusted: name)), "\(name)")
        }
        for name in ["мир1", "МИРl", "Mиpl"] { #expect(state.isTaken(ConversationName(trusted: name)), "\(name)") }
        for name in ["may", "guest-2", "мир1"] { #expect(!state.isTaken(Handle(trusted: name)), "\(name)") }
        #expect(!state.isTaken(ConversationName(trusted: "max")))
    }

    @Test func `those that look alike in older data are all there, each found by its own letters`() throws {
        for (number, name) in [(UInt32(1), "max"), (2, "Мах"), (3, "rnax")] {
            world.apply([.ledger(.account(account(number, name).record))])
        }
        for (number, name) in [(UInt32(2), "den1"), (3, "denl"), (4, "dеn1")] {
            let creation = Creation.named(name, isPrivate: false, title: nil)
            let by = AccountNumber(1)
            world.apply([
                .event(
                    Event(conversation: .init(number), seq: 1, time: world.now, by: by, kind: .create(creation))
                )
            ])
        }
        let keys = ["max", "мах", "rnax"]
        #expect(keys.map { world.state.account(handleKey: $0)?.raw } == [1, 2, 3])
        #expect(["den1", "denl", "dеn1"].map { world.state.conversation(key: $0)?.raw } == [2, 3, 4])
        #expect(try refused { try world.signUp("MAХ") } == "EXISTS name")
        #expect(try refused { try world.create("dеnl", by: AccountNumber(1)) } == "EXISTS conv")
    }

    private func account(_ number: UInt32, _ name: String) -> AccountSnapshot {
        let record = AccountRecord(
            number: AccountNumber(number),
            handle: name,
            display: name,
            phone: nil,
            email: "u\(number)@example.test",
            password: nil,
            isGuest: false,
            created: world.now,
            session: nil,
            lobbyRead: 0
        )
        return AccountSnapshot(record: record, sessions: [], conversations: [], invitations: [], nonces: [])
    }
}
