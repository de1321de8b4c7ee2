import ChatModel
import ChatTesting
import Engine
import Persistence
import Testing

@Suite("Replaying the journal") struct ReplayTests {
    @Test(arguments: [1, 2]) func `gives lines, answers and the identity of the log as before`(loops: Int) throws {
        let stage = Stage(loops: loops)
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob", loop: loops - 1))
        for request in [
            "CREATE title=\"R \\\"o\\\" s\" #garden", "CREATE private=yes #den", "INVITE #den bob",
            "SEND nonce=n text=\"a\\nb \\u202e\" #garden", "SEND geo=1.5,-2 #den", "SEND @bob hi",
            "SEND reply=4 #lobby x",
        ] { _ = stage.ask(ada, request) }
        for request in ["JOIN #garden", "JOIN #den", "SEND #garden ja", "LEAVE #garden", "SEND @ada ho"] {
            _ = stage.ask(bob, request)
        }
        let again = Stage(loops: loops, content: try stage.recovered(through: .max))
        #expect(again.engine.logID == stage.engine.logID)
        #expect(again.engine.nonceKey == stage.engine.nonceKey)
        let (ada2, bob2) = (again.connect(), again.connect(loop: loops - 1))
        _ = (again.ask(ada2, "AUTH token=token1"), again.ask(bob2, "AUTH token=token2"))
        for request in ["CONVS", "LIST", "HISTORY #garden", "HISTORY #den", "HISTORY @bob", "MEMBERS #den"] {
            #expect(stage.ask(ada, request) == again.ask(ada2, request), "\(request)")
        }
        for request in ["CONVS", "HISTORY #den", "HISTORY @ada", "HISTORY #garden"] {
            #expect(stage.ask(bob, request) == again.ask(bob2, request), "\(request)")
        }
        for conversation in ["#lobby", "#den", "@bob", "#garden"] {
            _ = (stage.ask(ada, "SUB since=0 \(conversation)"), again.ask(ada2, "SUB since=0 \(conversation)"))
            #expect(stage.takeEvents(ada) == again.takeEvents(ada2), "\(conversation)")
        }
        #expect(again.ask(ada2, "SEND nonce=n #garden again").joined().field("dup") == "yes")
    }

    @Test func `twice gives the same as once`() throws {
        let stage = Stage()
        let ada = stage.signUp("ada")
        _ = stage.ask(ada, "SEND #lobby hi")
        let once = try stage.recovered(through: .max)
        let twice = Stage(content: once)
        #expect(try twice.records.map(\.kind) == ["start"], "a log that is there gets no new identity")
    }

    @Test(arguments: [
        "E 0 1 0 - EV create conv=#x seq=1 ts=2025-01-01T00:00:00.000Z by=server",
        "E 4294967295 1 0 - EV create conv=#x seq=1 ts=2025-01-01T00:00:00.000Z by=server",
        "E 3 1 0 - EV create conv=#x seq=1 ts=2025-01-01T00:00:00.000Z by=server",
        "E 2 2 0 - EV create conv=#x seq=2 ts=2025-01-01T00:00:00.000Z by=server",
        "E 2 1 1 - EV msg conv=#x seq=1 ts=2025-01-01T00:00:00.000Z by=ada text=\"x\"",
        "E 1 1 0 - EV create conv=#lobby seq=1 ts=2025-01-01T00:00:00.000Z by=server",
        "E 1 3 1 - EV msg conv=#lobby seq=3 ts=2025-01-01T00:00:00.000Z by=ada text=\"x\"",
        "E 1 18446744073709551615 1 - EV msg conv=#lobby seq=18446744073709551615 ts=2025-01-01T00:00:00.000Z by=ada",
    ])
    func `of an event that does not follow the others is a fault`(payload: String) throws {
        let stage = Stage()
        _ = stage.signUp("ada")
        var content = try stage.recovered(through: .max)
        #expect(throws: RecordFault.self) {
            try Array(payload.utf8).withUnsafeBytes { try content.replay($0, globalSequence: 99) }
        }
    }

    @Test func `an unclean end under interval gives the log a new identity, a clean one does not`() throws {
        for (isClean, isNew) in [(false, true), (true, false)] {
            let stage = Stage()
            let now = Timestamp(milliseconds: stage.now)
            stage.engine.start(isInterval: true, now: now, monotonic: stage.monotonic)
            if isClean { stage.engine.stop() }
            stage.sync()
            let again = Stage(content: try stage.recovered(through: .max), seed: 2)
            #expect((again.engine.logID != stage.engine.logID) == isNew)
        }
    }
}
