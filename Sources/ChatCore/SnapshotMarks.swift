import ChatModel

/// When the shards of the state last changed, as global sequences: what tells a snapshot which of them to write again.
package struct SnapshotMarks: Sendable {
    /// Accounts, and conversations, of one shard.
    package static let accountsPerShard = 256
    package static let conversationsPerShard = 64
    /// Conversations whose newest lines share a file.
    package static let tailsPerShard = 16

    private var accounts = ContiguousArray<UInt64>()
    private var tails = ContiguousArray<UInt64>()
    /// Identity, key and start of the log.
    package var server: UInt64 = 0

    package init() {}

    /// Notes that the account changed. Amortised O(1).
    @inline(__always)
    package mutating func note(account number: AccountNumber, at position: UInt64) {
        Self.note(&accounts, (Int(number.raw) - 1) / Self.accountsPerShard, position)
    }

    /// Notes that a conversation, given as an index, or its lines changed. Amortised O(1).
    @inline(__always)
    package mutating func note(conversation index: Int, at position: UInt64) {
        Self.note(&tails, index / Self.tailsPerShard, position)
    }

    package func accounts(shard: Int) -> UInt64 { shard < accounts.count ? accounts[shard] : 0 }
    package func tails(shard: Int) -> UInt64 { shard < tails.count ? tails[shard] : 0 }

    package func conversations(shard: Int) -> UInt64 {
        let each = Self.conversationsPerShard / Self.tailsPerShard
        return (shard * each..<(shard + 1) * each).reduce(0) { max($0, tails(shard: $1)) }
    }

    @inline(__always)
    private static func note(_ marks: inout ContiguousArray<UInt64>, _ shard: Int, _ position: UInt64) {
        if shard < marks.count {
            marks[shard] = position
        } else if shard >= 0 {
            while marks.count <= shard { marks.append(0) }
            marks[shard] = position
        }
    }
}

extension State {
    package var snapshotMarks: SnapshotMarks { marks }
}
