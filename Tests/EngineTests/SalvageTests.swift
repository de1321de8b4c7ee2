import ChatCore
import ChatModel
import ChatTesting
import Engine
import Testing

@Suite("What a repair keeps") struct SalvageTests {
    /// ada owns #room, bob and cyd have joined, and all three have spoken.
    private func room(_ options: String = "") -> (stage: Stage, ada: ConnectionKey, bob: ConnectionKey) {
        let stage = Stage()
        let (ada, bob, cyd) = (stage.signUp("ada"), stage.signUp("bob"), stage.signUp("cyd"))
        _ = stage.ask(ada, "CREATE \(options)#room")
        if options.contains("private") {
            _ = stage.ask(ada, "INVITE #room bob")
            _ = stage.ask(ada, "INVITE #room cyd")
        }
        for key in [bob, cyd] { _ = stage.ask(key, "JOIN #room") }
        for key in [ada, bob, cyd, ada] { _ = stage.ask(key, "SEND #room hello") }
        return (stage, ada, bob)
    }

    private func all(_ stage: Stage) throws -> Remains { try Remains(stage) { _ in false } }

    @Test func `without a loss it is what recovery builds`() throws {
        let (stage, _, _) = room()
        let whole = try all(stage)
        #expect(whole.report.lost.isEmpty && whole.report.asides.isEmpty && whole.report.rebuilt.isEmpty)
        let oldest = Timestamp(milliseconds: 0)
        let expected = try stage.recovered(through: .max).text([], oldest)
        #expect(whole.content.text([], oldest).dropFirst() == expected.dropFirst())
    }

    @Test func `a lost message leaves the event lost, with the time of the one before it`() throws {
        let (stage, _, _) = room()
        let before = try all(stage).lines(of: "#room")
        let found = try Remains(stage) { $0.kind == "msg" && $0.event?.seq == 5 }
        var expected = before
        expected[4] = "EV lost conv=#room seq=5 ts=\(before[3].field("ts")) by=server"
        #expect(found.lines(of: "#room") == expected)
        #expect(found.lost == ["#room": [5]] && found.report.asides.isEmpty)
    }

    @Test func `the last event of a conversation cannot be missed: its seq is used again`() throws {
        let (stage, _, _) = room()
        let found = try Remains(stage) { $0.event?.seq == 7 }
        #expect(found.lines(of: "#room").count == 6 && found.lost.isEmpty)
        let next = Stage(content: found.content, seed: 9)
        let ada = next.signIn("ada")
        #expect(next.ask(ada, "SEND #room again").first?.field("seq") == "7")
    }

    @Test func `a lost create leaves a private conversation of that name, with those in it who spoke`() throws {
        let (stage, _, _) = room()
        let found = try Remains(stage) { $0.kind == "create" && $0.payload.contains("#room") }
        #expect(found.lines(of: "#room").first?.hasPrefix("EV lost conv=#room seq=1 ") == true)
        #expect(found.members(of: "#room") == ["ada": .member, "bob": .owner, "cyd": .member])
        let number = ConversationNumber(2)
        #expect(found.report.rebuilt == [.conversation(number), .owner(number, AccountNumber(2))])
        #expect(found.content.state.conversation(number).isPrivate)
    }

    @Test func `who invites was an op at least, and follows the owner whose create is lost`() throws {
        let (stage, _, _) = room("private=yes ")
        let found = try Remains(stage) { $0.kind == "create" && $0.payload.contains("#room") }
        #expect(found.members(of: "#room") == ["ada": .owner, "bob": .member, "cyd": .member])
    }

    @Test func `who spoke without a join that is left sees nothing from before the last event that is lost`() throws {
        let (stage, _, _) = room("private=yes ")
        let found = try Remains(stage) { $0.kind == "join" && $0.payload.contains("by=bob") }
        let conversation = found.content.state.conversation(ConversationNumber(2))
        #expect(conversation.member(AccountNumber(2))?.joinSeq == 4)
        #expect(conversation.firstVisible(to: AccountNumber(2)) == 4)
    }

    @Test func `an account whose record is lost is known by its handle, keeps its number and its sessions`() throws {
        let (stage, _, _) = room()
        _ = stage.signIn("bob")
        let found = try Remains(stage) { $0.kind == "account" && $0.payload.contains("name=bob ") }
        let state = found.content.state
        #expect(state.account(handleKey: "bob") == AccountNumber(2))
        #expect(state.account(AccountNumber(2))?.sessions.count == 1)
        #expect(state.account(AccountNumber(2))?.password == nil && state.account(AccountNumber(2))?.email == nil)
        #expect(found.report.rebuilt == [.account(AccountNumber(2))])
        #expect(found.lines(of: "#room") == (try all(stage)).lines(of: "#room"))
        #expect(found.members(of: "#room")["bob"] == .member)
    }

