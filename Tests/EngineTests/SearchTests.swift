import ChatModel
import ChatTesting
import Engine
import Testing

@Suite("SEARCH finds") struct SearchTests {
    @Test func `whole lines, newest first`() {
        let (stage, _, bob) = Stage.withTea()
        let reply = stage.ask(bob, "@1 SEARCH #den tea")
        #expect(reply.count == 3)
        #expect(
            reply[0].hasPrefix("ROW @1 msg conv=#den seq=5 ts=") && reply[0].hasSuffix(#" by=ada text="green TEÁ""#)
        )
        #expect(reply[1].hasPrefix("ROW @1 msg conv=#den seq=3 ts=") && reply[1].hasSuffix(#" by=ada text="Tea?""#))
        #expect(reply[2] == "OK @1 n=2 more=no")
        #expect(stage.askShown(bob, "SEARCH limit=1 #den tea") == ["ROW 5", "OK n=1 more=yes"])
        #expect(stage.askShown(bob, "SEARCH before=5 limit=1 #den tea") == ["ROW 3", "OK n=1 more=no"])
        #expect(stage.askShown(bob, "SEARCH after=3 #den tea") == ["ROW 5", "OK n=1 more=no"])
        #expect(stage.askShown(bob, "SEARCH after=3 before=5 #den e") == ["ROW 4", "OK n=1 more=no"])
        #expect(stage.askShown(bob, "SEARCH after=5 before=3 #den e") == ["OK n=0 more=no"])
        #expect(stage.askShown(bob, "SEARCH after=18446744073709551615 #den e") == ["OK n=0 more=no"])
        #expect(stage.askShown(bob, "SEARCH before=0 #den e") == ["OK n=0 more=no"])
        #expect(stage.askShown(bob, "SEARCH #den green tea") == ["ROW 5", "OK n=1 more=no"])
        #expect(stage.askShown(bob, "SEARCH #den conv=#den") == ["OK n=0 more=no"])
    }

    @Test func `between two times, both excluded`() {
        let stage = Stage()
        let ada = stage.signUp("ada")
        for text in ["tea 1", "tea 2", "tea 3"] {
            stage.now += 1000
            _ = stage.ask(ada, "SEND #lobby \(text)")
        }
        let times = stage.ask(ada, "HISTORY #lobby").dropLast().map { $0.field("ts") }
        #expect(stage.askShown(ada, "SEARCH after=\(times[0]) #lobby tea") == ["ROW 4", "ROW 3", "OK n=2 more=no"])
        #expect(stage.askShown(ada, "SEARCH before=\(times[2]) #lobby tea") == ["ROW 3", "ROW 2", "OK n=2 more=no"])
        #expect(
            stage.askShown(ada, "SEARCH after=\(times[0]) before=\(times[2]) #lobby tea") == [
                "ROW 3", "OK n=1 more=no",
            ]
        )
    }

    @Test func `of one author, whatever the case of the handle, or of nobody who is there`() {
        let (stage, _, bob) = Stage.withTea()
        let guest = stage.connect()
        _ = stage.ask(guest, "AUTH anonymous=yes")
        let name = stage.ask(guest, "WHOAMI")[0].field("user")
        _ = stage.ask(guest, "JOIN #den")
        _ = stage.ask(bob, "SEND #den tea for bob")
        _ = stage.ask(guest, "SEND #den tea for a guest")
        #expect(stage.askShown(bob, "SEARCH by=ADA #den tea") == ["ROW 5", "ROW 3", "OK n=2 more=no"])
        #expect(stage.askShown(bob, "SEARCH by=bob #den tea") == ["ROW 7", "OK n=1 more=no"])
        #expect(stage.askShown(bob, "SEARCH by=\(name) #den tea") == ["ROW 8", "OK n=1 more=no"])
        let refused = stage.ask(bob, "SEARCH by=nobody-here #den tea")
        #expect(refused.count == 1 && refused[0].hasPrefix("ERR NOT-FOUND retry=no field=by - "))
    }

    @Test func `of a guest under both of its names, once it has an account`() {
        let stage = Stage()
        let (ada, guest) = (stage.signUp("ada"), stage.connect())
        let name = stage.ask(guest, "AUTH anonymous=yes")[0].field("user")
        _ = stage.ask(guest, "SEND #lobby tea for a guest")
        _ = stage.ask(guest, "LINK name=gus gus@example.test correct horse")
        _ = stage.ask(guest, "SEND #lobby tea for gus")
        let all = stage.askShown(ada, "SEARCH by=Gus #lobby tea")
        #expect(all.count == 3 && all.last == "OK n=2 more=no")
        #expect(stage.askShown(ada, "SEARCH by=\(name) #lobby tea") == all)
        #expect(stage.askShown(ada, "SEARCH by=ada #lobby tea") == ["OK n=0 more=no"])
    }

    @Test func `shows what was found as it reads by then, or not at all`() {
        let (stage, _, bob) = Stage.withTea()
        stage.say(bob, "SEARCH #den tea")
        let id = stage.searches[0].id
        stage.forgetSearches()
        // What a worker found in lines that have changed since: 4 has no tea, 2 is no message, 99 is not there.
        stage.handle(.searched(SearchResult(id: id, seqs: [99, 5, 4, 2, 0], more: false)))
        stage.sync()
        #expect(stage.takeShown(bob) == ["ROW 5", "OK n=1 more=no"])
        // Nobody waits for a result that comes twice.
        stage.handle(.searched(SearchResult(id: id, seqs: [5], more: false)))
        stage.sync()
        #expect(stage.takeReplies(bob) == [])
    }

    @Test func `shows nothing that was edited away or deleted meanwhile, and others as they read now`() {
        let (stage, ada, bob) = Stage.withTea()
        _ = stage.ask(ada, "SEND #den third tea")
        _ = stage.ask(ada, "SEND #den fourth tea")
        stage.say(bob, "SEARCH #den tea")
        stage.turn([
            (ada, "EDIT #den 3 water"), (ada, "DELETE #den 5"), (ada, "EDIT #den 6 another tea"),
            (ada, "EMOTE #den 7 👍"),
            (ada, "EDIT #den 4 tea instead"),
        ])
        stage.search()
        stage.sync()
        let reply = stage.takeReplies(bob)
        #expect(Stage.shown(reply) == ["ROW 7", "ROW 6", "OK n=2 more=no"], "4 had none when the worker looked")
        #expect(reply.first?.hasSuffix(#" react="👍:1" text="fourth tea""#) == true)
        #expect(reply.dropFirst().first?.hasSuffix(#" edited=10 text="another tea""#) == true)
        // Only messages count, not the edits that have the words, too.
        #expect(stage.askShown(bob, "SEARCH #den tea") == ["ROW 7", "ROW 6", "ROW 4", "OK n=3 more=no"])
        #expect(stage.askShown(bob, "SEARCH #den water") == ["ROW 3", "OK n=1 more=no"])
        #expect(stage.askShown(bob, "SEARCH #den green") == ["OK n=0 more=no"])
    }

    @Test func `goes on with older ones when all that was found is gone`() {
        let (stage, _, bob) = Stage.withTea()
        stage.say(bob, "SEARCH limit=1 #den tea")
        let id = stage.searches[0].id
        stage.forgetSearches()
        stage.handle(.searched(SearchResult(id: id, seqs: [4], more: true)))
        #expect(stage.takeReplies(bob) == [])
        stage.search()
        stage.sync()
        #expect(stage.takeShown(bob) == ["ROW 3", "OK n=1 more=no"])
    }
}
