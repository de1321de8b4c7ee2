import ChatModel
import ChatTesting
import Testing
import Wire

@testable import Engine

@Suite("Asking for a snapshot") struct SnapshotRequestTests {
    private let stage = Stage()
    private let snapshots = MemorySnapshots()

    /// Does what the writer does until the snapshot is whole, but for telling the engine.
    private func write() {
        snapshots.write(stage)
        #expect(snapshots.commit(durable: stage.engine.durable))
    }

    private func snapshot() {
        stage.handle(.snapshot(nil))
        write()
        stage.handle(.snapshotEnded(.written))
        snapshots.take(stage.engine)
    }

    @Test func `is answered when it is on disk, and not before`() {
        let ada = stage.signUp("ada")
        _ = stage.takeReplies(ada)
        stage.handle(.snapshot(SnapshotWaiter(connection: ada, tag: .none)))
        write()
        #expect(stage.takeReplies(ada) == [])
        stage.handle(.snapshotEnded(.written))
        #expect(stage.takeReplies(ada) == ["OK"])
        #expect(!stage.engine.isSnapshotUnderWay && !stage.engine.hasNewsForSnapshot)
    }

    @Test func `while one is under way is answered by the one after it`() {
        let ada = stage.signUp("ada")
        _ = stage.takeReplies(ada)
        stage.handle(.snapshot(nil))
        _ = stage.ask(ada, "SEND #lobby later")
        stage.handle(.snapshot(SnapshotWaiter(connection: ada, tag: .none)))
        write()
        stage.handle(.snapshotEnded(.written))
        #expect(stage.takeReplies(ada) == [])
        write()
        stage.handle(.snapshotEnded(.written))
        #expect(stage.takeReplies(ada) == ["OK"])
        #expect(snapshots.whole?.sequence == stage.engine.appended)
    }

    @Test func `that fails is answered with the reason, and the next one is whole`() throws {
        let ada = stage.signUp("ada")
        _ = stage.takeReplies(ada)
        stage.handle(.snapshot(SnapshotWaiter(connection: ada, tag: .none)))
        stage.handle(.snapshotRoom)
        snapshots.fail()
        stage.engine.snapshotWork.removeAll()
        stage.handle(.snapshotEnded(.failed("the disk is full")))
        let reply = stage.takeReplies(ada).joined()
        #expect(reply.hasPrefix("ERR INTERNAL") && reply.contains("the disk is full"))
        snapshot()
        #expect(snapshots.whole?.files.count == 4)
    }

    @Test func `is refused while nothing is written any more, and given up when that happens`() throws {
        let ada = stage.signUp("ada")
        _ = stage.takeReplies(ada)
        stage.handle(.snapshot(SnapshotWaiter(connection: ada, tag: .none)))
        try stage.failJournal()
        #expect(stage.takeReplies(ada).joined().hasPrefix("ERR INTERNAL"))
        #expect(!stage.engine.isSnapshotUnderWay)
        guard case .abandon? = stage.engine.snapshotWork.last else {
            Issue.record("the writer is not told")
            return
        }
        stage.handle(.snapshot(SnapshotWaiter(connection: ada, tag: .none)))
        #expect(stage.takeReplies(ada).joined().hasPrefix("ERR INTERNAL"))
    }

    @Test func `what did not change is kept, and a stretch is written again only when a line in it changed`() {
        let ada = stage.signUp("ada")
        _ = stage.ask(ada, "CREATE #long")
        for _ in 0..<700 { _ = stage.ask(ada, "SEND #long \(String(repeating: "x", count: 3900))") }
        snapshot()
        let stretches = snapshots.written.filter { $0.hasPrefix("timeline/2/") }
        #expect(stretches.count == 2)
        _ = stage.ask(ada, "SEND #long more")
        snapshot()
        #expect(snapshots.written == ["conversations-000", "timeline-000"])
        _ = stage.ask(ada, "SEND nonce=1 #long more")
        _ = Array("EV msg conv=#long seq=3".utf8).withUnsafeBytes {
            stage.engine.content.timelines[1].replace(3, with: $0)
        }
        snapshot()
        #expect(snapshots.written == ["accounts-000", "conversations-000", stretches[0], "timeline-000"])
        snapshot()
        #expect(snapshots.written == [])
    }
}
