import ChatModel

extension State {
    /// Moves the state by one change of an item. Total, and no harm done twice: what is not newer than what stands changes
    /// nothing.
    package func apply(_ event: ItemEvent) {
        guard exists(event.collection) else { return }
        let collection = self.collection(event.collection)
        let former = collection.items[event.id]
        noteChange(event, former, collection)
        guard !collection.isDropped, former?.seq ?? 0 < event.seq else { return }
        count(former, in: collection, by: -1)
        let item = Collection.Item(
            seq: event.seq,
            owner: event.isDeletion ? former?.owner ?? event.by : event.by,
            isDeleted: event.isDeletion
        )
        collection.items[event.id] = item
        count(item, in: collection, by: 1)
        if event.isDeletion { collection.note(.init(seq: event.seq, time: event.time, id: event.id)) }
    }

    /// The same at a recovery, where the lines on disk are from a later moment and the event's own is not among them: it was
    /// taken back since, and all it does is to end what stood before.
    package func applyCovered(_ event: ItemEvent) {
        guard exists(event.collection) else { return }
        let collection = self.collection(event.collection)
        let former = collection.items[event.id]
        noteChange(event, former, collection)
        guard let former, former.seq < event.seq else { return }
        count(former, in: collection, by: -1)
        collection.items[event.id] = nil
    }

    private func noteChange(_ event: ItemEvent, _ former: Collection.Item?, _ collection: Collection) {
        collection.nextSeq = max(collection.nextSeq, event.seq + 1)
        collection.lastTime = max(collection.lastTime, event.time)
        collection.note(changeOf: event.seq, at: position)
        if let former { collection.note(changeOf: former.seq, at: position) }
        books.note(event.collection, at: position)
    }

    /// Books an item that comes or goes with its owner.
    private func count(_ item: Collection.Item?, in collection: Collection, by change: Int) {
        guard let item, !item.isDeleted else { return }
        collection.itemCount += change
        account(item.owner)?.noteItem(in: collection.number, by: change)
    }

    func applyToItems(_ entry: LedgerEntry) {
        switch entry {
        case .collection(let record):
            guard record.number == nextCollection else { return }
            books.add(Collection(record, name: name(of: record), seqsPerFile: limits.itemsPerFile))
            books.note(record.number, at: position)
        case .schema(let number, let schema):
            guard exists(number) else { return }
            collection(number).schema = schema
            books.note(number, at: position)
        case .forgetItems(let number, let seq):
            if exists(number) { forgetDeletions(through: seq, in: collection(number)) }
        default: break
        }
    }

    private func forgetDeletions(through seq: Seq, in collection: Collection) {
        for deletion in collection.deletions.prefix(while: { $0.seq <= seq }) where collection.stands(deletion) {
            collection.items[deletion.id] = nil
            collection.note(changeOf: deletion.seq, at: position)
        }
        collection.deletions.removeFirst(collection.deletions.prefix { $0.seq <= seq }.count)
        collection.goneThrough = max(collection.goneThrough, min(seq, collection.nextSeq - 1))
        books.note(collection.number, at: position)
    }

    /// A conversation is no more, and its collections with it.
    func dropCollections(of conversation: ConversationNumber) {
        for number in books.collections(of: conversation) {
            let collection = self.collection(number)
            if collection.isDropped { continue }
            for item in collection.items.values { count(item, in: collection, by: -1) }
            (collection.items, collection.deletions, collection.isDropped) = ([:], [], true)
            books.note(number, at: position)
        }
    }

    // MARK: Recovery

    /// Appends a collection; false when its number is not the next one.
    package func restore(_ snapshot: CollectionSnapshot, validFrom: UInt64) -> Bool {
        guard snapshot.record.number == nextCollection, (1...Self.largestSeq).contains(snapshot.nextSeq),
            snapshot.goneThrough < snapshot.nextSeq
        else { return false }
        let collection = Collection(snapshot.record, name: name(of: snapshot.record), seqsPerFile: limits.itemsPerFile)
        (collection.schema, collection.nextSeq, collection.lastTime) = (
            snapshot.schema, snapshot.nextSeq, snapshot.lastTime
        )
        (collection.goneThrough, collection.isDropped) = (snapshot.goneThrough, snapshot.isDropped)
        collection.validFrom = validFrom
        books.add(collection)
        return true
    }

    /// Takes over an item of a line that a snapshot has; the newest line of an id counts.
    /// - Returns: the seq whose line is not wanted: an older one's, or this one's own.
    package func restore(_ item: Collection.Item, _ id: String, time: Timestamp, in number: CollectionNumber) -> Seq? {
        let collection = self.collection(number)
        let former = collection.items[id]
        if collection.isDropped || former?.seq ?? 0 >= item.seq { return item.seq }
        collection.items[id] = item
        if item.isDeleted { collection.deletions.append(.init(seq: item.seq, time: time, id: id)) }
        return former?.seq
    }

    /// Whether a snapshot has given the collection of this event with the event in it.
    package func isAhead(of event: ItemEvent) -> Bool {
        guard exists(event.collection) else { return false }
        let collection = self.collection(event.collection)
        return position < collection.validFrom && event.seq < collection.nextSeq
    }

    /// The end of every recovery: counts all items anew. O(items).
    func countItems() {
        for case let account? in accountSlots { account.forgetItems() }
        for collection in books.all {
            if case .conversation(let number) = collection.space, !collection.isDropped,
                !exists(number) || conversation(number).isDropped
            {
                (collection.items, collection.deletions, collection.isDropped) = ([:], [], true)
            }
            collection.itemCount = 0
            collection.deletions.removeAll { !collection.stands($0) }
            collection.deletions.sort { $0.seq < $1.seq }
            for item in collection.items.values { count(item, in: collection, by: 1) }
        }
    }

    /// What a repair does: the next change of a collection is this one, whatever is lost before it.
    package func passItems(to seq: Seq, in number: CollectionNumber) {
        guard exists(number), seq <= Self.largestSeq else { return }
        collection(number).nextSeq = max(collection(number).nextSeq, seq)
        collection(number).validFrom = 0
    }
}

extension Account {
    fileprivate func noteItem(in collection: CollectionNumber, by change: Int) {
        itemCount += change
        let count = (itemCounts[collection] ?? 0) + change
        itemCounts[collection] = count > 0 ? count : nil
    }

    fileprivate func forgetItems() { (itemCount, itemCounts) = (0, [:]) }

    /// Collections in which it has items, in the order of their numbers.
    package var itemCollections: [CollectionNumber] { itemCounts.keys.sorted() }
}
