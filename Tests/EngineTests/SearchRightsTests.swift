import ChatModel
import ChatTesting
import Engine
import Testing

@Suite("SEARCH is") struct SearchRightsTests {
    @Test func `with a token only that is for reading`() {
        let (stage, _, bob) = Stage.withTea()
        for (scope, answer) in [("read", ["ROW 5", "ROW 3", "OK n=2 more=no"]), ("send", ["ERR DENIED"])] {
            let token = stage.ask(bob, "TOKEN scope=\(scope) label-\(scope)")[0].field("token")
            let key = stage.connect()
            _ = stage.ask(key, "AUTH token=\(token)")
            #expect(stage.askShown(key, "SEARCH #den tea") == answer)
        }
    }

    @Test func `for those only who may read`() {
        for isPrivate in [false, true] {
            let (stage, _, _) = Stage.withTea(private: isPrivate)
            let eve = stage.signUp("eve")
            let refusal = isPrivate ? "ERR NOT-FOUND" : "ERR DENIED"
            #expect(stage.askShown(eve, "SEARCH #den tea") == [refusal])
            #expect(stage.askShown(eve, "SEARCH by=nobody-here #den tea") == [refusal])
            #expect(stage.askShown(eve, "HISTORY #den") == [refusal])
            #expect(stage.askShown(eve, "SEARCH #nosuch tea") == ["ERR NOT-FOUND"])
            #expect(stage.askShown(eve, "SEARCH @ada tea") == ["OK n=0 more=no"])
            #expect(stage.askShown(eve, "SEARCH @eve tea") == ["ERR BAD-ARG"])
            #expect(stage.askShown(stage.connect(), "SEARCH #lobby tea") == ["ERR NEED-AUTH"])
            #expect(stage.engine.isQuiet)
        }
    }

    @Test func `of a private conversation nothing from before one came`() {
        let (stage, ada, _) = Stage.withTea(private: true)
        let eve = stage.signUp("eve")
        _ = stage.ask(ada, "INVITE #den eve")
        _ = stage.ask(eve, "JOIN #den")
        #expect(stage.askShown(eve, "SEARCH #den tea") == ["OK n=0 more=no"])
        #expect(stage.askShown(eve, "SEARCH after=0 #den tea") == ["OK n=0 more=no"])
        _ = stage.ask(ada, "SEND #den more tea")
        #expect(stage.askShown(eve, "SEARCH #den tea") == ["ROW 9", "OK n=1 more=no"])
        #expect(stage.askShown(eve, "SEARCH limit=1 #den tea") == ["ROW 9", "OK n=1 more=no"])
    }

    @Test(arguments: [false, true]) func `is refused like SEND when the right is lost meanwhile`(isPrivate: Bool) {
        let (stage, _, bob) = Stage.withTea(private: isPrivate)
        let other = stage.signIn("bob")
        stage.say(bob, "SEARCH #den tea")
        #expect(stage.searches.count == 1)
        _ = stage.takeReplies(bob)
        stage.say(other, "LEAVE #den")
        stage.search()
        stage.sync()
        let reply = stage.takeShown(bob)
        #expect(reply == [isPrivate ? "ERR NOT-FOUND" : "ERR DENIED"])
        #expect(reply == stage.askShown(other, "SEND #den x"))
    }

    @Test(arguments: ["EJECT #den bob", "BAN #den bob", "DROP #den"], [false, true])
    func `is refused like SEND to whom an op puts out meanwhile`(act: String, isPrivate: Bool) {
        let (stage, ada, bob) = Stage.withTea(private: isPrivate)
        stage.say(bob, "SEARCH #den tea")
        _ = stage.takeReplies(bob)
        stage.say(ada, act)
        stage.search()
        stage.sync()
        let reply = stage.takeShown(bob)
        #expect(reply == [isPrivate || act.hasPrefix("DROP") ? "ERR NOT-FOUND" : "ERR DENIED"])
        #expect(reply == stage.askShown(bob, "SEND #den x"))
    }

    @Test func `is refused when the right is lost before a worker is free`() {
        let (stage, ada, bob) = Stage.withTea()
        let other = stage.signIn("bob")
        stage.turn([(ada, "SEARCH #den tea"), (bob, "SEARCH #den tea"), (other, "LEAVE #den")])
        #expect(stage.searches.count == 1)
        stage.search()
        stage.sync()
        #expect(stage.takeShown(ada) == ["ROW 5", "ROW 3", "OK n=2 more=no"])
        #expect(stage.takeShown(bob) == ["ERR DENIED"])
        #expect(stage.engine.isQuiet)
    }

    @Test func `shows nothing from before one came back meanwhile`() {
        let (stage, ada, bob) = Stage.withTea(private: true)
        let other = stage.signIn("bob")
        stage.say(bob, "SEARCH #den tea")
        stage.turn([(other, "LEAVE #den"), (ada, "INVITE #den bob"), (other, "JOIN #den")])
        stage.search()
        stage.sync()
        #expect(stage.takeShown(bob) == ["OK n=0 more=no"])
        stage.turn([(ada, "SEND #den tea again"), (bob, "SEARCH limit=1 #den tea")])
        let id = stage.searches[0].id
        stage.forgetSearches()
        // A worker that began before bob was away says that there are older ones.
        stage.handle(.searched(SearchResult(id: id, seqs: [10, 6], more: true)))
        stage.sync()
        #expect(stage.takeShown(bob) == ["ROW 10", "OK n=1 more=no"])
    }

    @Test func `is refused when the session has ended meanwhile`() {
        let (stage, _, bob) = Stage.withTea()
        let root = stage.operatorConnection()
        stage.say(bob, "SEARCH #den tea")
        stage.say(root, "ADMIN USER end-sessions bob")
        stage.search()
        stage.sync()
        #expect(stage.takeShown(bob) == ["ERR NEED-AUTH"])
    }
}
