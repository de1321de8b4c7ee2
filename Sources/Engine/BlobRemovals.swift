import ChatModel

/// Files of uploads that have ended, each with the record that says so: a file goes once that is on disk and no other
/// upload has its bytes.
struct BlobRemovals {
    /// In the order of their records.
    private var items = ContiguousArray<(at: UInt64, content: ContentHash)>()
    private var waiting: [ContentHash: Int] = [:]

    mutating func add(_ content: ContentHash, at position: UInt64) {
        items.append((position, content))
        waiting[content, default: 0] += 1
    }

    /// Whether a file of these bytes waits.
    func has(_ content: ContentHash) -> Bool { waiting[content] != nil }

    /// Takes out what stands on records up to `position`. O(what is taken and what is left).
    mutating func take(through position: UInt64) -> [ContentHash] {
        guard let first = items.first, first.at <= position else { return [] }
        let due = items.prefix { $0.at <= position }.map(\.content)
        items.removeFirst(due.count)
        for content in due {
            let left = (waiting[content] ?? 1) - 1
            waiting[content] = left > 0 ? left : nil
        }
        return due
    }
}
