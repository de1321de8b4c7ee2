import Bytes
import ChatCore
import ChatModel
import Persistence
import Wire

/// PUT-ITEM, ITEM, DEL-ITEM and ADMIN SCHEMA (protocol.md, Items).
extension Engine {
    func putItem(_ put: PutItem, by account: AccountNumber, _ batch: RequestBatch) throws(Refusal) -> Reply {
        let arena = batch.arena.readable
        let decision = try content.state.decidePut(put, by: account, now: now) { ItemID.make(randomness.word()) }
        if let done = unchanged(decision.event.collection, decision.event.id, put, arena) { return done }
        try checkWritable()
        for change in decision.changes { commit(change, together: true) }
        commit(decision.event, arena: arena, together: false)
        for case .ledger(.collection(let record)) in decision.changes { appeared(record.number) }
        return made(decision.event)
    }

    /// The answer when the item is as it is wanted already.
    private func unchanged(
        _ number: CollectionNumber,
        _ id: String,
        _ put: PutItem,
        _ arena: UnsafeRawBufferPointer
    ) -> Reply? {
        guard content.state.exists(number), let item = content.state.collection(number).item(id), !item.isDeleted
        else { return nil }
        let wanted = UnsafeRawBufferPointer(rebasing: arena[put.json.range])
        let isSame = content.itemLog(number).withLine(item.seq) { line in
            ItemLine(line)?.json.elementsEqual(wanted) ?? false
        }
        guard isSame == true else { return nil }
        let name = content.state.collection(number).name
        return .done([.word("coll", name), .word("id", id), .number("rev", item.seq), .flag("dup", true)])
    }

    /// The answer when an item is there, owned by `account`, and has this object.
    func sameItem(_ put: PutItem, by account: AccountNumber, _ batch: RequestBatch) throws(Refusal) -> Reply? {
        let (collection, item) = try content.state.findItem(put.target, put.id ?? "", by: account)
        guard item.owner == account else { return nil }
        return unchanged(collection.number, put.id ?? "", put, batch.arena.readable)
    }

    func deleteItem(_ delete: DeleteItem, by account: AccountNumber) throws(Refusal) -> Reply {
        let event = try content.state.decideDelete(delete, by: account, now: now)
        try checkWritable()
        recordIfGuest(account)
        commit(event, arena: UnsafeRawBufferPointer(start: nil, count: 0), together: false)
        return made(event)
    }

    /// ITEM: as it stands.
    func item(_ target: CollectionTarget, _ id: String, by account: AccountNumber) throws(Refusal) -> Reply {
        let (collection, item) = try content.state.findItem(target, id, by: account)
        let reply = content.itemLog(collection.number).withLine(item.seq) { bytes -> Reply? in
            guard let line = ItemLine(bytes) else { return nil }
            return .done([
                .word("coll", collection.name), .word("id", id), .number("rev", line.seq),
                .word("by", String(decoding: line.by, as: UTF8.self)), .time("ts", line.time),
                KeyValue("json", .json(String(decoding: line.json, as: UTF8.self))),
            ])
        }
        guard let reply = reply ?? nil else { throw Refusal(.internal, "the item's line is not there") }
        return reply
    }

    func setSchema(_ target: CollectionTarget, _ schema: ItemSchema) throws(Refusal) -> Reply {
        let before = content.state.nextCollection
        let reply = try commit { () throws(Refusal) in try content.state.decideSchema(target, schema) }
        if content.state.exists(before) { appeared(before) }
        return reply
    }

    private func made(_ event: ItemEvent) -> Reply {
        .done([
            .word("coll", content.state.collection(event.collection).name), .word("id", event.id),
            .number("rev", event.seq), .time("ts", event.time),
        ])
    }

    /// The way of an item's change: rendered once, to the journal; the same bytes to the collection's lines; then the state
    /// moves, and the item's former line goes.
    func commit(_ event: ItemEvent, arena: UnsafeRawBufferPointer, together: Bool) {
        let collection = content.state.collection(event.collection)
        let former = collection.item(event.id)?.seq
        let by = content.state.handleText(event.by)
        let line = append(together: together) {
            JournalPayload.encodeHeader(of: event, into: &$0)
        } line: {
            ItemRenderer.render(event, collection: collection.name, by: by, arena: arena, into: &$0)
        }
        content.state.apply(event)
        tell(content.take(event, line, former: former), in: event.collection)
        markDirty(event.collection)
    }

    func markDirty(_ number: CollectionNumber) {
        if dirtyCollections.last != number { dirtyCollections.append(number) }
    }

    /// Mails chunks of which lines were cut out.
    func tell(_ cuts: [LineCut], in number: CollectionNumber, missed: Seq = 0) {
        if cuts.isEmpty { return }
        let index = content.itemLogIndex(number)
        for loop in loops.indices where loops[loop].cursorCount(number.log) > 0 {
            for cut in cuts {
                let piece = content.itemLogs[index].piece(cut.ordinal)
                loops[loop].held.append(.cut(number.log, cut, piece, missed: missed), at: appended)
            }
        }
    }

    /// Tells every loop with a cursor in a changed collection how far its lines go now.
    func publishDirtyCollections() {
        if dirtyCollections.isEmpty { return }
        for number in dirtyCollections {
            publish(number)
            guard let kept = content.itemLogs[content.itemLogIndex(number)].dropEmpty() else { continue }
            for loop in loops.indices where loops[loop].cursorCount(number.log) > 0 {
                loops[loop].held.append(.renumber(number.log, kept), at: appended)
            }
        }
        dirtyCollections.removeAll(keepingCapacity: true)
    }

    /// Tells of new lines in one collection: the chunk that grew and all that began since.
    func publish(_ number: CollectionNumber) {
        let index = content.itemLogIndex(number)
        if content.itemLogs[index].pieces.isEmpty { return }
        let last = content.itemLogs[index].end.ordinal
        let first = min(max(content.itemLogs[index].publishedOrdinal, content.itemLogs[index].firstOrdinal), last)
        for loop in loops.indices where loops[loop].cursorCount(number.log) > 0 {
            for ordinal in first...last {
                let piece = content.itemLogs[index].piece(ordinal)
                loops[loop].held.append(.extend(number.log, ordinal: ordinal, piece), at: appended)
            }
        }
        content.itemLogs[index].publishedOrdinal = last
    }
}
