import ChatCore
import ChatModel
import ChatTesting
import Testing

@testable import Engine

@Suite("Items") struct ItemTests {
    private func ids(_ lines: [String]) -> [String] {
        lines.filter { $0.hasPrefix("EV item") }.map { "\($0.field("op")) \($0.field("id"))" }
    }

    @Test(arguments: [1, 2])
    func `dump, then live, then a catch-up from a seq, are one stream`(loops: Int) {
        let stage = Stage(loops: loops)
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob", loop: loops - 1))
        for id in ["a", "b", "c"] { _ = stage.ask(ada, "PUT-ITEM id=\(id) items/tea {\"n\":1}") }
        _ = stage.ask(ada, "DEL-ITEM items/tea b")
        #expect(stage.ask(bob, "SUB items/tea") == ["OK coll=items/tea next=5"])
        #expect(ids(stage.takeEvents(bob)) == ["put a", "put c"])
        _ = stage.ask(ada, "PUT-ITEM id=a items/tea {\"n\":2}")
        _ = stage.ask(ada, "DEL-ITEM items/tea c")
        let live = stage.takeEvents(bob)
        #expect(ids(live) == ["put a", "del c"] && seqs(live) == [5, 6])
        _ = stage.ask(bob, "SUB since=1 items/tea")
        #expect(ids(stage.takeEvents(bob)) == ["del b", "put a", "del c"])
        #expect(stage.ask(bob, "SUB since=7 items/tea").first?.hasPrefix("ERR CONFLICT retry=no next=7") == true)
        _ = stage.ask(bob, "SUB since=6 items/tea")
        #expect(stage.takeEvents(bob).isEmpty)
        #expect(stage.ask(bob, "SUBS").last == "OK n=1")
        _ = stage.ask(bob, "UNSUB items/tea")
        _ = stage.ask(ada, "PUT-ITEM id=a items/tea {\"n\":3}")
        #expect(stage.takeEvents(bob).isEmpty)
    }

    @Test func `a collection that is not there yet is waited for`() {
        let stage = Stage(loops: 2)
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob", loop: 1))
        #expect(stage.ask(bob, "SUB items/Tea") == ["OK coll=items/Tea next=1"])
        #expect(stage.ask(bob, "SUBS").first == "ROW sub coll=items/Tea next=1")
        #expect(stage.ask(bob, "SUB since=3 items/other").first?.hasPrefix("ERR CONFLICT") == true)
        _ = stage.ask(ada, "PUT-ITEM id=x items/tea {}")
        #expect(ids(stage.takeEvents(bob)) == ["put x"])
        #expect(stage.ask(bob, "SUBS").first == "ROW sub coll=items/tea next=2")
    }

    @Test func `what was not durable is not spoken, and a failed journal takes it back`() throws {
        let stage = Stage()
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob"))
        _ = stage.ask(ada, "PUT-ITEM id=a items/tea {\"n\":1}")
        _ = stage.ask(bob, "SUB items/tea")
        #expect(ids(stage.takeEvents(bob)) == ["put a"])
        stage.say(ada, "PUT-ITEM id=a items/tea {\"n\":2}")
        stage.say(ada, "PUT-ITEM id=b items/tea {\"n\":2}")
        #expect(stage.takeEvents(bob).isEmpty && stage.takeReplies(ada).isEmpty)
        try stage.failJournal()
        #expect(stage.takeReplies(ada).allSatisfy { $0.hasPrefix("ERR INTERNAL") })
        #expect(stage.takeEvents(bob).isEmpty)
        #expect(stage.ask(bob, "ITEM items/tea a").first?.hasSuffix("json={\"n\":1}") == true)
        #expect(stage.ask(ada, "PUT-ITEM id=a items/tea {\"n\":3}").first?.hasPrefix("ERR INTERNAL") == true)
        _ = stage.ask(stage.operatorConnection(), "ADMIN RESUME")
        #expect(try stage.resume())
        _ = stage.ask(ada, "PUT-ITEM id=a items/tea {\"n\":4}")
        let live = stage.takeEvents(bob)
        #expect(ids(live) == ["put a"] && seqs(live) == [2])
    }

