import Engine
import Testing

@Suite("After RESUME") struct ResumeTests {
    private func failed(blind: Bool = false) throws -> (Stage, ada: ConnectionKey, bob: ConnectionKey) {
        let stage = Stage()
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob"))
        _ = stage.ask(bob, "SUB since=0 #lobby")
        _ = stage.ask(ada, "SEND nonce=1 #lobby kept")
        stage.say(ada, "SEND nonce=2 #lobby lost")
        if blind {
            stage.handle(.journalFailed(reason: "no space left", recovered: nil))
        } else {
            try stage.failJournal()
        }
        _ = stage.takeReplies(ada)
        return (stage, ada, bob)
    }

    @Test(arguments: [false, true]) func `writes go on behind what was acknowledged`(blind: Bool) throws {
        let (stage, ada, bob) = try failed(blind: blind)
        let desk = stage.operatorConnection()
        stage.say(desk, "ADMIN RESUME")
        #expect(stage.takeReplies(desk) == [])
        #expect(try stage.resume())
        #expect(stage.takeReplies(desk) == ["OK"])
        #expect(stage.ask(ada, "SEND nonce=2 #lobby lost").first?.field("seq") == "3")
        #expect(stage.ask(ada, "SEND nonce=1 #lobby kept").first?.field("dup") == "yes")
        #expect(seqs(stage.takeEvents(bob)) == [1, 2, 3])
        #expect(stage.ask(bob, "HISTORY #lobby").map { $0.field("text") } == ["\"kept\"", "\"lost\"", ""])
        #expect(try stage.recovered(through: .max).globalSequence == stage.engine.appended)
    }

    @Test func `who asks meanwhile hears of the same attempt, and a failed one changes nothing`() throws {
        let (stage, ada, _) = try failed()
        let (one, two) = (stage.operatorConnection(), stage.operatorConnection())
        stage.say(one, "ADMIN RESUME")
        stage.say(two, "ADMIN RESUME")
        #expect(try stage.resume(failing: "still full"))
        #expect(try !stage.resume())
        for key in [one, two] {
            let reply = stage.takeReplies(key).joined()
            #expect(reply.hasPrefix("ERR INTERNAL") && reply.contains("still full"), "\(reply)")
        }
        #expect(stage.ask(ada, "SEND #lobby no").first?.hasPrefix("ERR INTERNAL") == true)
        stage.say(one, "ADMIN RESUME")
        #expect(try stage.resume())
        #expect(stage.ask(ada, "SEND #lobby yes").first?.hasPrefix("OK") == true)
    }

    @Test func `it changes nothing where nothing has failed`() throws {
        let stage = Stage()
        let desk = stage.operatorConnection()
        #expect(stage.ask(desk, "ADMIN RESUME") == ["OK dup=yes"])
        #expect(try !stage.resume())
    }

    @Test func `readers go on at their line, although the chunks are cut elsewhere`() throws {
        let stage = Stage()
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob"))
        _ = stage.ask(bob, "SUB since=0 #lobby")
        for number in 1...60 { _ = stage.ask(ada, "SEND #lobby number \(number)") }
        let snapshots = MemorySnapshots()
        stage.handle(.snapshot(nil))
        snapshots.write(stage)
        #expect(snapshots.commit(durable: stage.engine.durable))
        stage.handle(.snapshotEnded(.written))
        let content = try MemorySnapshots.recovered(
            snapshots.whole,
            stage.journal,
            through: stage.engine.durable,
            limits: stage.limits
        )
        _ = stage.takeEvents(bob)
        stage.handle(.journalFailed(reason: "no space left", recovered: Recovered(content)))
        stage.say(stage.operatorConnection(), "ADMIN RESUME")
        #expect(try stage.resume())
        for number in 1...20 { _ = stage.ask(ada, "SEND #lobby more \(number)") }
        let heard = stage.takeEvents(bob)
        #expect(seqs(heard) == Array(62...81) && heard.allSatisfy { $0.hasPrefix("EV msg conv=#lobby ") }, "\(heard)")
    }

    @Test func `guests that signed in meanwhile stay`() throws {
        let (stage, _, _) = try failed()
        let guest = stage.connect()
        #expect(stage.ask(guest, "AUTH anonymous=yes").first?.hasPrefix("OK") == true)
        let desk = stage.operatorConnection()
        stage.say(desk, "ADMIN RESUME")
        #expect(try stage.resume())
        #expect(stage.ask(guest, "SEND #lobby hi").first?.hasPrefix("OK") == true)
        #expect(stage.ending(of: guest) == nil)
    }
}
