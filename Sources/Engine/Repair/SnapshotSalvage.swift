import ChatCore
import ChatModel
import Persistence

/// What the files of a damaged snapshot still say, before it is put together.
package struct SnapshotSalvage {
    var server: ServerSnapshot?
    /// With the first global sequence whose change is not in them.
    var accounts: [AccountNumber: (slot: AccountSlot, validFrom: UInt64)] = [:]
    var conversations: [ConversationNumber: (snapshot: ConversationSnapshot, validFrom: UInt64)] = [:]
    /// Conversations whose object stands in a file that is not sound.
    var doubtful: Set<ConversationNumber> = []
    /// Sound runs of lines, and single lines of files that are not sound.
    var runs: [ConversationNumber: [TimelineRun]] = [:]
    var blocks: [(block: LineSalvage.Block, part: SnapshotPart)] = []
    var collections: [CollectionNumber: (snapshot: CollectionSnapshot, validFrom: UInt64)] = [:]
    var itemRuns: [ItemRun] = []
    /// Nothing above this is in any object.
    package private(set) var through: UInt64 = 0

    package init() {}

    /// Takes a file that is as it must be.
    package mutating func add(_ shard: SnapshotShard, _ part: SnapshotPart, holds: UInt64) {
        switch shard {
        case .server(let server): self.server = server
        case .accounts(let accounts): for (slot, at) in accounts { add(slot, at, part, holds) }
        case .conversations(let conversations):
            for (snapshot, at) in conversations { add(snapshot, at, part, holds) }
        case .timelines(let runs):
            for run in runs where part.has(run.conversation) { self.runs[run.conversation, default: []].append(run) }
        case .collections(let collections): for (snapshot, at) in collections { add(snapshot, at, part, holds) }
        case .items(let run): itemRuns.append(run)
        }
    }

    /// Takes what can still be read of a file.
    /// - Returns: lines of it that cannot.
    package mutating func addDamaged(
        _ bytes: UnsafeRawBufferPointer,
        _ part: SnapshotPart,
        holds: UInt64
    ) -> Int {
        switch part {
        case .server:
            server = try? ServerSnapshot(decoding: bytes)
            // A flaw is not to make messages go.
            server?.retention = Retention()
            return server == nil ? 1 : 0
        case .accounts:
            var found: [(AccountSlot, UInt64)] = []
            let unreadable = EntrySalvage.accounts(bytes) { found.append(($0, $1)) }
            return unreadable + found.count { !add($0.0, $0.1, part, holds) }
        case .conversations:
            var found: [(ConversationSnapshot, UInt64)] = []
            let unreadable = EntrySalvage.conversations(bytes) { found.append(($0, $1)) }
            let before = Set(conversations.keys)
            let refused = found.count { !add($0.0, $0.1, part, holds) }
            doubtful.formUnion(Set(conversations.keys).subtracting(before))
            return unreadable + refused
        case .tails, .stretch:
            let lines = LineSalvage(bytes)
            for block in lines.blocks { blocks.append((block, part)) }
            return lines.unreadable
        case .collections:
            var found: [(CollectionSnapshot, UInt64)] = []
            let unreadable = EntrySalvage.collections(bytes) { found.append(($0, $1)) }
            return unreadable + found.count { !add($0.0, $0.1, part, holds) }
        case .items(let number, _):
            var lines: [ItemRun.Line] = []
            let (_, unreadable) = ItemCodec.salvage(bytes) { lines.append(.init(owner: $0, bytes: Array($1))) }
            itemRuns.append(ItemRun(collection: number, lines: lines, next: nil))
            return unreadable
        }
    }

    @discardableResult
    private mutating func add(
        _ snapshot: CollectionSnapshot,
        _ at: UInt64,
        _ part: SnapshotPart,
        _ holds: UInt64
    ) -> Bool {
        let number = snapshot.record.number
        guard case .collections(let shard) = part, (Int(number.raw) - 1) / State.collectionsPerShard == shard,
            at < .max / 2, collections[number] == nil
        else { return false }
        collections[number] = (snapshot, max(at, holds) + 1)
        through = max(through, at)
        return true
    }

    /// - Returns: false when it does not belong into that file, or is there already.
    @discardableResult
    private mutating func add(_ slot: AccountSlot, _ at: UInt64, _ part: SnapshotPart, _ holds: UInt64) -> Bool {
        let number: AccountNumber
        switch slot {
        case .account(let snapshot): number = snapshot.record.number
        case .expired(let expired, _): number = expired
        }
        guard part.has(number), at < .max / 2, accounts[number] == nil else { return false }
        accounts[number] = (slot, max(at, holds) + 1)
        through = max(through, at)
        return true
    }

    @discardableResult
    private mutating func add(
        _ snapshot: ConversationSnapshot,
        _ at: UInt64,
        _ part: SnapshotPart,
        _ holds: UInt64
    ) -> Bool {
        guard part.has(snapshot.number), at < .max / 2, snapshot.nextSeq > 1,
            conversations[snapshot.number] == nil
        else { return false }
        conversations[snapshot.number] = (snapshot, max(at, holds) + 1)
        through = max(through, at)
        return true
    }
}

extension SnapshotPart {
    /// Whether the file is one for this account.
    func has(_ account: AccountNumber) -> Bool {
        guard case .accounts(let shard) = self, account.raw > 0 else { return false }
        return (Int(account.raw) - 1) / SnapshotMarks.accountsPerShard == shard
    }

    /// Whether the file is one for this conversation or its lines.
    func has(_ conversation: ConversationNumber) -> Bool {
        guard conversation.raw > 0 else { return false }
        let index = Int(conversation.raw) - 1
        switch self {
        case .conversations(let shard): return index / SnapshotMarks.conversationsPerShard == shard
        case .tails(let shard): return index / SnapshotMarks.tailsPerShard == shard
        case .stretch(let number, _): return number == conversation
        case .server, .accounts, .collections, .items: return false
        }
    }
}
