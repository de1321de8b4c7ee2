import ChatModel

/// All that is known, but for the lines themselves. Changed by `apply` alone; owned by the engine, and deliberately not
/// `Sendable`.
///
/// `decide…` reads, `apply` writes: a restart is `apply` over what was written down. A class, because a large struct that
/// is read through its owner is copied at every call, a dozen reference counts each, and a copy that outlives a decision
/// makes the next `apply` copy all collections.
package final class State {
    /// Settings that decisions depend on; not part of what is written down.
    package var limits: Limits
    /// The moment of the change that is being decided or applied; not part of what is written down.
    package var monotonic = MonotonicTime(milliseconds: 0)
    /// The same by the clock on the wall, for what was promised in dates.
    package var wall = Timestamp(milliseconds: 0)
    /// When the recovery ended that this came from.
    var recoveredAt = MonotonicTime(milliseconds: 0)

    package internal(set) var logID = ""
    package internal(set) var nonceKey: [UInt8] = []
    package internal(set) var linkKey: [UInt8] = []
    /// The last `start` was under `interval` and no `stop` has followed.
    package internal(set) var isUncleanInterval = false
    /// What the operator has SET, by key.
    package internal(set) var settings: [String: String] = [:]
    /// How much is kept of conversations of which the operator has said nothing.
    package internal(set) var retentionDefaults = Retention()
    /// Conversations of which something has gone (`takeTrimmed`).
    var trimmed = ContiguousArray<ConversationNumber>()

    /// By number − 1; nil where a guest was never written down.
    var accountSlots = ContiguousArray<Account?>()
    /// Numbers of guests that are gone and were never written down; given to others, so that passing guests cost no room.
    var unusedNumbers = ContiguousArray<AccountNumber>()
    var handles: [String: AccountNumber] = [:]
    /// What handles look like, where it is not their key.
    var handleLooks: Set<String> = []
    var emails: [String: AccountNumber] = [:]
    /// Accounts by the hashes of their sessions and tokens.
    var sessionOwners: [TokenHash: AccountNumber] = [:]
    var directory = AccountDirectory()
    /// The operator's codes for SIGNUP.
    package internal(set) var invites: [TokenHash: Invite] = [:]
    /// What `/metrics` is read with.
    package internal(set) var metricsToken: TokenHash?
    /// Addresses that may not connect, as prefixes, in the order of their ban.
    package internal(set) var bannedAddresses: [String] = []
    /// By number − 1.
    package internal(set) var conversations = ContiguousArray<Conversation>()
    var names: [String: ConversationNumber] = [:]
    /// What names look like, where it is not their key.
    var nameLooks: Set<String> = []
    var directs: [Pair: ConversationNumber] = [:]
    /// Keys of public conversations, sorted.
    var publicKeys = ContiguousArray<String>()
    var activity: UInt64 = 0
    /// Global sequence of the change that is being applied; 0 where nothing is written down.
    package var position: UInt64 = 0
    var marks = SnapshotMarks()
    /// Handles of guests that were written down and are forgotten: their names stay taken.
    package internal(set) var expiredHandles: [AccountNumber: String] = [:]
    /// When mutes run out.
    var muteEnds: [TimedMute: MonotonicTime] = [:]
    var blobs: [BlobID: BlobEntry] = [:]
    var books = CollectionBooks()
    /// Uploads with the same bytes.
    var contents: [ContentHash: Int] = [:]
    var blobLife = BlobLife()

    /// Two accounts, the lower number first.
    struct Pair: Hashable {
        let low: AccountNumber, high: AccountNumber
        init(_ a: AccountNumber, _ b: AccountNumber) { (low, high) = a < b ? (a, b) : (b, a) }
    }

    package init(limits: Limits) { self.limits = limits }

    package func account(_ number: AccountNumber) -> Account? {
        let index = Int(number.raw) - 1
        return accountSlots.indices.contains(index) ? accountSlots[index] : nil
    }

    /// The handle of an account as server lines show it; `server` for the server itself, `operator` for who speaks over
    /// the control socket.
    package func handleText(_ number: AccountNumber) -> String {
        let index = Int(number.raw) - 1
        guard accountSlots.indices.contains(index) else { return number == .operator ? "operator" : "server" }
        return accountSlots[index]?.handle.text ?? "deleted"
    }

    package func conversation(_ number: ConversationNumber) -> Conversation {
        conversations[Int(number.raw) - 1]
    }

    package func exists(_ number: ConversationNumber) -> Bool {
        number.raw >= 1 && number.raw <= conversations.count
    }

    /// The highest number any account has or had.
    package var accountNumbers: Int { accountSlots.count }

    /// The number the next account gets.
    package var nextAccount: AccountNumber {
        unusedNumbers.last ?? AccountNumber(UInt32(clamping: accountSlots.count + 1))
    }
    package var nextConversation: ConversationNumber { ConversationNumber(UInt32(clamping: conversations.count + 1)) }

    /// The account of a handle, by its folded key.
    package func account(handleKey key: String) -> AccountNumber? { handles[key] }

    /// The conversation of a `#name`, by its folded key.
    package func conversation(key: String) -> ConversationNumber? { names[key] }

    /// The 1:1 of two accounts, once it has events.
    package func direct(_ a: AccountNumber, _ b: AccountNumber) -> ConversationNumber? { directs[Pair(a, b)] }

    package func owner(of session: TokenHash) -> AccountNumber? { sessionOwners[session] }

    /// `@a,b`: both handles sorted by their UTF-8 bytes.
    package func directName(_ a: AccountNumber, _ b: AccountNumber) -> String {
        let (x, y) = (handleText(a), handleText(b))
        return x.utf8.lexicographicallyPrecedes(y.utf8) ? "@\(x),\(y)" : "@\(y),\(x)"
    }

    /// Messages an account has not read, over all its conversations. O(its conversations).
    package func unread(of number: AccountNumber) -> UInt64 {
        guard let account = account(number) else { return 0 }
        return account.conversations.reduce(conversation(.lobby).unread(by: account)) {
            $0 + conversation($1).unread(by: account)
        }
    }

    package func unread(in conversation: ConversationNumber, by number: AccountNumber) -> UInt64 {
        account(number).map { self.conversation(conversation).unread(by: $0) } ?? 0
    }

    /// Public conversations whose key begins with the bytes of `prefix` (a mark may follow its last letter), after the key `after`, in the order of keys.
    package func publicConversations(prefix: String, after: String?, limit: Int) -> (
        found: [ConversationNumber], more: Bool
    ) {
        let start = after.map { max($0, prefix) } ?? prefix
        var at = publicKeys.lowerBound(of: start)
        if let after, at < publicKeys.count, publicKeys[at] == after { at += 1 }
        var found: [ConversationNumber] = []
        while at < publicKeys.count, publicKeys[at].utf8.starts(with: prefix.utf8) {
            if found.count == limit { return (found, true) }
            if let number = names[publicKeys[at]] { found.append(number) }
            at += 1
        }
        return (found, false)
    }

    /// Accounts with a number above `after`, in the order of numbers.
    package func accounts(after: AccountNumber?, limit: Int) -> (found: [AccountNumber], more: Bool) {
        var found: [AccountNumber] = []
        for index in Int(after?.raw ?? 0)..<max(Int(after?.raw ?? 0), accountSlots.count) {
            guard let account = accountSlots[index], account.isRecorded else { continue }
            if found.count == limit { return (found, true) }
            found.append(account.number)
        }
        return (found, false)
    }
}

extension RandomAccessCollection where Element: Comparable, Index == Int {
    /// The first index whose element is not below `value`. O(log n); an array, sorted.
    func lowerBound(of value: Element) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension State {
    /// The name of a conversation as server lines show it.
    package func name(of number: ConversationNumber) -> String { conversations[Int(number.raw) - 1].name }
}
