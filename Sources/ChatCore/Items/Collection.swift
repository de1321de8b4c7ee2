import ChatModel

/// One collection of items: whose it is, and where each item stands in its lines. An object of the state's, changed by
/// `apply` alone.
///
/// Its log is compacted: an item has one line, that of its last change, and a deletion has one for a while.
package final class Collection {
    package let number: CollectionNumber
    package let space: CollectionSpace
    /// Behind the `/`.
    package let label: CollectionName
    /// As server lines show it: `items/tea` or `#room/todo`.
    package let name: String
    /// Who began it; nil for the operator, and where that is not known any more.
    package let maker: AccountNumber?
    package internal(set) var schema = ItemSchema()
    package internal(set) var nextSeq: Seq = 1
    package internal(set) var lastTime = Timestamp(milliseconds: 0)
    /// Deletions up to this seq may be forgotten.
    package internal(set) var goneThrough: Seq = 0
    /// Its conversation is no more.
    package internal(set) var isDropped = false
    /// First global sequence whose change must be the next one: above 0 only in what came from a snapshot.
    package internal(set) var validFrom: UInt64 = 0
    /// What stands under each id.
    var items: [String: Item] = [:]
    /// Items, deletions aside.
    package internal(set) var itemCount = 0
    /// Deletions, oldest first, and such as have another change behind them.
    var deletions = ContiguousArray<Deletion>()
    /// When each stretch of `seqsPerFile` lines last changed, as global sequences.
    var fileMarks = ContiguousArray<UInt64>()
    /// Seqs whose lines share a file of a snapshot.
    package let seqsPerFile: Seq

    /// The last change of an item.
    package struct Item: Sendable {
        package let seq: Seq
        package let owner: AccountNumber
        package let isDeleted: Bool
        package init(seq: Seq, owner: AccountNumber, isDeleted: Bool) {
            (self.seq, self.owner, self.isDeleted) = (seq, owner, isDeleted)
        }
    }

    struct Deletion {
        let seq: Seq
        let time: Timestamp
        let id: String
    }

    init(_ record: CollectionRecord, name: String, seqsPerFile: Seq) {
        (number, space, label, maker) = (
            record.number, record.space, CollectionName(trusted: record.label), record.maker
        )
        (self.name, self.seqsPerFile) = (name, max(1, seqsPerFile))
    }

    /// What stands under an id, a deletion too.
    package func item(_ id: String) -> Item? { items[id] }

    /// The first seq that `since=` may leave out.
    package var firstSince: Seq { goneThrough + 1 }

    /// When a file's lines last changed.
    package func mark(file: Int) -> UInt64 { file < fileMarks.count ? fileMarks[file] : 0 }

    /// The file of the snapshot that has the line.
    package func file(of seq: Seq) -> Int { Int(clamping: (max(1, seq) - 1) / seqsPerFile) }

    func note(changeOf seq: Seq, at position: UInt64) {
        let file = file(of: seq)
        while fileMarks.count <= file { fileMarks.append(0) }
        fileMarks[file] = max(fileMarks[file], position)
    }

    /// The time of the oldest deletion that still stands. Amortised O(1).
    package func oldestDeletion() -> Timestamp? {
        var stale = 0
        while stale < deletions.count, !stands(deletions[stale]) { stale += 1 }
        if stale > 0 { deletions.removeFirst(stale) }
        return deletions.first?.time
    }

    /// The seqs of at most `limit` deletions that happened before `time`, oldest first.
    package func deletions(before time: Timestamp, limit: Int) -> [Seq] {
        deletions.lazy.prefix { $0.time < time }.filter { self.stands($0) }.prefix(limit).map(\.seq)
    }

    /// The seqs of deletions up to `seq`.
    package func deletions(through seq: Seq) -> [Seq] {
        deletions.lazy.prefix { $0.seq <= seq }.filter { self.stands($0) }.map(\.seq)
    }

    func stands(_ deletion: Deletion) -> Bool {
        guard let item = items[deletion.id] else { return false }
        return item.isDeleted && item.seq == deletion.seq
    }

    func note(_ deletion: Deletion) {
        deletions.append(deletion)
        // The same id may come and go: what is over takes no more room than what stands.
        if deletions.count > 2 * (items.count - itemCount) + 64 { deletions.removeAll { !stands($0) } }
    }
}

/// What is written of a collection when it begins.
package struct CollectionRecord: Sendable, Equatable {
    package let number: CollectionNumber
    package let space: CollectionSpace
    /// Behind the `/`.
    package let label: String
    package let maker: AccountNumber?
    package init(number: CollectionNumber, space: CollectionSpace, label: String, maker: AccountNumber?) {
        (self.number, self.space, self.label, self.maker) = (number, space, label, maker)
    }
}

/// A collection as a snapshot holds it; its items follow from its lines.
package struct CollectionSnapshot: Sendable {
    package let record: CollectionRecord
    package var schema = ItemSchema()
    package var nextSeq: Seq = 1
    package var lastTime = Timestamp(milliseconds: 0)
    package var goneThrough: Seq = 0
    package var isDropped = false
    package init(record: CollectionRecord) { self.record = record }
}
