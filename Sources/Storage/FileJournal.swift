import Bytes
import Synchronization
import SystemIO

/// The journal in files, written by a thread of its own: one write and one sync for all that has gathered meanwhile
/// (group commit).
///
/// After the first failed write or sync it writes nothing more and publishes nothing more. The thread keeps the object
/// alive until `seal`.
///
/// `@unchecked Sendable`: `writer` is set by `replay` before the thread is started and touched by that thread alone
/// from then on; everything else is a constant, an atomic or behind a lock.
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
    private let thread = Lock<SystemIO.Thread?>(nil)
    private var writer: SegmentWriter?

    /// - Parameters:
    ///   - directory: the directory of the segments, which exists (`DataDirectory.journal`).
    ///   - onDurable: told each new `durable` mark, on the journal's thread.
    ///   - onFailure: told once, on the journal's thread, when a write or sync has failed. Must not call `seal`.
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
        if let place {
            writer = try SegmentWriter(resuming: place, in: directory, settings)
        } else {
            writer = try SegmentWriter(beginning: replay.last + 1, in: directory, settings)
        }
        publish(written: replay.last, synced: replay.last)
        inbox.open(after: replay.last)
        thread.withLock { (thread: inout SystemIO.Thread?) in
            thread = SystemIO.Thread(name: "journal") { self.run() }
        }
        return replay
    }

    package func seal() {
        inbox.stop()
        let thread = self.thread.withLock { (thread: inout SystemIO.Thread?) -> SystemIO.Thread? in
            defer { thread = nil }
            return thread
        }
        thread?.join()
    }

    private func publish(written: UInt64, synced: UInt64) {
        syncedMark.store(synced, ordering: .releasing)
        durableMark.store(written, ordering: .releasing)
    }

    // Everything below runs on the journal's thread.

    private func run() {
        guard var writer = writer.take() else { return }
        do throws(JournalFault) { try work(&writer) } catch {
            inbox.close()
            onFailure(error)
        }
        writer.stop()
    }

    private func work(_ writer: inout SegmentWriter) throws(JournalFault) {
        var batch = ByteBuffer()
        var written = durableMark.load(ordering: .relaxed)
        var syncDue: UInt64?
        while true {
            let order = inbox.take(&batch, before: syncDue)
            if let turn = order.turn {
                let wanted = turnsWanted.load(ordering: .relaxed)
                if turn.offset > 0 {
                    try writer.write(
                        UnsafeRawBufferPointer(rebasing: batch.readable[..<turn.offset]),
                        from: written + 1
                    )
                    written = turn.through
                    batch.consume(turn.offset)
                    try commit(&writer, written, &syncDue)
                }
                try writer.turn(before: written + 1)
                if !writer.isDirty { syncedMark.store(written, ordering: .releasing) }
                turnsMade.store(wanted, ordering: .releasing)
            }
            if !batch.isEmpty {
                try writer.write(batch.readable, from: written + 1)
                written = order.through
                batch.clear()
                try commit(&writer, written, &syncDue)
            }
            if let due = syncDue, order.stopping || Clock.monotonicNanoseconds >= due {
                syncDue = nil
                try writer.sync()
                syncedMark.store(written, ordering: .releasing)
            }
            if order.stopping { return }
        }
    }

    /// Makes what was just written durable, as far as the settings ask for it, and says so.
    private func commit(
        _ writer: inout SegmentWriter,
        _ written: UInt64,
        _ syncDue: inout UInt64?
    ) throws(JournalFault) {
        switch settings.durability {
        case .sync:
            try writer.sync()
            publish(written: written, synced: written)
        case .interval(let seconds):
            let pause = UInt64(max(0, min(seconds, 3600)) * 1e9)
            if syncDue == nil { syncDue = Clock.monotonicNanoseconds &+ pause }
            durableMark.store(written, ordering: .releasing)
        }
        onDurable(written)
    }
}
