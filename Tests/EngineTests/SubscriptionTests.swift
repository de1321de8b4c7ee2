import ChatModel
import Engine
import Testing

@Suite("SUB") struct SubscriptionTests {
    private func stage(_ loops: Int, messages: Int = 4) -> (Stage, ada: ConnectionKey, bob: ConnectionKey) {
        let stage = Stage(loops: loops)
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob", loop: loops - 1))
        _ = stage.ask(ada, "CREATE #garden")
        _ = stage.ask(bob, "JOIN #garden")
        for number in 0..<messages { _ = stage.ask(ada, "SEND #garden \(number)") }  // seqs 3 …
        return (stage, ada, bob)
    }

    @Test(arguments: [1, 2]) func `since= gives every event after it, then what comes`(loops: Int) {
        let (stage, ada, bob) = stage(loops)
        #expect(stage.ask(bob, "SUB since=4 #garden") == ["OK conv=#garden next=7"])
        #expect(seqs(stage.takeEvents(bob)) == [5, 6])
        _ = stage.ask(ada, "SEND #garden more")
        #expect(seqs(stage.takeEvents(bob)) == [7])
    }

    @Test(arguments: [1, 2]) func `without options begins now, last= counts back`(loops: Int) {
        let (stage, ada, bob) = stage(loops)
        #expect(stage.ask(bob, "SUB #garden") == ["OK conv=#garden next=7"])
        #expect(stage.takeEvents(bob) == [])
        #expect(stage.ask(bob, "SUB last=3 #garden") == ["OK conv=#garden next=7"])
        #expect(seqs(stage.takeEvents(bob)) == [4, 5, 6])
        #expect(stage.ask(ada, "SUB last=4294967296 #garden") == ["OK conv=#garden next=7"])
        #expect(seqs(stage.takeEvents(ada)) == Array(1...6))
    }

    @Test func `beyond the end is a CONFLICT that says next=`() {
        let (stage, ada, _) = stage(1)
        for since in ["7", "8", "18446744073709551615"] {
            let reply = stage.ask(ada, "SUB since=\(since) #garden").joined()
            #expect(reply.hasPrefix("ERR CONFLICT") && reply.field("next") == "7", "\(since)")
        }
        #expect(stage.ask(ada, "SUB since=6 #garden") == ["OK conv=#garden next=7"])
    }

    @Test(arguments: [1, 2]) func `a second SUB moves the cursor, back or ahead`(loops: Int) {
        let (stage, ada, bob) = stage(loops)
        _ = stage.ask(bob, "SUB since=0 #garden")
        #expect(seqs(stage.takeEvents(bob)) == Array(1...6))
        _ = stage.ask(bob, "SUB since=3 #garden")
        #expect(seqs(stage.takeEvents(bob)) == [4, 5, 6])
        _ = stage.ask(ada, "SEND #garden more")
        #expect(seqs(stage.takeEvents(bob)) == [7], "one cursor, so one copy")
        #expect(stage.ask(bob, "SUBS").last == "OK n=1")
    }

    @Test(arguments: [1, 2]) func `made in the turn of a SEND misses nothing and doubles nothing`(loops: Int) {
        let (stage, ada, bob) = stage(loops)
        stage.turn([
            (ada, "SEND #garden a"), (bob, "SUB since=6 #garden"), (ada, "SEND #garden b"), (ada, "SUB #garden"),
            (ada, "SEND #garden c"),
        ])
        stage.sync()
        #expect(seqs(stage.takeEvents(bob)) == [7, 8, 9])
        #expect(seqs(stage.takeEvents(ada)) == [9])
    }

    @Test func `in a private conversation begins at one's latest joining`() {
        let stage = Stage()
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob"))
        _ = stage.ask(ada, "CREATE private=yes #den")
        _ = stage.ask(ada, "SEND #den secret")
        _ = stage.ask(ada, "INVITE #den bob")
        #expect(stage.ask(bob, "SUB #den").first?.hasPrefix("ERR NOT-FOUND") == true)
        _ = stage.ask(bob, "JOIN #den")
        for request in ["SUB since=0 #den", "SUB last=10 #den"] {
            _ = stage.ask(bob, request)
            #expect(seqs(stage.takeEvents(bob)) == [4])
        }
        _ = stage.ask(bob, "SUB all=yes since=1970-01-01T00:00:00Z")
        #expect(stage.takeEvents(bob).filter { $0.field("conv") == "#den" }.map { $0.field("seq") } == ["4"])
    }

    @Test(arguments: [1, 2]) func `UNSUB ends it, at once`(loops: Int) {
        let (stage, ada, bob) = stage(loops)
        _ = stage.ask(bob, "SUB #garden")
        stage.turn([(bob, "UNSUB #garden"), (ada, "SEND #garden more")])
        stage.sync()
        #expect(stage.takeEvents(bob) == [])
        #expect(stage.ask(bob, "UNSUB #garden") == ["OK conv=#garden"], "twice does no harm")
        #expect(stage.ask(bob, "SUBS") == ["OK n=0"])
    }

    @Test(arguments: [1, 2]) func `to a 1:1 without events follows it once it opens`(loops: Int) {
        let stage = Stage(loops: loops)
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob", loop: loops - 1))
        #expect(stage.ask(bob, "SUB @ada") == ["OK conv=@ada,bob next=1"])
        #expect(stage.ask(bob, "SUBS") == ["ROW sub conv=@ada,bob next=1", "OK n=1"])
        #expect(stage.ask(bob, "SUB since=1 @ada").first?.hasPrefix("ERR CONFLICT") == true)
        _ = stage.ask(ada, "SEND @bob hi")
        #expect(stage.takeEvents(bob).map { $0.field("conv") + $0.field("seq") } == ["@ada,bob1", "@ada,bob2"])
        #expect(stage.takeEvents(ada) == [])
        #expect(stage.ask(bob, "SUBS") == ["ROW sub conv=@ada,bob next=3", "OK n=1"])
    }