    @Test func `a deletion stands for 24 hours, then a seq before it is GONE`() throws {
        let stage = Stage()
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob"))
        for id in ["a", "b"] { _ = stage.ask(ada, "PUT-ITEM id=\(id) items/tea {}") }
        _ = stage.ask(ada, "DEL-ITEM items/tea a")
        stage.now += 24 * 3_600_000 - 2000
        stage.handle(.tick(residentBytes: 0))
        stage.sync()
        _ = stage.ask(bob, "SUB since=1 items/tea")
        #expect(ids(stage.takeEvents(bob)) == ["put b", "del a"])
        stage.now += 4000
        stage.handle(.tick(residentBytes: 0))
        stage.sync()
        #expect(stage.takeEvents(bob).isEmpty, "who has heard of it misses nothing")
        #expect(stage.ask(bob, "SUB since=1 items/tea").first?.hasPrefix("ERR GONE retry=no first=4") == true)
        #expect(stage.ask(bob, "SUB since=3 items/tea") == ["OK coll=items/tea next=4"])
        #expect(stage.ask(bob, "SUB since=0 items/tea") == ["OK coll=items/tea next=4"])
        #expect(ids(stage.takeEvents(bob)) == ["put b"])
        #expect(try stage.records.contains { $0.kind == "forget-items" })
    }

    @Test func `who loses the conversation hears no more of its collections`() {
        let stage = Stage(loops: 2)
        let (ada, bob, cid) = (stage.signUp("ada"), stage.signUp("bob", loop: 1), stage.signUp("cid"))
        _ = stage.ask(ada, "CREATE private=yes #den")
        for (name, key) in [("bob", bob), ("cid", cid)] {
            _ = stage.ask(ada, "INVITE #den \(name)")
            _ = stage.ask(key, "JOIN #den")
            _ = stage.ask(key, "SUB #den/todo")
        }
        _ = stage.ask(ada, "PUT-ITEM id=a #den/todo {}")
        stage.turn([(ada, "PUT-ITEM id=b #den/todo {}"), (ada, "EJECT #den bob"), (ada, "PUT-ITEM id=c #den/todo {}")])
        stage.sync()
        #expect(ids(stage.takeEvents(bob)) == ["put a", "put b"])
        #expect(ids(stage.takeEvents(cid)) == ["put a", "put b", "put c"])
        _ = stage.ask(cid, "SUB #den/other")
        _ = stage.ask(ada, "DROP #den")
        #expect(stage.ask(cid, "ITEMS #den/todo").first?.hasPrefix("ERR NOT-FOUND") == true)
        #expect(stage.ask(cid, "SUBS").last == "OK n=0")
        #expect(stage.engine.content.itemLogs.allSatisfy { $0.byteCount == 0 })
        #expect(stage.engine.content.state.account(AccountNumber(1))?.itemCount == 0)
    }

    @Test func `erasing an account takes its items away, in steps, for everybody who listens`() {
        let stage = Stage()
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob"))
        for number in 0..<130 { _ = stage.ask(ada, "PUT-ITEM id=a\(number) items/tea {\"secret\":\"s3cret\"}") }
        _ = stage.ask(bob, "PUT-ITEM id=b items/tea {}")
        _ = stage.ask(bob, "SUB since=131 items/tea")
        stage.unregister(ada)
        let gone = stage.takeEvents(bob)
        #expect(gone.count == 130 && gone.allSatisfy { $0.field("op") == "del" && $0.field("by") == "server" })
        #expect(stage.ask(bob, "ITEMS items/tea").last == "OK n=1 more=no")
        var text = ""
        _ = stage.engine.content.itemLogs[0].scan(from: 1) { _, line in
            text += String(decoding: line, as: UTF8.self)
            return true
        }
        #expect(!text.contains("s3cret"))
        #expect(stage.ask(bob, "LIMITS").contains { $0.contains("key=limits.items value=10000 used=1") })
    }

