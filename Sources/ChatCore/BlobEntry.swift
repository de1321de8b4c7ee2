import ChatModel

/// An upload and the messages it was sent with.
final class BlobEntry {
    var record: BlobRecord
    /// Seqs of the messages in each conversation, ascending; none is empty.
    var references: [ConversationNumber: ContiguousArray<Seq>] = [:]
    /// Since when nothing has used it, if nothing does and that was noted.
    var unusedSince: MonotonicTime?
    init(_ record: BlobRecord) { self.record = record }
}

/// The state's books about uploads whose end is near. None of it is written down: it follows from the rest.
struct BlobLife {
    /// Uploads that became unused, the longest ago first; some are used again, or are no more.
    private var unused = ContiguousArray<(id: BlobID, since: MonotonicTime)>()
    private var firstUnused = 0
    /// Uploads that lost their last message, to be ended; some are no more.
    var orphans: [BlobID] = []

    mutating func noteUnused(_ id: BlobID, since time: MonotonicTime) { unused.append((id, time)) }

    /// Takes out the upload that became unused first, if that was at `time` or before. Amortised O(1).
    mutating func takeUnused(since time: MonotonicTime) -> (id: BlobID, since: MonotonicTime)? {
        guard firstUnused < unused.count, unused[firstUnused].since <= time else { return nil }
        defer {
            firstUnused += 1
            if firstUnused > 1024, firstUnused > unused.count / 2 {
                unused.removeFirst(firstUnused)
                firstUnused = 0
            }
        }
        return unused[firstUnused]
    }
}

/// Uploads that messages of a conversation have, and some that they had.
struct ConversationBlobs {
    private(set) var ids = ContiguousArray<BlobID>()
    private var limit = 64

    /// Adds one that had no message here. Amortised O(1).
    /// - Parameter isHere: whether an upload has a message here.
    mutating func add(_ id: BlobID, isHere: (BlobID) -> Bool) {
        if ids.count >= limit {
            var seen: Set<BlobID> = []
            ids.removeAll { !isHere($0) || !seen.insert($0).inserted }
            limit = max(64, 2 * ids.count)
        }
        ids.append(id)
    }

    mutating func removeAll() { ids = [] }
}
