import Bytes
import SystemIO

/// One step after the other of writing the journal: what was ordered is written, synced as the settings ask, and its marks
/// are told. Knows no thread.
struct JournalWork: ~Copyable {
    /// What `step` tells while it goes on.
    struct Report {
        /// Records up to here may be spoken of.
        let durable: (UInt64) -> Void
        /// Records up to here are on disk.
        let synced: (UInt64) -> Void
    }

    private let settings: JournalSettings
    private var writer: SegmentWriter
    /// The last record written.
    private var written: UInt64
    /// When the next sync is due, in monotonic nanoseconds, while something waits for one.
    private(set) var syncDue: UInt64?
    /// Nothing was written yet. The first batch is synced at once, whatever the settings say: it holds what tells the next
    /// start how this run was to end.
    private var isFresh = true

    init(_ writer: consuming SegmentWriter, written: UInt64, _ settings: JournalSettings) {
        self.writer = writer
        (self.written, self.settings) = (written, settings)
    }

    /// Carries out an order. `batch` is empty afterwards.
    mutating func step(
        _ order: JournalInbox.Order,
        _ batch: inout ByteBuffer,
        now: () -> UInt64,
        _ report: Report
    ) throws(JournalFault) {
        if let turn = order.turn {
            if turn.offset > 0 {
                try writer.write(UnsafeRawBufferPointer(rebasing: batch.readable[..<turn.offset]), from: written + 1)
                written = turn.through
                batch.consume(turn.offset)
                try commit(now, report)
            }
            try writer.turn(before: written + 1)
            if !writer.isDirty { report.synced(written) }
        }
        if !batch.isEmpty {
            try writer.write(batch.readable, from: written + 1)
            written = order.through
            batch.clear()
            try commit(now, report)
        }
        if let due = syncDue, order.stopping || now() >= due {
            syncDue = nil
            try writer.sync()
            report.synced(written)
        }
    }

    /// Makes what was just written durable, as far as the settings ask for it, and says so.
    private mutating func commit(_ now: () -> UInt64, _ report: Report) throws(JournalFault) {
        switch settings.durability {
        case .sync:
            try writer.sync()
            report.synced(written)
        case .interval where isFresh:
            try writer.sync()
            report.synced(written)
        case .interval(let seconds):
            let pause = UInt64(max(0, min(seconds, 3600)) * 1e9)
            if syncDue == nil { syncDue = now() &+ pause }
        }
        isFresh = false
        report.durable(written)
    }

    /// Makes the next segment ahead, when one is wanted. For whoever has no thread for it.
    func fillAhead() { writer.fillAhead() }

    /// Ends what helps the writing.
    consuming func end() { writer.stop() }
}
