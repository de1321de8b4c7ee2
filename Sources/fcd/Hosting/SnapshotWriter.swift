import Engine
import Storage
import SystemIO

/// The thread that writes snapshots, behind everybody else. It asks the engine for the next piece as soon as it has taken
/// one, so that little more than two wait in memory.
///
/// `@unchecked Sendable`: `scribe` and what follows it are touched by the thread alone; the rest is constant or a lock.
final class SnapshotWriter: @unchecked Sendable {
    private struct Queue {
        var work: [SnapshotWork] = []
        var isStopping = false
        var thread: SystemIO.Thread?
    }

    private let queue = Lock(Queue())
    private let log: Log
    private let post: @Sendable (EngineMail) -> Void

    private var scribe: SnapshotScribe
    private var begun: UInt64 = 0

    /// Seconds that the journal has to bring to disk what the snapshot holds.
    private static let journalSeconds: UInt64 = 30

    /// - Parameter post: carries mail to the engine.
    init(_ scribe: consuming SnapshotScribe, log: Log, post: @escaping @Sendable (EngineMail) -> Void) {
        self.scribe = scribe
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
            if scribe.isActive, work.contains(where: \.isPart) { post(.snapshotRoom) }
            for item in work { take(item) }
        }
        scribe.abort()
    }

    private func take(_ work: SnapshotWork) {
        if isStopping { return }
        do throws(JournalFault) {
            try scribe.take(work, isStopping: { isStopping })
            if case .begin = work {
                begun = Clock.monotonicNanoseconds
                post(.snapshotRoom)
            }
            if case .hold(let waiter) = work { post(.snapshotHeld(waiter)) }
            if scribe.isWaiting, work.isPart { try finish() }
        } catch {
            scribe.abort()
            log.error("snapshot", "not written; the one before still counts", ["reason": error.description])
            post(.snapshotEnded(.failed(error.description)))
        }
    }

    /// Waits for the journal, unless the snapshot is given up meanwhile.
    private func finish() throws(JournalFault) {
        let deadline = Clock.monotonicNanoseconds &+ Self.journalSeconds * 1_000_000_000
        while !isGivenUp {
            if let (manifest, trimmed) = try scribe.finish() { return written(manifest, trimmed) }
            if Clock.monotonicNanoseconds > deadline {
                throw .damage(file: "journal", offset: 0, reason: "it does not get to disk what the snapshot holds")
            }
            Clock.sleep(milliseconds: 2)
        }
    }

    private func written(_ manifest: SnapshotManifest, _ trimmed: Int) {
        log.info(
            "snapshot",
            "written",
            [
                "files": String(manifest.files.count),
                "bytes": String(manifest.files.reduce(0) { $0 + $1.byteCount }),
                "sequence": String(manifest.sequence),
                "segments-removed": String(trimmed),
                "ms": String((Clock.monotonicNanoseconds - begun) / 1_000_000),
            ]
        )
        post(.snapshotEnded(.written))
    }
}