    @Test func `a large collection is listed in steps, and others are answered meanwhile`() {
        let stage = Stage()
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob"))
        let text = String(repeating: "x", count: 4000)
        stage.turn((0..<400).map { (ada, "PUT-ITEM id=i\($0) items/tea {\"n\":\($0),\"t\":\"\(text)\"}") })
        stage.sync()
        stage.goesOn = false
        stage.say(bob, "ITEMS where=\"n>=398\" items/tea")
        #expect(stage.takeReplies(bob).isEmpty)
        #expect(stage.ask(ada, "WHOAMI").first?.hasPrefix("OK") == true)
        stage.goesOn = true
        stage.handle(.goOn)
        let rows = stage.takeReplies(bob)
        #expect(rows.dropLast().map { $0.field("id") } == ["i398", "i399"] && rows.last == "OK n=2 more=no")
    }

    @Test func `pages follow each other by rev, and end at a size`() {
        let stage = Stage()
        let ada = stage.signUp("ada")
        for number in 0..<7 { _ = stage.ask(ada, "PUT-ITEM id=i\(number) items/tea {\"n\":\(number)}") }
        let first = stage.ask(ada, "ITEMS limit=3 items/tea")
        #expect(first.dropLast().map { $0.field("id") } == ["i0", "i1", "i2"] && first.last == "OK n=3 more=yes")
        let second = stage.ask(ada, "ITEMS after=\(first[2].field("rev")) limit=4 items/tea")
        #expect(second.dropLast().map { $0.field("id") } == ["i3", "i4", "i5", "i6"])
        #expect(second.last == "OK n=4 more=no")
        #expect(stage.ask(ada, "ITEMS after=i5 items/tea").first?.field("id") == "i6")
        #expect(
            stage.ask(ada, "ITEMS after=nobody items/tea").first?.hasPrefix("ERR NOT-FOUND retry=no field=id") == true
        )
        #expect(stage.ask(ada, "ITEMS items/nothing") == ["OK n=0 more=no"])
    }

    @Test func `the next change of a full account, and of a full server, is refused with the number`() {
        var limits = Limits()
        (limits.items, limits.collections) = (2, 2)
        let stage = Stage(limits: limits)
        let ada = stage.signUp("ada")
        for name in ["a", "b"] { _ = stage.ask(ada, "PUT-ITEM id=x items/\(name) {}") }
        let full = "ERR LIMIT retry=no key=limits.items limit=2"
        #expect(stage.ask(ada, "PUT-ITEM id=y items/a {}").first?.hasPrefix(full) == true)
        #expect(stage.ask(ada, "PUT-ITEM id=x items/a {\"n\":1}").first?.hasPrefix("OK") == true)
        _ = stage.ask(ada, "DEL-ITEM items/a x")
        let begun = "ERR LIMIT retry=no key=limits.collections limit=2"
        #expect(stage.ask(ada, "PUT-ITEM id=x items/c {}").first?.hasPrefix(begun) == true)
        #expect(stage.ask(ada, "PUT-ITEM id=y items/a {}").first?.hasPrefix("OK") == true)
    }

    @Test func `lost records cost what they said, and nothing else`() throws {
        let stage = Stage()
        let ada = stage.signUp("ada")
        for number in 0..<6 { _ = stage.ask(ada, "PUT-ITEM id=i\(number % 3) items/tea {\"n\":\(number)}") }
        _ = stage.ask(ada, "PUT-ITEM id=z items/mate {}")
        for lost in ["collection", "put"] {
            var isFirst = true
            let remains = try Remains(stage) { record in
                let isIt = record.payload.hasPrefix("L \(lost) ") || record.payload.contains(" op=\(lost) ")
                defer { if isIt { isFirst = false } }
                return isIt && isFirst
            }
            let names = remains.content.state.collections.map(\.name)
            #expect(names == ["items/tea", "items/mate"])
            let items = remains.content.state.collections.map(\.itemCount)
            #expect(items == [3, 1], "lost: \(lost)")
        }
    }
}
