import Bytes
import ChatCore
import ChatModel
import Persistence
import Wire

/// The lines of collections, live and at a recovery.
extension Content {
    func itemLog(_ number: CollectionNumber) -> ItemLog {
        let index = Int(number.raw) - 1
        return index < itemLogs.count ? itemLogs[index] : ItemLog()
    }

    /// The index of a collection's lines, which are there from now on.
    mutating func itemLogIndex(_ number: CollectionNumber) -> Int {
        let index = Int(number.raw) - 1
        while itemLogs.count <= index { itemLogs.append(ItemLog()) }
        return index
    }

    /// Appends the line of an event that was applied and cuts the item's former one out.
    /// - Parameters:
    ///   - line: without its LF.
    ///   - former: the seq that the item had before; nil when there was none.
    mutating func take(_ event: ItemEvent, _ line: UnsafeRawBufferPointer, former: Seq?) -> [LineCut] {
        let index = itemLogIndex(event.collection)
        itemLogs[index].append(line, event.seq)
        return former.map { itemLogs[index].cut([$0]) } ?? []
    }

    // MARK: Recovery

    /// Applies an item's change again. Lines that a snapshot has given are not wanted again: one that is not among them was
    /// cut out since.
    mutating func replay(_ event: ItemEvent, _ line: UnsafeRawBufferPointer) {
        let index = itemLogIndex(event.collection)
        let collection = state.collection(event.collection)
        let former = collection.item(event.id)?.seq
        let isCovered = event.seq < itemLogs[index].nextSeq
        if isCovered { state.applyCovered(event) } else { state.apply(event) }
        if collection.isDropped { return itemLogs[index].nextSeq = max(itemLogs[index].nextSeq, event.seq + 1) }
        if let former, former < event.seq { _ = itemLogs[index].cut([former]) }
        if !isCovered { itemLogs[index].append(line, event.seq) }
        dropEmptyChunks(of: index)
    }

    /// Lines of deletions that an entry, which is about to be applied, forgets.
    mutating func cutForgotten(by entry: LedgerEntry) {
        guard case .forgetItems(let number, let seq) = entry, state.exists(number) else { return }
        _ = itemLogs[itemLogIndex(number)].cut(state.collection(number).deletions(through: seq))
    }

    /// The lines of a conversation's collections go with it.
    mutating func clearDropped(in conversation: ConversationNumber) {
        for number in state.collections(of: conversation) { itemLogs[itemLogIndex(number)].removeAll() }
    }

    private mutating func dropEmptyChunks(of index: Int) { _ = itemLogs[index].dropEmpty() }

    /// Takes over what a file of a snapshot says of items.
    mutating func restore(_ run: ItemRun) throws(RecordFault) {
        guard state.exists(run.collection) else {
            throw RecordFault("items of collection \(run.collection.raw), which does not exist")
        }
        let index = itemLogIndex(run.collection)
        var unwanted: [Seq] = []
        for entry in run.lines {
            let isSound = entry.bytes.withUnsafeBytes { bytes -> Bool in
                guard let line = ItemLine(bytes), line.seq >= itemLogs[index].nextSeq else { return false }
                itemLogs[index].append(bytes, line.seq)
                let item = Collection.Item(seq: line.seq, owner: entry.owner, isDeleted: line.isDeletion)
                let id = String(decoding: line.id, as: UTF8.self)
                if let seq = state.restore(item, id, time: line.time, in: run.collection) { unwanted.append(seq) }
                return true
            }
            if !isSound { throw RecordFault("items of collection \(run.collection.raw) that do not follow each other") }
        }
        _ = itemLogs[index].cut(unwanted.sorted())
        if let next = run.next {
            guard next >= itemLogs[index].nextSeq, next <= State.largestSeq else {
                throw RecordFault("collection \(run.collection.raw) ends before its last item")
            }
            itemLogs[index].nextSeq = next
        }
    }

    /// The end of every recovery.
    /// - Throws: `RecordFault` when items and lines do not agree.
    mutating func finishItems() throws(RecordFault) {
        for collection in state.collections {
            let index = itemLogIndex(collection.number)
            if collection.isDropped {
                itemLogs[index].removeAll()
                itemLogs[index].nextSeq = collection.nextSeq
            }
            guard itemLogs[index].nextSeq == collection.nextSeq else {
                throw RecordFault("collection \(collection.number.raw) has other changes than lines")
            }
        }
    }
}

/// Lines of one collection as a file of a snapshot has them.
package struct ItemRun: Sendable {
    package struct Line: Sendable {
        package let owner: AccountNumber
        /// Without its LF.
        package let bytes: [UInt8]
        package init(owner: AccountNumber, bytes: [UInt8]) { (self.owner, self.bytes) = (owner, bytes) }
    }

    package let collection: CollectionNumber
    package let lines: [Line]
    /// The next seq of the collection, in its last file.
    package let next: Seq?
    package init(collection: CollectionNumber, lines: [Line], next: Seq?) {
        (self.collection, self.lines, self.next) = (collection, lines, next)
    }

    /// Reads a file.
    init(decoding bytes: UnsafeRawBufferPointer) throws(JSONFault) {
        var lines: [Line] = []
        let (number, next) = try ItemCodec.decode(bytes) { (owner, line) throws(JSONFault) in
            lines.append(Line(owner: owner, bytes: Array(line)))
        }
        self.init(collection: number, lines: lines, next: next)
    }
}
