import ChatCore
import ChatModel
import ChatTesting
import Testing

@testable import Engine

@Suite("What the operator does to accounts and conversations") struct AdministrationTests {
    private static var byInvitation: Limits {
        var limits = Limits()
        limits.signUp = .invite
        return limits
    }

    /// The kinds of the records that a request writes, with `+` where the next one belongs to it.
    private func written(_ stage: Stage, _ key: ConnectionKey, _ line: String) throws -> [String] {
        let before = try stage.records.count
        _ = stage.ask(key, line)
        return try stage.records.dropFirst(before).map { $0.kind + ($0.together ? "+" : "") }
    }

    @Test func `a new account and its code are written down together`() throws {
        let stage = Stage()
        let desk = stage.operatorConnection()
        #expect(try written(stage, desk, "ADMIN ADD-USER ann ann@example.test") == ["account+", "reset"])
        #expect(stage.ask(desk, "ADMIN USERS").first?.contains("guest=no disabled=no reset=yes sessions=0") == true)
    }

    @Test
    func `of two new accounts of one name the second is refused, though both were sound when they were asked for`() {
        let stage = Stage()
        let (one, two) = (stage.operatorConnection(), stage.operatorConnection())
        stage.turn([(one, "ADMIN ADD-USER ann a@example.test"), (two, "ADMIN ADD-USER ANN b@example.test")])
        stage.hashPasswords()
        stage.sync()
        #expect(stage.takeReplies(one).first?.hasPrefix("OK user=ann code=") == true)
        #expect(stage.takeReplies(two).first?.hasPrefix("ERR EXISTS retry=no field=name") == true)
    }

    @Test func `an account and the use of its invitation are written down together`() throws {
        let stage = Stage(limits: Self.byInvitation)
        let code = try #require(stage.ask(stage.operatorConnection(), "ADMIN INVITE").first).field("code")
        let ann = stage.connect()
        let line = "SIGNUP invite=\(code) name=ann ann@example.test correct horse"
        #expect(try written(stage, ann, line) == ["account+", "spend-invite"])
    }

    @Test func `a thousand codes may stand, and those whose time is over give way`() throws {
        let stage = Stage(limits: Self.byInvitation)
        let desk = stage.operatorConnection()
        for number in 0..<1000 {
            let line = "ADMIN INVITE expires=\(number < 3 ? "1s" : "1d")"
            #expect(stage.ask(desk, line).first?.hasPrefix("OK code=") == true)
        }
        #expect(stage.ask(desk, "ADMIN INVITE").first?.hasPrefix("ERR LIMIT retry=no limit=1000") == true)
        stage.now += 1001
        #expect(try written(stage, desk, "ADMIN INVITE") == ["invite+", "invite+", "invite+", "invite"])
        #expect(stage.engine.content.state.invites.count == 998)
        #expect(try stage.recovered(through: .max).state.invites == stage.engine.content.state.invites)
    }

    @Test func `a guest is written down before it is an op`() throws {
        let stage = Stage()
        let (desk, guest) = (stage.operatorConnection(), stage.connect())
        let name = try #require(stage.ask(guest, "AUTH anonymous=yes").first).field("user")
        #expect(try written(stage, desk, "ADMIN USER promote \(name)") == ["account+", "grant"])
        #expect(try written(stage, desk, "ADMIN USER promote \(name)") == [])
    }

    @Test func `an address is known to be its owner's until it is another one; a guest has none`() throws {
        let stage = Stage()
        let (desk, ann, guest) = (stage.operatorConnection(), stage.signUp("ann"), stage.connect())
        let name = try #require(stage.ask(guest, "AUTH anonymous=yes").first).field("user")
        #expect(
            stage.ask(desk, "ADMIN USER verify \(name)").first?.hasPrefix("ERR CONFLICT retry=no field=user") == true
        )
        #expect(stage.ask(desk, "ADMIN USERS ann").first?.contains("verified=no") == true)
        #expect(stage.ask(desk, "ADMIN USER verify ann@example.test") == ["OK user=ann"])
        #expect(stage.ask(desk, "ADMIN USER verify ann") == ["OK user=ann dup=yes"])
        #expect(stage.ask(desk, "ADMIN USERS ann").first?.contains("verified=yes") == true)
        #expect(stage.ask(ann, "PROFILE").first?.contains("verified=yes") == true)
        #expect(stage.ask(ann, "EMAIL new@example.test correct horse").first?.hasPrefix("OK ") == true)
        #expect(stage.ask(ann, "PROFILE").first?.contains("verified=no") == true)
    }

    @Test func `who has an account deleted while that is under way hears of the same erasure, others of nobody`() throws
    {
        let stage = Stage()
        let ann = stage.signUp("ann")
        _ = stage.ask(ann, "SEND #lobby oblivion")
        let desks = (0..<3).map { _ in stage.operatorConnection() }
        let requests = ["ADMIN USER delete ann", "ADMIN USER delete ANN", "ADMIN USER reset ann"]
        stage.turn(Array(zip(desks, requests)))
        stage.sync()
        for desk in desks.prefix(2) { #expect(stage.takeReplies(desk) == ["OK user=ann"]) }
        #expect(stage.takeReplies(desks[2]).first?.hasPrefix("ERR NOT-FOUND retry=no field=user") == true)
        #expect(try stage.records.count { $0.kind == "erase" } == 1)
        for action in AdminUserAction.allCases {
            let reply = stage.ask(desks[0], "ADMIN USER \(action.rawValue) ann").first
            #expect(reply?.hasPrefix("ERR NOT-FOUND retry=no field=user") == true, "\(action)")
        }
    }

    @Test func `a 1:1 is not dropped`() {
        let stage = Stage()
        let (desk, ann) = (stage.operatorConnection(), stage.signUp("ann"))
        _ = stage.signUp("ben")
        #expect(stage.ask(desk, "ADMIN DROP @ann,ben").first?.hasPrefix("ERR NOT-FOUND") == true)
        _ = stage.ask(ann, "SEND @ben hi")
        #expect(stage.ask(desk, "ADMIN DROP @ann,ben").first?.hasPrefix("ERR DENIED") == true)
        #expect(stage.ask(desk, "ADMIN DROP @ann").first?.hasPrefix("ERR BAD-ARG retry=no field=conv") == true)
    }
}
