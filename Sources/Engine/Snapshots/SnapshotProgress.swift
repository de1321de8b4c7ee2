import Bytes
import ChatCore
import ChatModel

/// The engine's view of snapshots: what the last one holds, and where the one under way stands.
struct SnapshotProgress {
    /// What a snapshot is made of, in the order of writing.
    enum Stage { case server, accounts, conversations, collections, timelines, items, finished }

    struct Pass {
        /// Accounts and conversations that were there at the beginning; what came later stands in the journal.
        let accountCount: Int
        let conversationCount: Int
        let collectionCount: Int
        /// The last record when it began.
        let sequence: UInt64
        var stage = Stage.server
        /// The shard that is next, or the one whose objects are being encoded, with the next of these.
        var shard = 0
        var object = 0
        /// Objects encoded in the open file.
        var encoded = 0
        var isOpen = false
        /// Where the items of the collection that is next, or being encoded, go on, and the file these are for.
        var itemSeq: Seq = 1
        var itemFile = 0
        /// Stretches that were handed to the writer, to be noted as saved.
        var stretches: [(conversation: Int, stretch: Int, changes: UInt32)] = []
        /// Nothing in the files is newer.
        var through: UInt64
        var holdings = SnapshotHoldings()
    }

    /// Bytes encoded in one step, about.
    var stepSize = 256 << 10
    var holdings: SnapshotHoldings
    var pass: Pass?
    var waiters: [SnapshotWaiter] = []
    /// Wait for the one after the one under way, which may not hold what they want to be held.
    var laterWaiters: [SnapshotWaiter] = []
    var isAnotherWanted = false

    init(_ holdings: SnapshotHoldings) { self.holdings = holdings }

    init(_ holdings: SnapshotHoldings, stepSize: Int) { (self.holdings, self.stepSize) = (holdings, stepSize) }
}
