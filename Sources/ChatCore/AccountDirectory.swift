import ChatModel

/// The accounts that USERS lists, by the keys of their handles; guests are not among them.
package struct AccountDirectory: Sendable {
    private struct Entry: Comparable, Sendable {
        let key: String
        let number: AccountNumber
        static func < (a: Entry, b: Entry) -> Bool { a.key < b.key }
        static func == (a: Entry, b: Entry) -> Bool { a.key == b.key }
    }

    private var entries = ContiguousArray<Entry>()
    /// While a snapshot is taken over, entries are put in order once, at its end.
    private var isSorted = true

    /// O(accounts), a memory move.
    mutating func insert(_ account: Account) {
        let entry = Entry(key: account.handle.key, number: account.number)
        let at = entries.lowerBound(of: entry)
        if at < entries.count, entries[at] == entry { entries[at] = entry } else { entries.insert(entry, at: at) }
    }

    mutating func append(_ account: Account) {
        entries.append(Entry(key: account.handle.key, number: account.number))
        isSorted = false
    }

    mutating func sort() {
        if !isSorted { entries.sort() }
        isSorted = true
    }

    mutating func remove(_ account: Account) {
        let at = entries.lowerBound(of: Entry(key: account.handle.key, number: account.number))
        guard at < entries.count, entries[at].number == account.number else { return }
        entries.remove(at: at)
    }

    /// Those whose key begins with the bytes of `prefix`, after the key `after`. O(log accounts + limit).
    func page(prefix: String, after: String?, limit: Int) -> (found: [AccountNumber], more: Bool) {
        let start = after.map { max($0, prefix) } ?? prefix
        var at = entries.lowerBound(of: Entry(key: start, number: .server))
        if let after, at < entries.count, entries[at].key == after { at += 1 }
        var found: [AccountNumber] = []
        while at < entries.count, entries[at].key.utf8.starts(with: prefix.utf8) {
            if found.count == limit { return (found, true) }
            found.append(entries[at].number)
            at += 1
        }
        return (found, false)
    }
}
