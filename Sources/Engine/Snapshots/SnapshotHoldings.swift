import ChatModel

/// How far each shard of the snapshot on disk reaches: everything up to that global sequence is in it. 0 where there is no
/// such file.
package struct SnapshotHoldings: Sendable, Equatable {
    package var server: UInt64 = 0
    package var accounts = ContiguousArray<UInt64>()
    package var conversations = ContiguousArray<UInt64>()
    package var tails = ContiguousArray<UInt64>()
    package var collections = ContiguousArray<UInt64>()
    /// Files of items.
    package var items: [ItemFile: UInt64] = [:]
    /// Records above this are not in every file.
    package var sequence: UInt64 = 0

    package init() {}

    /// Notes that a file is there.
    mutating func note(_ part: SnapshotPart, holds: UInt64) {
        switch part {
        case .server: server = holds
        case .accounts(let shard): Self.note(&accounts, shard, holds)
        case .conversations(let shard): Self.note(&conversations, shard, holds)
        case .tails(let shard): Self.note(&tails, shard, holds)
        case .stretch: break
        case .collections(let shard): Self.note(&collections, shard, holds)
        case .items(let number, let file): items[ItemFile(collection: number, file: file)] = holds
        }
    }

    /// Whether the shard of the snapshot still says it all, when it last changed at `mark`.
    static func isCurrent(_ shards: ContiguousArray<UInt64>, _ shard: Int, mark: UInt64) -> Bool {
        shard < shards.count && shards[shard] > 0 && mark <= shards[shard]
    }

    private static func note(_ shards: inout ContiguousArray<UInt64>, _ shard: Int, _ holds: UInt64) {
        while shards.count <= shard { shards.append(0) }
        shards[shard] = holds
    }
}

/// A file with lines of a collection.
package struct ItemFile: Hashable, Sendable {
    let collection: CollectionNumber
    let file: Int
}
