import ChatModel

/// The emojis under one message and who put them there, in the order in which each was first put.
package struct MessageReactions: Sendable {
    package struct Entry: Sendable {
        package let emoji: String
        /// Ascending.
        package fileprivate(set) var accounts: ContiguousArray<AccountNumber>
    }

    package private(set) var entries = ContiguousArray<Entry>()

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    /// Whether `account` has put `emoji` there. O(different emojis + log accounts).
    package func has(_ emoji: String, by account: AccountNumber) -> Bool {
        guard let entry = entries.first(where: { $0.emoji == emoji }) else { return false }
        let at = entry.accounts.lowerBound(of: account)
        return at < entry.accounts.count && entry.accounts[at] == account
    }

    package func has(_ emoji: String) -> Bool { entries.contains { $0.emoji == emoji } }

    /// Puts an emoji there or takes it back; what is so already changes nothing. O(accounts that have put it).
    mutating func note(_ reaction: Reaction, by account: AccountNumber) {
        guard let index = entries.firstIndex(where: { $0.emoji == reaction.emoji }) else {
            if !reaction.isOff { entries.append(Entry(emoji: reaction.emoji, accounts: [account])) }
            return
        }
        let at = entries[index].accounts.lowerBound(of: account)
        let isThere = at < entries[index].accounts.count && entries[index].accounts[at] == account
        if reaction.isOff, isThere {
            entries[index].accounts.remove(at: at)
            if entries[index].accounts.isEmpty { entries.remove(at: index) }
        } else if !reaction.isOff, !isThere {
            entries[index].accounts.insert(account, at: at)
        }
    }

    /// Takes back everything of one account.
    mutating func forget(_ account: AccountNumber) {
        for entry in entries { note(Reaction(message: 0, emoji: entry.emoji, isOff: true), by: account) }
    }

    /// `👍:3 ❤️:1`; nil when there is none.
    package var summary: String? {
        if entries.isEmpty { return nil }
        return entries.map { "\($0.emoji):\($0.accounts.count)" }.joined(separator: " ")
    }

    /// The emojis of one account, with blanks between; nil when there is none.
    package func mine(_ account: AccountNumber) -> String? {
        let mine = entries.filter { has($0.emoji, by: account) }.map(\.emoji)
        return mine.isEmpty ? nil : mine.joined(separator: " ")
    }
}
