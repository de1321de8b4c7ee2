import ChatCore
import ChatModel
import Wire

/// Deletions that have stood for their time, and the items of accounts that are erased.
extension Engine {
    /// Deletions forgotten in one tick, of one collection.
    private static let forgetStep = 1000

    /// Once a second: forgets deletions that are older than `Limits.deletionMilliseconds`.
    func forgetDeletions() {
        let moment = retainer.clock.moment(monotonic).milliseconds
        let cutoff = Timestamp(milliseconds: moment - content.state.limits.deletionMilliseconds)
        for collection in content.state.collections {
            guard let oldest = collection.oldestDeletion(), oldest < cutoff,
                let last = collection.deletions(before: cutoff, limit: Self.forgetStep).last
            else { continue }
            let seqs = collection.deletions(through: last)
            commit(.ledger(.forgetItems(collection.number, through: last)), together: false)
            let cuts = content.itemLogs[content.itemLogIndex(collection.number)].cut(seqs)
            tell(cuts, in: collection.number, missed: collection.firstSince)
            markDirty(collection.number)
        }
    }

    /// Takes items of an account away, one event each, until a step's worth was done.
    /// - Returns: where to go on in this collection; nil when it has none of them any more.
    func eraseItems(of account: AccountNumber, in number: CollectionNumber, from seq: Seq, budget: Int) -> Seq? {
        let collection = content.state.collection(number)
        if collection.isDropped { return nil }
        var ids: [String] = []
        let next = content.itemLog(number).scan(from: seq, budget: budget) { own, bytes in
            guard let line = ItemLine(bytes), !line.isDeletion else { return true }
            let id = String(decoding: line.id, as: UTF8.self)
            if let item = collection.item(id), item.owner == account, item.seq == own { ids.append(id) }
            return ids.count < Self.eraseStep
        }
        for id in ids {
            let event = content.state.deletion(of: id, in: collection, by: .server, now: now)
            commit(event, arena: UnsafeRawBufferPointer(start: nil, count: 0), together: false)
        }
        return next
    }

    /// Items that are taken away in one turn.
    private static let eraseStep = 50
}
