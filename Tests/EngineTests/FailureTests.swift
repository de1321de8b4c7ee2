import Engine
import Testing

@Suite("After the journal has failed") struct FailureTests {
    private func stage(_ loops: Int) -> (Stage, ada: ConnectionKey, bob: ConnectionKey) {
        let stage = Stage(loops: loops)
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob", loop: loops - 1))
        _ = stage.ask(ada, "SEND #lobby kept")
        return (stage, ada, bob)
    }

    @Test(arguments: [1, 2]) func `whoever waits for an answer gets ERR INTERNAL, once, in order`(loops: Int) throws {
        let (stage, ada, bob) = stage(loops)
        stage.turn([(ada, "@1 SEND #lobby lost"), (ada, "@2 PING"), (bob, "@3 HISTORY #lobby")])
        try stage.failJournal()
        #expect(stage.takeReplies(ada).map { String($0.prefix(15)) } == ["ERR @1 INTERNAL", "ERR @2 INTERNAL"])
        #expect(stage.takeReplies(bob).map { String($0.prefix(15)) } == ["ERR @3 INTERNAL"])
    }

    @Test(arguments: [1, 2]) func `nothing undurable is shown, and reads go on`(loops: Int) throws {
        let (stage, ada, bob) = stage(loops)
        _ = stage.ask(bob, "SUB #lobby")
        stage.turn([(ada, "SEND #lobby lost"), (ada, "CREATE #lost")])
        try stage.failJournal()
        _ = stage.takeReplies(ada)
        #expect(stage.takeEvents(bob) == [])
        stage.say(bob, "HISTORY #lobby")
        let history = stage.takeReplies(bob)
        #expect(seqs(history) == [2, -1] && history[0].field("text") == "\"kept\"")
        stage.say(ada, "LIST")
        #expect(stage.takeReplies(ada).first?.field("conv") == "#lobby")
        #expect(stage.takeReplies(ada).count == 0)
    }

    @Test(arguments: [
        "SEND #lobby more", "CREATE #room", "LOGOUT", "JOIN #garden", "LEAVE #mine", "INVITE #mine bob", "SEND @bob hi",
    ])
    func `writes are refused with the reason, at once`(request: String) throws {
        let (stage, ada, bob) = stage(1)
        _ = stage.ask(bob, "CREATE #garden")
        _ = stage.ask(ada, "CREATE private=yes #mine")
        try stage.failJournal()
        let appended = try stage.records.count
        stage.say(ada, request)
        let reply = stage.takeReplies(ada).joined()
        #expect(reply.hasPrefix("ERR INTERNAL") && reply.contains("no space left"), "\(reply)")
        #expect(try stage.records.count == appended)
    }

    @Test func `SIGNUP and AUTH by password are refused, AUTH by token is a read`() throws {
        let (stage, _, _) = stage(1)
        try stage.failJournal()
        let (one, two) = (stage.connect(), stage.connect())
        stage.say(one, "SIGNUP name=cyd cyd@example.test correct horse")
        stage.hashPasswords()
        #expect(stage.takeReplies(one).first?.hasPrefix("ERR INTERNAL") == true)
        stage.say(one, "AUTH ada correct horse")
        stage.hashPasswords()
        #expect(stage.takeReplies(one).first?.hasPrefix("ERR INTERNAL") == true)
        stage.say(two, "AUTH token=token1")
        #expect(stage.takeReplies(two).first?.hasPrefix("OK user=ada") == true)
    }

    @Test func `a password that was being hashed gets its answer`() throws {
        let stage = Stage()
        let ada = stage.connect()
        stage.say(ada, "SIGNUP name=ada ada@example.test correct horse")
        try stage.failJournal()
        stage.hashPasswords()
        #expect(stage.takeReplies(ada).first?.hasPrefix("ERR INTERNAL") == true)
    }

    @Test(arguments: [1, 2]) func `the state is that of the disk`(loops: Int) throws {
        let (stage, ada, bob) = stage(loops)
        _ = stage.ask(ada, "CREATE #garden")
        stage.turn([(bob, "JOIN #garden"), (ada, "SEND #garden lost"), (ada, "LEAVE #garden")])
        try stage.failJournal()
        _ = (stage.takeReplies(ada), stage.takeReplies(bob))
        let again = Stage(loops: loops, content: try stage.recovered(through: stage.engine.durable))
        let other = again.connect()
        _ = again.ask(other, "AUTH token=token1")
        for request in ["CONVS", "MEMBERS #garden", "HISTORY #garden", "LIST"] {
            stage.say(ada, request)
            #expect(stage.takeReplies(ada) == again.ask(other, request), "\(request)")
        }
    }

