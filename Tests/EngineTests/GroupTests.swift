import ChatModel
import Engine
import Testing

@Suite("Records that belong together") struct GroupTests {
    /// What a request writes: the kinds, with `+` where the next one belongs to it.
    private func written(_ stage: Stage, _ key: ConnectionKey, _ line: String) throws -> [String] {
        let before = try stage.records.count
        _ = stage.ask(key, line)
        return try stage.records.dropFirst(before).map { $0.kind + ($0.together ? "+" : "") }
    }

    @Test func `an owner's LEAVE and the grant to its heir`() throws {
        let stage = Stage()
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob"))
        #expect(try written(stage, ada, "CREATE #garden") == ["create"])
        #expect(try written(stage, bob, "JOIN #garden") == ["join"])
        #expect(try written(stage, ada, "LEAVE #garden") == ["leave+", "grant"])
        #expect(try written(stage, bob, "LEAVE #garden") == ["leave"])
    }

    @Test func `the last LEAVE of a private conversation and its drop`() throws {
        let stage = Stage()
        let ada = stage.signUp("ada")
        _ = stage.ask(ada, "CREATE private=yes #den")
        #expect(try written(stage, ada, "LEAVE #den") == ["leave+", "drop"])
    }

    @Test func `a guest and the first thing it does`() throws {
        let stage = Stage()
        let (ada, one, two) = (stage.signUp("ada"), stage.connect(), stage.connect())
        _ = stage.ask(ada, "CREATE #garden")
        #expect(try written(stage, one, "AUTH anonymous=yes") == [], "a guest that did nothing is not written down")
        _ = stage.ask(two, "AUTH anonymous=yes")
        #expect(try written(stage, one, "SEND #lobby hi") == ["account+", "msg"])
        #expect(try written(stage, one, "SEND #lobby hi") == ["msg"])
        #expect(try written(stage, two, "JOIN #garden") == ["account+", "join"])
    }

    @Test func `the first message of a 1:1 and its create, and a guest in front of both`() throws {
        let stage = Stage()
        let (ada, guest) = (stage.signUp("ada"), stage.connect())
        _ = stage.signUp("bob")
        _ = stage.ask(guest, "AUTH anonymous=yes")
        #expect(try written(stage, ada, "SEND @bob hi") == ["create+", "msg"])
        #expect(try written(stage, ada, "SEND @bob hi") == ["msg"])
        #expect(try written(stage, guest, "SEND @ada hi") == ["account+", "create+", "msg"])
    }

    @Test func `a new log begins whole`() throws {
        let records = try Stage().records
        #expect(
            records.map { $0.kind + ($0.together ? "+" : "") } == [
                "log+", "nonce-key+", "link-key+", "start+", "create",
            ]
        )
    }

    @Test func `a group stands in one batch`() throws {
        let stage = Stage()
        let ada = stage.signUp("ada")
        _ = stage.ask(ada, "CREATE private=yes #den")
        stage.say(ada, "LEAVE #den")
        #expect(try stage.records.last?.together == false)
    }
}
