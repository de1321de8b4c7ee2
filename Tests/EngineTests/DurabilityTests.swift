import Engine
import Testing

@Suite("Nothing undurable is spoken") struct DurabilityTests {
    /// Two clients on the first and the last loop, both in #lobby's audience.
    private func stage(_ loops: Int) -> (Stage, ada: ConnectionKey, bob: ConnectionKey) {
        let stage = Stage(loops: loops)
        return (stage, stage.signUp("ada"), stage.signUp("bob", loop: loops - 1))
    }

    @Test(arguments: [1, 2]) func `the OK of a SEND waits for its record`(loops: Int) {
        let (stage, ada, _) = stage(loops)
        stage.say(ada, "@1 SEND #lobby hi")
        #expect(stage.takeReplies(ada) == [])
        stage.sync(through: stage.engine.appended - 1)
        #expect(stage.takeReplies(ada) == [])
        stage.sync()
        #expect(stage.takeReplies(ada).map { String($0.prefix(25)) } == ["OK @1 conv=#lobby seq=2 t"])
    }

    @Test(arguments: [1, 2]) func `an event reaches its audience with its record, not before`(loops: Int) {
        let (stage, ada, bob) = stage(loops)
        _ = stage.ask(bob, "SUB #lobby")
        _ = stage.ask(ada, "SUB #lobby")
        stage.say(ada, "SEND #lobby hi")
        #expect(stage.takeEvents(bob) == [] && stage.takeEvents(ada) == [])
        stage.sync()
        #expect(seqs(stage.takeEvents(bob)) == [2])
        #expect(seqs(stage.takeEvents(ada)) == [2])
    }

    @Test(
        arguments: [1, 2],
        ["HISTORY #lobby", "CONVS", "MEMBERS #lobby", "SUB #lobby", "SUBS", "WHOAMI", "PING x", "LIMITS"]
    )
    func `a read that was decided behind an undurable record waits for it`(loops: Int, request: String) {
        let (stage, ada, bob) = stage(loops)
        stage.say(ada, "SEND #lobby hi")
        stage.say(bob, request)
        #expect(stage.takeReplies(bob) == [])
        stage.sync()
        #expect(!stage.takeReplies(bob).isEmpty)
    }

    @Test(arguments: [1, 2]) func `a refusal that tells of an undurable record waits for it`(loops: Int) {
        let (stage, ada, bob) = stage(loops)
        stage.say(ada, "CREATE private=yes #den")
        stage.say(bob, "CREATE #den")
        #expect(stage.takeReplies(bob) == [])
        stage.sync()
        #expect(stage.takeReplies(bob).first?.hasPrefix("ERR EXISTS") == true)
    }

    @Test(arguments: [1, 2]) func `a repeat of an undurable SEND waits for it`(loops: Int) {
        let (stage, ada, _) = stage(loops)
        stage.say(ada, "SEND nonce=n #lobby hi")
        stage.say(ada, "SEND nonce=n #lobby hi")
        #expect(stage.takeReplies(ada) == [])
        stage.sync()
        let replies = stage.takeReplies(ada)
        #expect(seqs(replies) == [2, 2])
        #expect(replies.map { $0.field("dup") } == ["", "yes"])
    }

    @Test(arguments: [1, 2]) func `a notice of an undurable event waits for it`(loops: Int) {
        let (stage, ada, bob) = stage(loops)
        _ = stage.ask(ada, "CREATE private=yes #den")
        stage.say(ada, "INVITE #den bob")
        #expect(stage.takeNotices(bob) == [])
        stage.sync()
        #expect(stage.takeNotices(bob) == ["EV conv conv=#den state=invited by=ada"])
    }

    @Test(arguments: [1, 2]) func `when nothing is pending a reply leaves in the same turn`(loops: Int) {
        let (stage, _, bob) = stage(loops)
        stage.say(bob, "HISTORY #lobby")
        #expect(stage.takeReplies(bob) == ["OK n=0 more=no"])
    }

    @Test(arguments: [1, 2]) func `replies keep the order of their requests, however the journal reports`(loops: Int) {
        let (stage, ada, bob) = stage(loops)
        var marks: [UInt64] = []
        for number in 0..<6 {
            stage.turn([
                (ada, "@a\(number) SEND #lobby \(number)"), (ada, "@b\(number) PING"), (bob, "@c\(number) CONVS"),
            ])
            marks.append(stage.engine.appended)
        }
        var heard: [String] = []
        for mark in [marks[0], marks[3], marks[3] - 1, marks[5]] {
            stage.sync(through: mark)
            let new = stage.takeReplies(ada).map { String($0.split(separator: " " as Character)[1]) }
            #expect(new.count == 2 * (marks.firstIndex(of: max(mark, stage.engine.durable)) ?? 0) + 2 - heard.count)
            heard += new
        }
        #expect(heard == (0..<6).flatMap { ["@a\($0)", "@b\($0)"] })
    }

    @Test func `a sign-up is told of when its record is durable`() {
        let stage = Stage()
        let ada = stage.connect()
        stage.say(ada, "SIGNUP name=ada ada@example.test correct horse")
        stage.hashPasswords()
        #expect(stage.takeReplies(ada) == [])
        stage.sync()
        #expect(stage.takeReplies(ada).first?.hasPrefix("OK user=ada token=token1") == true)
    }

    @Test func `records state what was on disk when they were made`() throws {
        let (stage, ada, _) = stage(1)
        let first = stage.engine.appended
        stage.say(ada, "SEND #lobby one")
        stage.say(ada, "SEND #lobby two")
        stage.sync(through: first + 1)
        stage.say(ada, "SEND #lobby three")
        #expect(try stage.records.suffix(3).map(\.durable) == [first, first, first + 1])
        #expect(try stage.records.map(\.sequence) == Array(1...stage.engine.appended))
    }

    @Test func `under interval what is spoken runs ahead of the mark on disk`() throws {
        let (stage, ada, _) = stage(1)
        let first = stage.engine.appended
        stage.say(ada, "SEND #lobby one")
        stage.sync(through: first + 1, onDisk: first)
        #expect(seqs(stage.takeReplies(ada)) == [2])
        stage.say(ada, "SEND #lobby two")
        #expect(try stage.records.last?.durable == first)
    }

    @Test func `the journal's order is the order of the requests`() throws {
        let (stage, ada, bob) = stage(2)
        stage.turn([(ada, "SEND #lobby a1"), (bob, "SEND #lobby b1"), (ada, "SEND #lobby a2")])
        let texts = try stage.records.suffix(3).map { $0.payload.field("text") }
        #expect(texts == ["\"a1\"", "\"b1\"", "\"a2\""])
    }
}