    @Test func `to a 1:1 without events is taken back by UNSUB`() {
        let stage = Stage()
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob"))
        _ = stage.ask(bob, "SUB @ada")
        _ = stage.ask(bob, "UNSUB @ada")
        _ = stage.ask(ada, "SEND @bob hi")
        #expect(stage.takeEvents(bob) == [])
    }

    @Test func `subscriptions of a connection are bounded, unopened 1:1s among them`() {
        var limits = Limits()
        limits.subscriptions = 2
        let stage = Stage(limits: limits)
        let ada = stage.signUp("ada")
        _ = stage.signUp("bob")
        _ = stage.ask(ada, "CREATE #garden")
        _ = stage.ask(ada, "SUB #garden")
        _ = stage.ask(ada, "SUB @bob")
        #expect(stage.ask(ada, "SUB #lobby").first?.hasPrefix("ERR LIMIT") == true)
        #expect(stage.ask(ada, "SUB #garden") == ["OK conv=#garden next=2"], "the same again is no further one")
        _ = stage.ask(ada, "UNSUB @bob")
        #expect(stage.ask(ada, "SUB #lobby").first?.hasPrefix("OK") == true)
    }

    @Test func `needs membership`() {
        let (stage, _, _) = stage(1)
        let cyd = stage.signUp("cyd")
        #expect(stage.ask(cyd, "SUB #garden").first?.hasPrefix("ERR DENIED") == true)
        #expect(stage.ask(cyd, "SUB #nothing").first?.hasPrefix("ERR NOT-FOUND") == true)
        #expect(stage.ask(cyd, "SUB @cyd").first?.hasPrefix("ERR BAD-ARG field=conv") != nil)
    }

    @Test(arguments: [1, 2]) func `ends with the session`(loops: Int) {
        let (stage, ada, bob) = stage(loops)
        _ = stage.ask(bob, "SUB #garden")
        stage.turn([(bob, "LOGOUT"), (ada, "SEND #garden more")])
        stage.sync()
        #expect(stage.takeEvents(bob) == [])
    }
}

@Suite("SUB all=yes") struct SubscribeAllTests {
    @Test(arguments: [1, 2]) func `follows what is there and what comes: made, joined, opened by others`(loops: Int) {
        let stage = Stage(loops: loops)
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob", loop: loops - 1))
        _ = stage.ask(ada, "CREATE #garden")
        #expect(stage.ask(bob, "SUB all=yes") == ["ROW sub conv=#lobby next=2", "OK n=1"])
        _ = stage.ask(bob, "CREATE #mine")
        _ = stage.ask(bob, "JOIN #garden")
        _ = stage.ask(ada, "SEND @bob hi")
        _ = stage.ask(ada, "SEND #lobby hi")
        let heard = stage.takeEvents(bob).map { $0.field("conv") + " " + $0.field("seq") }
        #expect(heard == ["#mine 1", "#garden 2", "@ada,bob 1", "@ada,bob 2", "#lobby 2"])
    }

    @Test(arguments: [1, 2]) func `after leaving and joining again follows from the new join`(loops: Int) {
        let stage = Stage(loops: loops)
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob", loop: loops - 1))
        _ = stage.ask(ada, "CREATE #garden")
        _ = stage.ask(bob, "SUB all=yes")
        stage.turn([
            (bob, "JOIN #garden"), (ada, "SEND #garden a"), (bob, "LEAVE #garden"), (ada, "SEND #garden b"),
            (bob, "JOIN #garden"), (ada, "SEND #garden c"),
        ])
        stage.sync()
        #expect(seqs(stage.takeEvents(bob)).suffix(2) == [6, 7])
    }

    @Test func `with a time begins with the first event not before it`() {
        let stage = Stage()
        let ada = stage.signUp("ada")
        for _ in 0..<3 {
            stage.now += 1000
            _ = stage.ask(ada, "SEND #lobby x")
        }
        let time = Timestamp(milliseconds: stage.now - 1000).text
        _ = stage.ask(ada, "SUB all=yes since=\(time)")
        #expect(seqs(stage.takeEvents(ada)) == [3, 4])
        _ = stage.ask(ada, "SUB all=yes since=9999-12-31T23:59:59Z")
        #expect(stage.takeEvents(ada) == [])
    }

    @Test func `leaves cursors that are there where they are`() {
        let stage = Stage()
        let ada = stage.signUp("ada")
        _ = stage.ask(ada, "SUB #lobby")
        stage.turn([(ada, "SEND #lobby x"), (ada, "SUB all=yes"), (ada, "SEND #lobby y")])
        stage.sync()
        #expect(seqs(stage.takeEvents(ada)) == [2, 3])
    }

    @Test func `ends with UNSUB all=yes, and nothing new is followed`() {
        let stage = Stage()
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob"))
        _ = stage.ask(ada, "SUB all=yes")
        _ = stage.ask(ada, "UNSUB all=yes")
        _ = stage.ask(bob, "SEND @ada hi")
        _ = stage.ask(bob, "SEND #lobby hi")
        #expect(stage.takeEvents(ada) == [])
        #expect(stage.ask(ada, "SUBS") == ["OK n=0"])
    }
}