    @Test func `an account of which nothing but ledger entries is left is gone, and they are set aside`() throws {
        let stage = Stage()
        _ = stage.signUp("ada")
        _ = stage.signIn("ada")
        let found = try Remains(stage) { $0.kind == "account" }
        #expect(found.report.asides.map(\.reason) == ["about account 1, of which nothing is left"])
        #expect(found.content.state.account(handleKey: "ada") == nil)
    }

    @Test func `somebody who was only invited keeps the handle, under a number that nobody has`() throws {
        let stage = Stage()
        let ada = stage.signUp("ada")
        _ = stage.signUp("bob")
        _ = stage.ask(ada, "CREATE #room")
        _ = stage.ask(ada, "INVITE #room bob")
        let found = try Remains(stage) { $0.kind == "account" && $0.payload.contains("name=bob ") }
        #expect(found.report.asides.isEmpty && found.content.state.account(handleKey: "bob") != nil)
    }

    @Test func `a 1:1 whose beginning is lost is rebuilt from its name`() throws {
        let stage = Stage()
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob"))
        for key in [ada, bob] { _ = stage.ask(key, "SEND @\(key == ada ? "bob" : "ada") hello") }
        let found = try Remains(stage) { $0.event?.conversation == 2 && $0.event?.seq == 1 }
        #expect(found.lost == ["@ada,bob": [1]])
        #expect(found.members(of: "@ada,bob") == ["ada": .member, "bob": .member])
        #expect(found.content.state.direct(AccountNumber(1), AccountNumber(2)) == ConversationNumber(2))
    }

    @Test func `events that belong together are lost together`() throws {
        let (stage, ada, bob) = room()
        _ = stage.ask(ada, "LEAVE #room")
        _ = stage.ask(bob, "SEND #room alone")
        let found = try Remains(stage) { $0.kind == "grant" }
        #expect(found.lost == ["#room": [8, 9]])
        #expect(found.report.asides.map(\.seq) == [8])
        #expect(found.members(of: "#room")["ada"] == .owner)
    }

    @Test func `a conversation of which nothing is left keeps its number and is seen by nobody`() throws {
        let stage = Stage()
        let ada = stage.signUp("ada")
        for name in ["one", "two", "three"] { _ = stage.ask(ada, "CREATE #\(name)") }
        _ = stage.ask(ada, "SEND #three hello")
        let found = try Remains(stage) { $0.payload.contains("#two") }
        #expect(found.report.rebuilt == [.unknownConversation(ConversationNumber(3))])
        #expect(found.lines(of: "#three") == (try all(stage)).lines(of: "#three"))
        let next = Stage(content: found.content, seed: 9)
        let (ann, bob) = (next.signIn("ada"), next.signUp("bob"))
        #expect(next.ask(bob, "JOIN #lost-3").first?.hasPrefix("ERR") == true)
        #expect(next.ask(ann, "HISTORY #lost-3").first?.hasPrefix("ERR NOT-FOUND") == true)
    }

    @Test func `the lobby is the lobby even without its first event`() throws {
        let stage = Stage()
        let ada = stage.signUp("ada")
        _ = stage.ask(ada, "SEND #lobby hello")
        let found = try Remains(stage) { $0.kind == "create" }
        #expect(found.lost == ["#lobby": [1]])
        #expect(found.lines(of: "#lobby").count == 2)
        #expect(found.content.state.publicConversations(prefix: "", after: nil, limit: 9).found == [.lobby])
        #expect(found.content.state.nonceKey.isEmpty == false)
    }

    @Test func `no record makes more lost events than records are lost`() throws {
        let (stage, _, _) = room()
        var records = try stage.records
        let (largest, rest) = (UInt64.max, "ts=2026-11-30T12:00:00.000Z by=ada")
        let wild = "E 2 \(largest) 1 - EV msg conv=#room seq=\(largest) \(rest)"
        let far = "E 4000000000 1 1 - EV create conv=#far seq=1 \(rest)"
        for payload in [wild, far, "E nonsense", "L nonsense", "X"] {
            records.append(
                JournalledRecord(sequence: UInt64(records.count + 1), durable: 0, together: false, payload: payload)
            )
        }
        let found = try Remains(records, limits: Limits()) { $0.event?.seq == 5 }
        #expect(found.report.asides.count == 5)
        #expect(found.lost == ["#room": [5]])
    }

    @Test func `the log has a new identity, and the nonces still mean what they meant`() throws {
        let stage = Stage()
        let ada = stage.signUp("ada")
        _ = stage.ask(ada, "SEND nonce=n1 #lobby hello")
        _ = stage.ask(ada, "SEND nonce=n2 #lobby hello")
        let found = try Remains(stage) { $0.event?.seq == 2 }
        #expect(found.content.state.logID == "repaired")
        let next = Stage(content: found.content, seed: 9)
        let again = next.signIn("ada")
        #expect(next.ask(again, "SEND nonce=n2 #lobby hello").first?.contains("dup=yes") == true)
        #expect(next.ask(again, "SEND nonce=n1 #lobby hello").first?.contains("dup=yes") == false)
    }
}
