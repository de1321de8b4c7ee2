import ChatModel
import ChatTesting
import Engine
import Testing

@Suite("A SEARCH under way") struct SearchQueueTests {
    @Test func `is not answered before what it shows is durable`() {
        let (stage, ada, bob) = Stage.withTea()
        stage.turn([(ada, "SEND #den tea at last"), (bob, "SEARCH limit=1 #den tea")])
        stage.search()
        #expect(stage.takeReplies(bob) == [])
        stage.sync()
        #expect(stage.takeShown(bob) == ["ROW 6", "OK n=1 more=yes"])
    }

    @Test func `shows what the disk has when the journal has failed meanwhile`() throws {
        let (stage, ada, bob) = Stage.withTea()
        stage.turn([(ada, "SEND #den tea that is lost"), (bob, "SEARCH #den tea")])
        try stage.failJournal()
        stage.search()
        #expect(stage.takeShown(bob) == ["ROW 5", "ROW 3", "OK n=2 more=no"])
        stage.say(bob, "SEARCH #den tea")
        stage.search()
        #expect(stage.takeShown(bob) == ["ROW 5", "ROW 3", "OK n=2 more=no"])
    }

    @Test func `is refused when the journal has failed and cannot be read`() {
        let (stage, _, bob) = Stage.withTea()
        stage.say(bob, "SEARCH #den tea")
        stage.handle(.journalFailed(reason: "it is gone", recovered: nil))
        stage.search()
        #expect(stage.takeShown(bob) == ["ERR INTERNAL"])
    }

    @Test func `of a connection that has gone is dropped`() {
        let (stage, ada, bob) = Stage.withTea()
        stage.turn([(ada, "SEARCH #den tea"), (bob, "SEARCH #den tea")])
        #expect(stage.searches.count == 1)
        stage.disconnect(bob)
        #expect(!stage.searches[0].ticket.isVoid)
        stage.disconnect(ada)
        #expect(stage.searches[0].ticket.isVoid)
        stage.search()
        #expect(stage.searches.isEmpty && stage.engine.isQuiet, "and bob's was never handed out")
    }

    @Test func `is handed out to as many workers as there are, one source after the other`() {
        let (stage, _, _) = Stage.withTea()
        stage.engine.searchWorkerCount = 2
        var keys: [ConnectionKey] = []
        for source in ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"] {
            let key = stage.connect(source: source)
            _ = stage.ask(key, "AUTH bob correct horse")
            keys.append(key)
        }
        for (index, key) in keys.enumerated() { stage.say(key, "SEARCH limit=\(index + 1) #den tea") }
        #expect(stage.searches.map(\.limit) == [1, 2])
        stage.searchOnce()
        #expect(stage.searches.map(\.limit) == [2, 4], "the other source first")
        stage.searchOnce()
        #expect(stage.searches.map(\.limit) == [4, 3])
        stage.search()
        stage.sync()
        for key in keys { #expect(stage.takeShown(key).last?.hasPrefix("OK n=") == true) }
    }

    @Test func `may wait 64 times, 32 times from one source`() {
        let (stage, _, _) = Stage.withTea()
        func connections(_ count: Int, _ source: String) -> [ConnectionKey] {
            (0..<count).map { _ in
                let key = stage.connect(source: source)
                _ = stage.ask(key, "AUTH bob correct horse")
                return key
            }
        }
        // The first one is with the worker and waits no more.
        let (one, two, three) = (
            connections(34, "192.0.2.1"), connections(33, "192.0.2.2"), connections(1, "192.0.2.3")
        )
        for key in one + two + three { stage.say(key, "SEARCH #den tea") }
        stage.sync()
        let refused = (one + two + three).filter {
            stage.takeReplies($0).first?.hasPrefix("ERR BUSY retry=1 - ") == true
        }
        #expect(refused == [one[33], two[32], three[0]])
        stage.search()
        stage.sync()
        let answered = (one + two).filter { stage.takeShown($0) == ["ROW 5", "ROW 3", "OK n=2 more=no"] }
        #expect(answered == Array(one.dropLast() + two.dropLast()))
        #expect(stage.askShown(three[0], "SEARCH #den tea") == ["ROW 5", "ROW 3", "OK n=2 more=no"])
    }
}
