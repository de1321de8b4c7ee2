import Bytes

/// The order of everything that happened, on disk: whole records (`JournalRecord`) in, the same records out again.
///
/// The engine's side calls `append` and `flush` from one thread and never waits for the disk. The file journal and the
/// simulator's disk are two implementations; nothing above knows which.
package protocol Journal: AnyObject, Sendable {
    /// Takes `batch`, whole records that follow each other and what was appended before; the last is `globalSequence`.
    ///
    /// A group of records that belong together is in one batch. Ignored after a failed write or sync.
    func append(_ batch: consuming ByteBuffer, through globalSequence: UInt64)

    /// An empty buffer for the next batch, with the memory of an earlier one when there is one.
    func spareBuffer() -> ByteBuffer

    /// Has everything appended written soon.
    func flush()

    /// All up to this global sequence may be spoken of: it is on disk, or, where the operator chose so, written.
    var durable: UInt64 { get }

    /// All up to this global sequence is on disk. This is what a new record states as its durable mark.
    var synced: UInt64 { get }

    /// Hands every record above `after` to `body`, in order; groups whole or not at all.
    ///
    /// Without `through` this is the recovery at start, once, before the first `append`: what was never acknowledged
    /// is cut off, and what is kept is on disk afterwards. With `through` nothing on disk is changed and reading ends
    /// there: so the state is rebuilt after a failed sync. Blocks; O(journal).
    /// - Throws: `JournalFault`, also the one `body` throws; the records already handed over are then void.
    @discardableResult
    func replay(
        after: UInt64,
        through: UInt64?,
        _ body: (ReplayedRecord) throws(JournalFault) -> Void
    ) throws(JournalFault) -> Replay

    /// Begins a new segment before the next batch is written, so that what stands before can be trimmed once a snapshot
    /// holds it. Never blocks on the disk; where there is no room for a segment the old one goes on.
    func turn()

    /// Writes and syncs everything appended, then stops; returns when that is done. Nothing is appended afterwards.
    func seal()
}

extension Journal {
    /// The recovery at start: see `replay(after:through:_:)`.
    @discardableResult
    package func replay(
        after: UInt64,
        _ body: (ReplayedRecord) throws(JournalFault) -> Void
    ) throws(JournalFault) -> Replay { try replay(after: after, through: nil, body) }
}

/// A record read from the journal.
package struct ReplayedRecord {
    package let globalSequence: UInt64
    /// The durable mark that the record states.
    package let durable: UInt64
    /// Valid only during the call.
    package let payload: UnsafeRawBufferPointer
    /// First global sequence of the segment the record is in, which names the file, and the record's place there.
    package let segment: UInt64
    package let offset: UInt64

    package init(
        globalSequence: UInt64,
        durable: UInt64,
        payload: UnsafeRawBufferPointer,
        segment: UInt64,
        offset: UInt64
    ) {
        (self.globalSequence, self.durable, self.payload) = (globalSequence, durable, payload)
        (self.segment, self.offset) = (segment, offset)
    }

    /// The fault to throw when the payload makes no sense to its reader.
    package func damage(_ reason: String) -> JournalFault {
        .damage(file: "journal/" + Segment.name(first: segment), offset: offset, reason: reason)
    }
}

/// What a replay found.
package struct Replay: Equatable, Sendable {
    /// A torn tail: never acknowledged, cut off.
    package struct Cut: Equatable, Sendable, CustomStringConvertible {
        package let file: String
        package let offset: UInt64
        /// Bytes dropped, without the zeros that were filled in ahead.
        package let byteCount: UInt64
        package let reason: String

        package init(file: String, offset: UInt64, byteCount: UInt64, reason: String) {
            (self.file, self.offset, self.byteCount, self.reason) = (file, offset, byteCount, reason)
        }

        /// A sentence for the operator's log, free of anybody's texts.
        package var description: String {
            "\(file), offset \(offset): \(byteCount) bytes dropped that were never acknowledged: \(reason)"
        }
    }

    /// Global sequence of the last record kept; the next one appended has one more.
    package let last: UInt64
    package let cut: Cut?

    package init(last: UInt64, cut: Cut?) { (self.last, self.cut) = (last, cut) }
}
