import ChatModel
import ChatTesting
import Testing
import Wire

@testable import Engine

@Suite("Asking for a backup") struct BackupRequestTests {
    private let stage = Stage()
    private let snapshots = MemorySnapshots()

    private func ask(_ key: ConnectionKey) {
        stage.engine.requestBackup(SnapshotWaiter(connection: key, tag: .none, holdsFiles: true))
    }

    /// What the engine has for the writer, in words.
    private func takeWork() -> [String] {
        let work = stage.engine.snapshotWork.map { work -> String in
            switch work {
            case .begin: "begin"
            case .hold: "hold"
            case .letGo: "let go"
            default: "part"
            }
        }
        stage.engine.snapshotWork.removeAll()
        return work
    }

    private func writeSnapshot() {
        snapshots.write(stage)
        #expect(snapshots.commit(durable: stage.engine.durable))
    }

    /// The writer holds the files from now on.
    private func hold(_ key: ConnectionKey) {
        stage.handle(.snapshotHeld(SnapshotWaiter(connection: key, tag: .none, holdsFiles: true)))
    }

    @Test func `writes a snapshot, has files held, and answers with the last record`() {
        let ada = stage.signUp("ada")
        _ = stage.takeReplies(ada)
        ask(ada)
        writeSnapshot()
        stage.handle(.snapshotEnded(.written))
        #expect(takeWork() == ["hold"])
        #expect(stage.takeReplies(ada) == [], "before the writer holds them nothing is answered")
        hold(ada)
        #expect(stage.takeReplies(ada) == ["OK through=\(stage.engine.appended)"])
    }

    @Test func `needs no snapshot when nothing has happened since the last`() {
        let ada = stage.signUp("ada")
        stage.handle(.snapshot(nil))
        writeSnapshot()
        stage.handle(.snapshotEnded(.written))
        ask(ada)
        #expect(takeWork() == ["hold"])
    }

    @Test func `goes on without a snapshot where none can be written`() throws {
        let ada = stage.signUp("ada")
        ask(ada)
        #expect(takeWork() == ["begin"])
        stage.handle(.snapshotEnded(.failed("the disk is full")))
        #expect(takeWork() == ["hold"])
    }

    @Test func `of a server that is read-only holds what is on disk`() throws {
        let ada = stage.signUp("ada")
        _ = stage.takeReplies(ada)
        try stage.failJournal()
        _ = takeWork()
        ask(ada)
        #expect(takeWork() == ["hold"])
        hold(ada)
        #expect(stage.takeReplies(ada) == ["OK through=\(stage.engine.durable)"])
    }

    @Test func `ends with its connection, also before anything is held`() {
        let (ada, ben) = (stage.signUp("ada"), stage.signUp("ben"))
        ask(ada)
        ask(ben)
        _ = takeWork()
        stage.handle(.closed(ben))
        #expect(takeWork() == [])
        stage.handle(.snapshotEnded(.failed("")))
        #expect(takeWork().filter { $0 == "hold" }.count == 1)
        stage.handle(.closed(ada))
        #expect(takeWork().contains("let go"))
    }
}
