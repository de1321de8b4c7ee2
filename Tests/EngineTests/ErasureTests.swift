import ChatCore
import ChatModel
import ChatTesting
import Testing
import Wire

@testable import Engine

@Suite("Erasing an account") struct ErasureTests {
    /// Ada has said much in a room, ben a little; one step looks at one chunk.
    private func stage(messages: Int = 200) -> (stage: Stage, ada: ConnectionKey, ben: ConnectionKey) {
        let stage = Stage()
        stage.engine.erasureStepSize = 1
        let (ada, ben) = (stage.signUp("ada"), stage.signUp("ben"))
        _ = (stage.ask(ada, "CREATE #room"), stage.ask(ben, "JOIN #room"))
        let text = String(repeating: "secret ", count: 20)
        stage.turn((1...messages).map { (ada, "SEND #room \(text)\($0)") } + [(ben, "SEND #room mine")])
        stage.sync()
        _ = (stage.takeReplies(ada), stage.takeReplies(ben))
        return (stage, ada, ben)
    }

    private func history(_ stage: Stage, _ key: ConnectionKey) -> [String] {
        stage.ask(key, "HISTORY limit=200 #room").filter { $0.hasPrefix("ROW") }
    }

    @Test func `takes a chunk a step, and is answered when nothing shows a word any more`() {
        let (stage, ada, ben) = stage()
        let chunks = stage.engine.content.timelines[1].pieces.count
        #expect(chunks > 3)
        stage.goesOn = false
        stage.unregister(ada)
        #expect(stage.engine.wantsTurn)
        var steps = 0
        while stage.engine.wantsTurn {
            #expect(stage.takeReplies(ada).isEmpty)
            stage.handle(.goOn)
            steps += 1
        }
        #expect(steps > chunks)
        #expect(stage.takeReplies(ada).isEmpty, "not before the end is on disk")
        stage.sync()
        #expect(stage.takeReplies(ada) == ["OK"])
        let rows = history(stage, ben)
        #expect(rows.count == 200 && !rows.contains { $0.contains("secret") })
        #expect(rows.dropLast().allSatisfy { $0.field("by") == "deleted" && $0.field("text").isEmpty })
        #expect(rows.last?.field("by") == "ben")
    }

    @Test func `is an event in each conversation it spoke in, behind the last changed line`() {
        let (stage, ada, ben) = stage(messages: 3)
        _ = (stage.ask(ada, "SEND @ben hi"), stage.ask(ada, "SEND #lobby hi"), stage.ask(ben, "SUB all=yes"))
        stage.unregister(ada)
        let erased = stage.takeEvents(ben).filter { $0.hasPrefix("EV erase ") }
        #expect(Set(erased.map { $0.field("conv") }) == ["#lobby", "#room", "@ada,ben"])
        #expect(erased.allSatisfy { $0.field("user") == "ada" && $0.field("by") == "server" })
    }

    @Test func `goes on after a restart in the middle of it`() throws {
        let (stage, ada, _) = stage()
        stage.goesOn = false
        stage.unregister(ada)
        for _ in 0..<2 { stage.handle(.goOn) }
        stage.sync()
        let again = Stage(content: try stage.recovered(through: .max), seed: 2)
        let ben = again.signIn("ben")
        #expect(history(again, ben).allSatisfy { !$0.contains("secret") })
        #expect(again.engine.content.state.account(AccountNumber(1)) == nil)
        #expect(again.ask(again.connect(), "AUTH ada correct horse").first?.hasPrefix("ERR BAD-AUTH") == true)
    }

    @Test func `that the disk cuts short is an ERR, and goes on when the server writes again`() throws {
        let (stage, ada, ben) = stage()
        let desk = stage.operatorConnection()
        stage.goesOn = false
        stage.unregister(ada)
        stage.handle(.goOn)
        try stage.failJournal()
        #expect(stage.takeReplies(ada).first?.hasPrefix("ERR INTERNAL") == true)
        #expect(!stage.engine.wantsTurn, "nothing can be written")
        stage.say(desk, "ADMIN RESUME")
        #expect(try stage.resume())
        stage.goesOn = true
        stage.handle(.goOn)
        stage.sync()
        #expect(history(stage, ben).allSatisfy { !$0.contains("secret") })
    }

    @Test func `takes back what it put under messages, and what others put there stays`() {
        let (stage, ada, ben) = stage(messages: 1)
        _ = (stage.ask(ada, "EMOTE #room 4 👍"), stage.ask(ben, "EMOTE #room 4 👍"))
        #expect(history(stage, ben).last?.contains("react=\"👍:2\" mine=\"👍\"") == true)
        stage.unregister(ada)
        #expect(history(stage, ben).last?.contains("react=\"👍:1\" mine=\"👍\"") == true)
    }

    @Test func `leaves nothing of a guest that nothing was written down of`() {
        let stage = Stage()
        let guest = stage.connect()
        let name = stage.ask(guest, "AUTH anonymous=yes").first?.field("user") ?? ""
        let appended = stage.engine.appended
        stage.unregister(guest)
        #expect(stage.engine.appended == appended)
        #expect(stage.engine.content.state.account(handleKey: name) == nil)
    }

    @Test func `lets go of its files, and not before that is on disk`() throws {
        let (stage, ada, _) = stage(messages: 1)
        let content = try #require(ContentHash(hex: String(repeating: "ab", count: 32)))
        let put = PutBlob(size: 3, type: "text/plain", name: "x", target: nil, hash: nil)
        stage.handle(.blobStored(StoredUpload(connection: ada, tag: .none, request: put, outcome: .success(content))))
        stage.sync()
        let before = stage.engine.durable
        stage.goesOn = false
        let batch = RequestBatch()
        let command = Command.account(.unregister(password: Secret(Array("correct horse".utf8))))
        batch.requests.append(Request(connection: ada, tag: .none, command: command))
        stage.handle(.requests(batch))
        stage.hashPasswords()
        #expect(stage.engine.appended > before && stage.engine.removableBlobs.isEmpty)
        stage.sync()
        #expect(stage.engine.removableBlobs == [content])
    }

    @Test func `leaves no word in the next snapshot of a conversation that was dropped, where no event can say it`() {
        let (stage, ada, ben) = stage(messages: 3)
        let snapshots = MemorySnapshots()
        func snapshot() -> Bool {
            stage.handle(.snapshot(nil))
            snapshots.write(stage)
            _ = snapshots.commit(durable: stage.engine.durable)
            stage.handle(.snapshotEnded(.written))
            let files = snapshots.whole?.files ?? []
            return files.contains { String(decoding: $0.bytes, as: UTF8.self).contains("mine") }
        }
        #expect(snapshot())
        _ = stage.ask(ada, "DROP #room")
        stage.unregister(ben)
        #expect(!snapshot())
    }

    @Test func `of a guest that has been idle for long is not overtaken by its expiry`() throws {
        let (stage, _, _) = stage(messages: 3)
        let guest = stage.connect()
        _ = (stage.ask(guest, "AUTH anonymous=yes"), stage.ask(guest, "SEND #lobby hi"))
        stage.goesOn = false
        stage.unregister(guest)
        stage.now += 31 * 86_400_000
        stage.handle(.tick(residentBytes: 0))
        while stage.engine.wantsTurn { stage.handle(.goOn) }
        #expect(try stage.records.count { $0.kind == "expire" } == 0 && stage.records.last?.kind == "erased")
    }
}