    @Test(arguments: [1, 2]) func `a SUB whose answer was lost can be made again`(loops: Int) throws {
        let (stage, ada, bob) = stage(loops)
        stage.turn([(ada, "SEND #lobby lost"), (bob, "SUB since=0 #lobby")])
        try stage.failJournal()
        #expect(stage.takeReplies(bob).first?.hasPrefix("ERR INTERNAL") == true)
        #expect(stage.takeEvents(bob) == [])
        stage.say(bob, "SUB since=0 #lobby")
        #expect(stage.takeReplies(bob) == ["OK conv=#lobby next=3"])
        #expect(seqs(stage.takeEvents(bob)) == [1, 2])
    }

    @Test(arguments: [1, 2], ["LEAVE #garden", "UNSUB #garden", "SUB #garden"])
    func `what a lost request did to a subscription does no harm to the next one`(loops: Int, request: String) throws {
        let (stage, ada, bob) = stage(loops)
        _ = stage.ask(ada, "CREATE #garden")
        _ = stage.ask(bob, "JOIN #garden")
        _ = stage.ask(bob, "SUB since=0 #garden")
        _ = stage.takeEvents(bob)
        stage.turn([(ada, "SEND #garden lost"), (bob, request)])
        try stage.failJournal()
        _ = stage.takeReplies(bob)
        #expect(stage.takeEvents(bob) == [])
        stage.say(bob, "SUB since=0 #garden")
        #expect(stage.takeReplies(bob) == ["OK conv=#garden next=3"])
        #expect(seqs(stage.takeEvents(bob)) == [1, 2])
    }

    @Test func `a sign-up whose answer was lost has not happened, and the connection lives on`() throws {
        let stage = Stage()
        let ada = stage.connect()
        stage.say(ada, "SIGNUP name=ada ada@example.test correct horse")
        stage.hashPasswords()
        try stage.failJournal()
        #expect(stage.takeReplies(ada).map { String($0.prefix(12)) } == ["ERR INTERNAL"])
        stage.say(ada, "WHOAMI")
        #expect(stage.takeReplies(ada).last?.hasPrefix("ERR NEED-AUTH") == true)
        #expect(stage.ending(of: ada) == nil)
    }

    @Test func `an AUTH whose answer was lost can be made again`() throws {
        let (stage, ada, _) = stage(1)
        let other = stage.connect()
        stage.turn([(ada, "SEND #lobby lost"), (other, "AUTH token=token1")])
        try stage.failJournal()
        #expect(stage.takeReplies(other).first?.hasPrefix("ERR INTERNAL") == true)
        stage.say(other, "AUTH token=token1")
        #expect(stage.takeReplies(other).first?.hasPrefix("OK user=ada") == true)
    }

    @Test func `who is not on disk, or had asked to go, is signed out for good`() throws {
        let (stage, ada, bob) = stage(1)
        let guest = stage.connect()
        _ = stage.ask(guest, "AUTH anonymous=yes")
        let again = stage.signIn("bob")
        stage.turn([(ada, "LOGOUT"), (bob, "LOGOUT all=yes")])
        try stage.failJournal()
        for key in [guest, ada, bob, again] { #expect(stage.ending(of: key) != nil) }
    }

    @Test func `when the disk cannot be read either, nothing undurable is shown`() throws {
        let (stage, ada, bob) = stage(1)
        _ = stage.ask(bob, "SUB #lobby")
        stage.say(ada, "SEND #lobby lost")
        stage.handle(.journalFailed(reason: "no space left", recovered: nil))
        #expect(stage.takeEvents(bob) == [])
        _ = stage.takeReplies(ada)
        for request in ["HISTORY #lobby", "SUB since=0 #lobby", "CONVS"] {
            stage.say(bob, request)
            let said = stage.takeReplies(bob) + stage.takeEvents(bob)
            #expect(said.allSatisfy { !$0.contains("lost") }, "\(request)")
            #expect(!said.isEmpty)
        }
    }

    @Test func `a late report of the journal changes nothing`() throws {
        let (stage, ada, bob) = stage(1)
        _ = stage.ask(bob, "SUB #lobby")
        stage.say(ada, "SEND #lobby lost")
        let lost = stage.engine.appended
        try stage.failJournal()
        stage.sync(through: lost)
        #expect(stage.takeEvents(bob) == [])
        stage.say(bob, "HISTORY #lobby")
        #expect(seqs(stage.takeReplies(bob)) == [2, -1])
    }
}
