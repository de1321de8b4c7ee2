import Bytes
import ChatModel
import Persistence
import Wire

/// What the writer of a snapshot has to do next, in order.
package enum SnapshotWork: Sendable {
    /// A snapshot begins: the journal is to turn to a new segment. `run` counts how often the journal was resumed before:
    /// what was decided before that may never have come to disk, though other records have its numbers now.
    case begin(run: Int)
    case open(SnapshotPart)
    case bytes(SnapshotBytes)
    /// Lines of a conversation; encoded by the writer, so that the engine only names their chunks.
    case lines(LineRun)
    /// The file holds everything up to this global sequence.
    case close(holds: UInt64)
    /// The file of the last snapshot still says it all.
    case keep(SnapshotPart, holds: UInt64)
    /// Everything is there: the manifest, once the journal is on disk up to `through`.
    case finish(logID: String, sequence: UInt64, through: UInt64)
    /// The snapshot is given up.
    case abandon
    /// From now on nothing is removed that was on disk, until the connection lets go; answered by
    /// `EngineMail.snapshotHeld`. Whether a snapshot is under way or not.
    case hold(SnapshotWaiter)
    case letGo(ConnectionKey)
}

/// Bytes of a file on their way to the writer.
///
/// `@unchecked Sendable`: filled by the engine, handed over once, and read by the writer alone from then on.
package final class SnapshotBytes: @unchecked Sendable {
    package var buffer: ByteBuffer
    package init(_ buffer: consuming ByteBuffer) { self.buffer = buffer }
}

/// Whole lines of one conversation in chunks whose published bytes never change.
package struct LineRun: Sendable {
    package let conversation: ConversationNumber
    package let first: Seq
    /// What stands below is gone, in front of the newest lines; nil in front of others.
    let kept: Seq?
    /// No other conversation's lines come before it in the file.
    package let isFirst: Bool
    package let chunks: [PublishedChunk]
    /// Bytes of the first chunk that are left out.
    let skipping: Int

    /// Hands the run as JSON to `write`, in pieces of about `limit` bytes. For the writer's thread.
    package func encode<Failure: Error>(
        limit: Int,
        _ write: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var out = ByteBuffer(capacity: limit + limit / 4)
        LineCodec.beginTimeline(conversation, first: first, kept: kept, isFirst: isFirst, into: &out)
        var isFirstChunk = true
        for piece in chunks {
            let skipped = isFirstChunk ? skipping : 0
            let lines = UnsafeRawBufferPointer(start: piece.chunk.base + skipped, count: Int(piece.length) - skipped)
            LineCodec.encode(lines, isFirst: isFirstChunk, into: &out)
            isFirstChunk = false
            if out.count >= limit {
                try write(out.readable)
                out.clear()
            }
        }
        LineCodec.endTimeline(&out)
        try write(out.readable)
    }
}

/// Who waits for a snapshot.
package struct SnapshotWaiter: Sendable {
    package let connection: ConnectionKey
    package let tag: Tag
    /// It is a backup, which copies files afterwards.
    let holdsFiles: Bool
    package init(connection: ConnectionKey, tag: Tag, holdsFiles: Bool = false) {
        (self.connection, self.tag, self.holdsFiles) = (connection, tag, holdsFiles)
    }
}

package enum SnapshotOutcome: Sendable {
    /// On disk; the journal is trimmed.
    case written
    /// Not written, or not whole; what was on disk before still counts.
    case failed(String)
}
