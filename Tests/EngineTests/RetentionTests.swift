import ChatCore
import ChatModel
import ChatTesting
import Testing

@testable import Engine

@Suite("What is kept") struct RetentionTests {
    /// ada's #room with `count` messages m2…, told to keep some of them.
    private static func room(
        _ count: Int,
        _ options: String = "",
        loops: Int = 1,
        limits: Limits = Limits()
    ) -> (Stage, ada: ConnectionKey, desk: ConnectionKey) {
        let stage = Stage(loops: loops, limits: limits)
        let (ada, desk) = (stage.signUp("ada"), stage.operatorConnection())
        _ = stage.ask(ada, "CREATE #room")
        for number in 0..<count { _ = stage.ask(ada, "SEND #room m\(number + 2)") }
        if !options.isEmpty { #expect(stage.ask(desk, "ADMIN RETAIN \(options) #room").first?.first == "O") }
        return (stage, ada, desk)
    }

    private func kept(_ stage: Stage, _ key: ConnectionKey) -> [Int] {
        seqs(stage.ask(key, "HISTORY limit=200 #room").dropLast())
    }

    /// Seconds pass, a tick each.
    private func wait(_ stage: Stage, seconds: Int64 = 3, step: Int64 = 1) {
        for _ in 0..<(seconds / step) {
            stage.now += 1000 * step
            stage.handle(.tick(residentBytes: 0))
            stage.sync()
        }
    }

    private func refusal(_ stage: Stage, _ key: ConnectionKey, _ request: String) -> String {
        let line = stage.ask(key, request).first ?? ""
        return line.hasPrefix("ERR ") ? "\(line.split(separator: " ")[1]) \(line.field("first"))" : line
    }

    // MARK: max=

    @Test func `every message pushes one out, at once and for everybody`() {
        let (stage, ada, _) = Self.room(0, "max=3")
        let bob = stage.signUp("bob")
        _ = stage.ask(bob, "JOIN #room")  // seq 2
        for seq in 3...30 {
            _ = stage.ask(ada, "SEND #room m\(seq)")
            let first = max(3, seq - 2)
            #expect(kept(stage, bob) == Array(first...seq))
            #expect(stage.ask(bob, "CONVS").first?.field("unread") == "\(seq - first + 1)")
            if seq < 6 { continue }
            #expect(refusal(stage, bob, "SUB since=\(first - 2) #room") == "GONE \(first)")
            #expect(stage.ask(bob, "SUB since=\(first - 1) #room").first?.hasPrefix("OK") == true)
            #expect(seqs(stage.takeEvents(bob)) == Array(first...seq))
            _ = stage.ask(bob, "UNSUB #room")
            for request in ["EDIT #room \(first - 1) x", "DELETE #room \(first - 1)", "EMOTE #room \(first - 1) x"] {
                #expect(refusal(stage, ada, request) == "GONE \(first)")
            }
            #expect(refusal(stage, ada, "SEND reply=\(first - 1) #room x") == "GONE \(first)")
        }
    }

    @Test func `other events go with the messages behind them, and count for nothing`() {
        let (stage, ada, _) = Self.room(1, "max=2")
        for title in ["one", "two"] { _ = stage.ask(ada, "TOPIC #room \(title)") }
        _ = stage.ask(ada, "SUB since=0 #room")
        #expect(seqs(stage.takeEvents(ada)) == [1, 2, 3, 4])
        _ = stage.ask(ada, "SEND #room m5")
        _ = stage.ask(ada, "SEND #room m6")
        #expect(refusal(stage, ada, "SUB since=3 #room") == "GONE 5")
        #expect(kept(stage, ada) == [5, 6])
    }

    @Test func `what is gone does not come back when more is kept again`() {
        let (stage, ada, desk) = Self.room(20, "max=5")
        for options in ["max=10 ", "max=all ", "", "age=10d "] {
            #expect(stage.ask(desk, "ADMIN RETAIN \(options)#room").first?.field("first") == "17")
            #expect(kept(stage, ada) == Array(17...21))
        }
        for _ in 0..<20 { _ = stage.ask(ada, "SEND #room more") }
        #expect(kept(stage, ada) == Array(17...41))
    }

    @Test func `what the operator says of one conversation wins over the settings, all too`() {
        var limits = Limits()
        limits.retention = Retention(max: 4)
        let (stage, ada, desk) = Self.room(10, limits: limits)
        #expect(kept(stage, ada) == Array(8...11))
        let said = stage.ask(desk, "ADMIN RETAIN max=2 #room").first
        #expect(said == "OK conv=#room max=2 age=all first=10 messages=2")
        _ = stage.ask(desk, "ADMIN RETAIN max=all age=90d #room")
        for _ in 0..<10 { _ = stage.ask(ada, "SEND #room more") }
        #expect(kept(stage, ada) == Array(10...21))
        #expect(stage.ask(desk, "ADMIN RETAIN #room").first == "OK conv=#room max=4 age=all first=18 messages=4")
        let row = stage.ask(desk, "ADMIN CONVS").first { $0.contains("conv=#room") } ?? ""
        #expect(row.contains(" messages=4 max=4 first=18 "))
    }

    @Test
    func `a private conversation shows its members no more than before, and calls nothing gone that was never theirs`()
    {
        let stage = Stage()
        let (ada, bob, desk) = (stage.signUp("ada"), stage.signUp("bob"), stage.operatorConnection())
        _ = stage.ask(ada, "CREATE private=yes #room")
        for seq in 2...10 { _ = stage.ask(ada, "SEND #room m\(seq)") }
        _ = stage.ask(ada, "INVITE #room bob")
        _ = stage.ask(bob, "JOIN #room")  // seq 12
        _ = stage.ask(ada, "SEND #room m13")
        _ = stage.ask(desk, "ADMIN RETAIN max=4 #room")
        #expect(stage.ask(bob, "SUB since=0 #room").first?.hasPrefix("OK") == true)
        #expect(seqs(stage.takeEvents(bob)) == [12, 13])
        #expect(refusal(stage, bob, "EMOTE #room 3 x") == "NOT-FOUND ")
        #expect(refusal(stage, ada, "EMOTE #room 3 x") == "GONE 8")
        _ = stage.ask(desk, "ADMIN RETAIN max=1 #room")
        #expect(refusal(stage, bob, "SUB since=0 #room") == "GONE 13")
    }

    @Test func `a search finds what is kept, also when some of it goes meanwhile`() {
        let (stage, ada, desk) = Self.room(20)
        func found() -> [Int] { seqs(stage.takeReplies(ada).dropLast()) }
        for (kept, limit) in [(5, 200), (3, 2)] {
            stage.say(ada, "SEARCH limit=\(limit) #room m")
            _ = stage.ask(desk, "ADMIN RETAIN max=\(kept) #room")
            stage.search()
            stage.sync()
            #expect(found() == Array((22 - min(kept, limit)...21).reversed()))
        }
        stage.say(ada, "SEARCH before=19 #room m")
        stage.search()
        stage.sync()
        #expect(stage.takeReplies(ada) == ["OK n=0 more=no"])
    }

    @Test func `what is gone is exported no more`() {
        let (stage, ada, _) = Self.room(20, "max=5")
        var (after, rows) = ("", [String]())
        repeat {
            let page = stage.ask(ada, "EXPORT \(after)")
            rows += page.dropLast()
            after = page.last.flatMap { $0.field("next").isEmpty ? nil : "after=\($0.field("next"))" } ?? ""
        } while !after.isEmpty
        #expect(seqs(rows.filter { $0.contains("conv=#room seq=") }) == Array(17...21))
    }

    // MARK: age=

    @Test func `a message goes when its time is over, and a minute later at the latest`() {
        let (stage, ada, desk) = Self.room(0)
        for seq in 2...11 {
            _ = stage.ask(ada, "SEND #room m\(seq)")
            stage.now += 3_600_000
        }
        // The first is ten hours old, the last one hour.
        #expect(stage.ask(desk, "ADMIN RETAIN age=6h #room").first?.field("first") == "6")
        #expect(kept(stage, ada) == Array(6...11))
        wait(stage, seconds: 3600, step: 10)
        #expect(kept(stage, ada) == Array(7...11))
        wait(stage, seconds: 5 * 3600 + 70, step: 10)
        #expect(kept(stage, ada) == [])
        #expect(stage.ask(ada, "CONVS").first?.contains("preview") == false)
        #expect(stage.ask(ada, "SUB since=11 #room").first?.hasPrefix("OK conv=#room next=12") == true)
        #expect(refusal(stage, ada, "SUB since=10 #room") == "GONE 12")
        _ = stage.ask(ada, "SEND #room m12")
        #expect(kept(stage, ada) == [12] && seqs(stage.takeEvents(ada)) == [12])
    }

    @Test func `records are few: one for each conversation and minute in which something goes`() throws {
        let (stage, ada, _) = Self.room(0, "age=1h")
        for _ in 0..<600 {
            _ = stage.ask(ada, "SEND #room x")
            wait(stage, seconds: 10, step: 10)
        }
        let trims = try stage.records.count { $0.kind == "trim" }
        #expect((20...50).contains(trims), "\(trims)")
        #expect((360...366).contains(Int(stage.engine.content.state.conversations[1].keptMessages)))
    }

    @Test func `a clock that leaps ahead takes nothing, unless it stays there`() {
        let (stage, ada, _) = Self.room(10, "age=30d")
        let year: Int64 = 365 * 86_400_000
        stage.setClock(by: year)
        wait(stage, seconds: 300)
        #expect(kept(stage, ada).count == 10)
        stage.setClock(by: -year)
        wait(stage, seconds: 900)
        #expect(kept(stage, ada).count == 10)
        stage.setClock(by: year)
        wait(stage, seconds: 590)
        #expect(kept(stage, ada).count == 10)
        wait(stage, seconds: 80)
        #expect(kept(stage, ada).count == 0)
    }

    @Test func `a clock that is set while the server is down is waited for, too`() throws {
        let (stage, _, _) = Self.room(10, "age=30d")
        let content = try stage.recovered(through: .max)
        let again = Stage(content: content, seed: 2, now: stage.now + 365 * 86_400_000)
        let ada = again.signIn("ada")
        wait(again, seconds: 590)
        #expect(kept(again, ada).count == 10)
        wait(again, seconds: 20)
        #expect(kept(again, ada).count == 0)
    }

    @Test func `a clock that is set back keeps everything longer, and breaks nothing`() {
        let (stage, ada, _) = Self.room(10, "age=1h")
        stage.setClock(by: -86_400_000)
        wait(stage, seconds: 7200, step: 10)
        #expect(kept(stage, ada).count == 10)
        _ = stage.ask(ada, "SEND #room x")
        stage.setClock(by: 86_400_000)
        wait(stage, seconds: 700, step: 10)
        // By the clock on the wall two hours have passed; the last one has the time of those before it.
        #expect(kept(stage, ada).isEmpty)
    }

    @Test func `many conversations grow old in turns of a few`() {
        var limits = Limits()
        (limits.conversationsOwned, limits.retention) = (1000, Retention(age: 60))
        let stage = Stage(limits: limits)
        let ada = stage.signUp("ada")
        for number in 0..<200 { _ = stage.ask(ada, "CREATE #room\(number)") }
        stage.goesOn = false
        stage.now += 3_600_000
        func gone() -> Int { stage.engine.content.state.conversations.count { $0.firstSeq > 1 } }
        stage.handle(.tick(residentBytes: 0))
        #expect((1...64).contains(gone()))
        var turns = 0
        while stage.engine.wantsTurn, turns < 100 {
            stage.handle(.goOn)
            turns += 1
        }
        #expect(gone() == 201 && turns >= 3)
    }

    // MARK: The settings

    @Test func `the settings are written down, so that a recovery without them lets the same go`() throws {
        var limits = Limits()
        limits.retention = Retention(max: 3)
        let (stage, ada, _) = Self.room(10, limits: limits)
        #expect(kept(stage, ada) == [9, 10, 11])
        var content = Content(limits: Limits())
        _ = try JournalledRecord.all(in: stage.journal, applyingTo: &content, through: .max)
        try content.finishRecovery()
        #expect(content.state.conversations[1].firstSeq == 9)
        // What they say now counts from the start on, for what is still there.
        let again = Stage(limits: Limits(), content: content, seed: 2)
        let key = again.signIn("ada")
        for _ in 0..<5 { _ = again.ask(key, "SEND #room more") }
        #expect(kept(again, key) == Array(9...16))
        #expect(String(decoding: again.journal, as: UTF8.self).split(separator: "L retain-default").count == 2)
    }

    @Test func `while memory is full the operator makes room`() {
        let (stage, ada, desk) = Self.room(10)
        stage.engine.isMemoryFull = true
        #expect(stage.ask(ada, "SEND #room x").first?.hasPrefix("ERR BUSY") == true)
        #expect(stage.ask(desk, "ADMIN RETAIN max=2 #room").first?.field("messages") == "2")
    }

    @Test func `a server that only reads lets nothing go`() throws {
        let (stage, ada, desk) = Self.room(10, "age=1m")
        try stage.failJournal()
        #expect(stage.ask(desk, "ADMIN RETAIN max=2 #room").first?.hasPrefix("ERR INTERNAL") == true)
        wait(stage, seconds: 200, step: 10)
        #expect(kept(stage, ada).count == 10)
        stage.say(desk, "ADMIN RESUME")
        #expect(try stage.resume())
        wait(stage, seconds: 20, step: 10)
        #expect(kept(stage, ada).count == 0)
    }

    // MARK: SUB all=yes since=

    @Test func `who follows all from a time on is told where something may be missing, and only there`() {
        let (stage, ada, desk) = Self.room(0)
        func follow(_ time: Int64) -> [String] {
            let key = stage.signIn("ada")
            _ = stage.ask(key, "SUB all=yes since=\(Timestamp(milliseconds: time).text)")
            defer { stage.disconnect(key) }
            return stage.takeEvents(key).filter { $0.contains("conv=#room") }
        }
        let start = stage.now
        for seq in 2...11 {
            stage.now = start + Int64(seq) * 1000
            _ = stage.ask(ada, "SEND #room m\(seq)")
        }
        _ = stage.ask(desk, "ADMIN RETAIN max=3 #room")
        #expect(follow(start + 10_000).map { $0.field("seq") } == ["10", "11"])
        #expect(follow(start + 8_500).map { $0.field("seq") } == ["9", "10", "11"])
        let early = follow(start + 8_000)
        #expect(early.first == "EV gone conv=#room first=9" && seqs(Array(early.dropFirst())) == [9, 10, 11])
        _ = stage.ask(desk, "ADMIN RETAIN age=1s #room")
        wait(stage, seconds: 10)
        #expect(follow(start + 11_000) == ["EV gone conv=#room first=12"])
        #expect(follow(start + 11_001) == [])
    }
}
