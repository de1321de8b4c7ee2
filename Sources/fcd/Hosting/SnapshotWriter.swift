import Bytes
import Engine
import Storage
import SystemIO

/// The thread that writes snapshots, behind everybody else. It asks the engine for the next piece as soon as it has taken
/// one, so that little more than two wait in memory.
///
/// `@unchecked Sendable`: `store` and what follows it are touched by the thread alone; the rest is constant or a lock.
final class SnapshotWriter: @unchecked Sendable {
    private struct Queue {
        var work: [SnapshotWork] = []
        var isStopping = false
        var thread: SystemIO.Thread?
    }

    private let queue = Lock(Queue())
    /// Held while the manifest is replaced and files are removed, and by whoever reads the snapshot meanwhile.
    private let isChanging: Lock<Void>
    private let journal: FileJournal
    private let journalDirectory: Directory
    private let log: Log
    private let post: @Sendable (EngineMail) -> Void

    private var store: SnapshotStore
    /// A snapshot is under way and nothing has failed.
    private var isActive = false
    private var begun: UInt64 = 0

    /// Bytes encoded at once.
    private static let pieceSize = 256 << 10
    /// Seconds that the journal has to bring to disk what the snapshot holds.
    private static let journalSeconds: UInt64 = 30

    /// - Parameter post: carries mail to the engine.
    init(
        _ store: consuming SnapshotStore,
        isChanging: Lock<Void>,
        journal: FileJournal,
        journalDirectory: Directory,
        log: Log,
        post: @escaping @Sendable (EngineMail) -> Void
    ) {
        self.store = store
        self.isChanging = isChanging
        (self.journal, self.journalDirectory) = (journal, journalDirectory)
        (self.log, self.post) = (log, post)
        queue.withLock { (queue: inout Queue) in
            queue.thread = SystemIO.Thread(name: "snapshot") { [self] in run() }
        }
    }

    func add(_ work: [SnapshotWork]) {
        queue.withLock { (queue: inout Queue) in queue.work += work }
        queue.signal()
    }

    /// Ends the thread; a snapshot under way is given up.
    func stop() {
        let thread = queue.withLock { (queue: inout Queue) -> SystemIO.Thread? in
            queue.isStopping = true
            defer { queue.thread = nil }
            return queue.thread
        }
        queue.signal()
        thread?.join()
    }

    /// Nobody waits for the snapshot any more.
    private var isGivenUp: Bool {
        queue.withLock { (queue: inout Queue) -> Bool in
            queue.isStopping || queue.work.contains { if case .abandon = $0 { true } else { false } }
        }
    }

    private var isStopping: Bool { queue.withLock { (queue: inout Queue) -> Bool in queue.isStopping } }

    // Everything below runs on the thread.

    private func run() {
        ThreadPriority.lower()
        while let work = queue.wait(until: { (queue: inout Queue) -> [SnapshotWork]?? in
            if queue.isStopping { return .some(nil) }
            if queue.work.isEmpty { return nil }
            defer { queue.work = [] }
            return queue.work
        }) {
            // The engine prepares the next piece while this one is written.
            if isActive { post(.snapshotRoom) }
            for item in work { take(item) }
        }
        if isActive { store.abort() }
    }

    private func take(_ work: SnapshotWork) {
        if case .begin = work {
            (isActive, begun) = (true, Clock.monotonicNanoseconds)
            store.begin()
            return post(.snapshotRoom)
        }
        if !isActive { return }
        if isStopping { return }
        do throws(JournalFault) { try write(work) } catch {
            store.abort()
            isActive = false
            log.error("snapshot", "not written; the one before still counts", ["reason": error.description])
            post(.snapshotEnded(.failed(error.description)))
        }
    }

    private func write(_ work: SnapshotWork) throws(JournalFault) {
        switch work {
        case .begin: break
        case .open(let part): try store.open(part.stem)
        case .bytes(let bytes): try store.append(bytes.buffer.readable)
        case .lines(let run):
            try run.encode(limit: Self.pieceSize) { (bytes) throws(JournalFault) in
                if !isStopping { try store.append(bytes) }
            }
        case .close(let holds): try store.close(holds: holds)
        case .keep(let part, let holds): try store.keep(part.stem, holds: holds)
        case .finish(let logID, let sequence, let through):
            try waitForJournal(through)
            // Given up meanwhile.
            if journal.synced < through { return }
            isActive = false
            try finish(logID, sequence, through)
        case .abandon:
            store.abort()
            isActive = false
        }
    }

    /// Nothing that could still be lost may stand in a snapshot.
    private func waitForJournal(_ through: UInt64) throws(JournalFault) {
        let deadline = Clock.monotonicNanoseconds &+ Self.journalSeconds * 1_000_000_000
        while journal.synced < through || journal.isTurning {
            if isGivenUp { return }
            if Clock.monotonicNanoseconds > deadline {
                throw .damage(file: "journal", offset: 0, reason: "it does not get to disk what the snapshot holds")
            }
            Clock.sleep(milliseconds: 2)
        }
    }

    private func finish(_ logID: String, _ sequence: UInt64, _ through: UInt64) throws(JournalFault) {
        let outcome = isChanging.withLock { (_: inout Void) -> Result<(SnapshotManifest, Int), JournalFault> in
            do throws(JournalFault) {
                let manifest = try store.commit(logID: logID, sequence: sequence, through: through)
                return .success((manifest, try JournalTrim.trim(journalDirectory, through: sequence)))
            } catch { return .failure(error) }
        }
        let (manifest, trimmed) = try outcome.get()
        log.info(
            "snapshot",
            "written",
            [
                "files": String(manifest.files.count),
                "bytes": String(manifest.files.reduce(0) { $0 + $1.byteCount }),
                "sequence": String(sequence),
                "segments-removed": String(trimmed),
                "ms": String((Clock.monotonicNanoseconds - begun) / 1_000_000),
            ]
        )
        post(.snapshotEnded(.written))
    }
}
