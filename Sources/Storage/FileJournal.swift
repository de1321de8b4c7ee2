import Bytes
import Synchronization
import SystemIO

/// The journal in files: one write and one sync for all that has gathered meanwhile (group commit), by a thread of its own.
///
/// After the first failed write or sync it writes nothing more and publishes nothing more, until `resume`. The thread
/// keeps the object alive until `seal`.
///
/// `@unchecked Sendable`: `work` is set by `replay` and `resume` while there is no thread, and touched by the thread alone
/// from then on (by the caller of `step` where there is none); everything else is a constant, an atomic or behind a lock.
package final class FileJournal: Journal, @unchecked Sendable {
    private let directory: Directory
    private let settings: JournalSettings
    private let onDurable: @Sendable (UInt64) -> Void
    private let onFailure: @Sendable (JournalFault) -> Void

    private let inbox = JournalInbox()
    private let durableMark = Atomic<UInt64>(0)
    private let syncedMark = Atomic<UInt64>(0)
    private let turnsWanted = Atomic<UInt64>(0)
    private let turnsMade = Atomic<UInt64>(0)
    private let runs = Atomic<Int>(0)
    private let thread = Lock<SystemIO.Thread?>(nil)
    private var work: JournalWork?

    /// - Parameters:
    ///   - directory: the directory of the segments, which exists (`DataDirectory.journal`).
    ///   - onDurable: told each new `durable` mark, on the journal's thread.
    ///   - onFailure: told once a failure, on the journal's thread, when a write or sync has failed. Must not call `seal`.
    package init(
        directory: Directory,
        settings: JournalSettings = JournalSettings(),
        onDurable: @escaping @Sendable (UInt64) -> Void = { _ in },
        onFailure: @escaping @Sendable (JournalFault) -> Void = { _ in }
    ) {
        (self.directory, self.settings) = (directory, settings)
        (self.onDurable, self.onFailure) = (onDurable, onFailure)
    }

    package var durable: UInt64 { durableMark.load(ordering: .acquiring) }
    package var synced: UInt64 { syncedMark.load(ordering: .acquiring) }

    /// How often it was resumed: a record's number means the same record only within one run.
    package var run: Int { runs.load(ordering: .acquiring) }

    package func append(_ batch: consuming ByteBuffer, through globalSequence: UInt64) {
        inbox.add(batch, through: globalSequence)
    }

    package func spareBuffer() -> ByteBuffer { inbox.spareBuffer() }

    package func flush() { inbox.flush() }

    package func turn() {
        turnsWanted.add(1, ordering: .relaxed)
        inbox.turn()
    }

    /// A turn was asked for and is not made yet.
    package var isTurning: Bool { turnsMade.load(ordering: .acquiring) < turnsWanted.load(ordering: .relaxed) }

    @discardableResult
    package func replay(
        after: UInt64,
        through: UInt64?,
        _ body: (ReplayedRecord) throws(JournalFault) -> Void
    ) throws(JournalFault) -> Replay {
        let recovery = JournalRecovery(
            directory: directory,
            expectsData: settings.expectsData,
            expectedThrough: settings.expectedThrough
        )
        if let through { return try recovery.rebuild(after: after, through: through, body) }
        let running = thread.withLock { (thread: inout SystemIO.Thread?) -> Bool in thread != nil }
        precondition(!running, "a journal recovers once, before it is written")
        let (replay, place) = try recovery.recover(after: after, body)
        let writer: SegmentWriter
        if let place {
            writer = try SegmentWriter(resuming: place, in: directory, settings)
        } else {
            writer = try SegmentWriter(beginning: replay.last + 1, in: directory, settings)
        }
        begin(writer, after: replay.last)
        return replay
    }

    /// Begins to write again after a failure: cuts off what was not durable then, brings to disk once more what was, and
    /// opens a new segment. Blocks on the disk.
    /// - Throws: `JournalFault`; nothing is written then, as before.
    package func resume() throws(JournalFault) {
        let ended = thread.withLock { (thread: inout SystemIO.Thread?) -> SystemIO.Thread? in
            defer { thread = nil }
            return thread
        }
        ended?.join()
        precondition(work == nil, "only what has failed is resumed")
        let last = durable
        try JournalRecovery(directory: directory, expectsData: true, expectedThrough: last).cut(behind: last)
        let writer = try SegmentWriter(beginning: last + 1, in: directory, settings)
        runs.add(1, ordering: .releasing)
        begin(writer, after: last)
    }

    private func begin(_ writer: consuming SegmentWriter, after last: UInt64) {
        work = JournalWork(writer, written: last, settings)
        turnsMade.store(turnsWanted.load(ordering: .relaxed), ordering: .releasing)
        syncedMark.store(last, ordering: .releasing)
        durableMark.store(last, ordering: .releasing)
        inbox.open(after: last)
        if settings.isStepped { return }
        thread.withLock { (thread: inout SystemIO.Thread?) in
            thread = SystemIO.Thread(name: "journal") { self.serve() }
        }
    }

    package func seal() {
        inbox.stop()
        let thread = self.thread.withLock { (thread: inout SystemIO.Thread?) -> SystemIO.Thread? in
            defer { thread = nil }
            return thread
        }
        thread?.join()
    }

    /// Writes what has gathered, on the caller's thread: for a journal whose settings say `isStepped`.
    package func step() {
        precondition(settings.isStepped, "this journal has a thread")
        var batch = ByteBuffer()
        if let order = inbox.takeNow(&batch) { _ = carryOut(order, &batch) }
        work?.fillAhead()
    }

    // Everything below runs on the journal's thread.

    private func serve() {
        var batch = ByteBuffer()
        while work != nil {
            let order = inbox.take(&batch, before: work?.syncDue)
            if !carryOut(order, &batch) || order.stopping { break }
        }
        if let work = work.take() { work.end() }
    }

    /// - Returns: false when it has failed.
    private func carryOut(_ order: JournalInbox.Order, _ batch: inout ByteBuffer) -> Bool {
        let wanted = turnsWanted.load(ordering: .relaxed)
        let report = JournalWork.Report(
            durable: { [self] written in
                durableMark.store(written, ordering: .releasing)
                onDurable(written)
            },
            synced: { [self] written in syncedMark.store(written, ordering: .releasing) }
        )
        do throws(JournalFault) {
            try work?.step(order, &batch, now: { Clock.monotonicNanoseconds }, report)
            if order.turn != nil { turnsMade.store(wanted, ordering: .releasing) }
            return true
        } catch {
            inbox.close()
            if let work = work.take() { work.end() }
            onFailure(error)
            return false
        }
    }
}
