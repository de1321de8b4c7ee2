import ChatCore
import ChatModel
import Persistence
import Wire

/// Collections of a damaged snapshot and journal. Their seqs have gaps anyway, so that what is lost leaves no mark in them.
extension Salvage {
    /// Takes over what is left of the snapshot's collections.
    mutating func restoreItems(_ remains: SnapshotSalvage) {
        var runs: [CollectionNumber: [ItemRun]] = [:]
        for run in remains.itemRuns { runs[run.collection, default: []].append(run) }
        let highest = max(remains.collections.keys.max()?.raw ?? 0, runs.keys.max()?.raw ?? 0)
        var raw: UInt32 = 0
        // A flaw may have made a number of another: no more are made up than there can be.
        while raw < min(highest, UInt32(clamping: remains.collections.count + runs.count + Self.largestGap)) {
            raw += 1
            let number = CollectionNumber(raw)
            let lines = Self.lines(of: runs[number] ?? [])
            if let entry = remains.collections[number], state.restore(entry.snapshot, validFrom: entry.validFrom) {
                // It is what it says.
            } else {
                make(number, like: lines.first.flatMap { Self.name($0.line.bytes) })
            }
            let next = runs[number]?.compactMap(\.next).max() ?? 0
            let run = ItemRun(collection: number, lines: lines.map(\.line), next: nil)
            do throws(RecordFault) { try content.restore(run) } catch { continue }
            let index = content.itemLogIndex(number)
            let end = max(content.itemLogs[index].nextSeq, next, state.collection(number).nextSeq)
            content.itemLogs[index].nextSeq = end
            if end > state.collection(number).nextSeq { state.passItems(to: end, in: number) }
        }
    }

    private static let largestGap = 1000

    /// All lines, each seq once, ascending.
    private static func lines(of runs: [ItemRun]) -> [(seq: Seq, line: ItemRun.Line)] {
        var found: [Seq: ItemRun.Line] = [:]
        for line in runs.flatMap(\.lines) {
            let seq = line.bytes.withUnsafeBytes { ItemLine($0)?.seq ?? 0 }
            if seq > 0, seq < State.largestSeq { found[seq] = line }
        }
        return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// `coll=` of a line.
    private static func name(_ line: [UInt8]) -> String? {
        line.withUnsafeBytes { ItemLine($0).map { String(decoding: $0.collection, as: UTF8.self) } }
    }

    /// Makes the next collection without its record: by the name that its lines give it.
    private mutating func make(_ number: CollectionNumber, like name: String?) {
        var (space, label) = (CollectionSpace.everyone, "lost-\(number.raw)")
        let parts = name?.utf8.split(separator: 0x2F, maxSplits: 1) ?? []
        if parts.count == 2 {
            let place = String(decoding: parts[0], as: UTF8.self)
            label = String(decoding: parts[1], as: UTF8.self)
            if place.utf8.first == 0x23 {
                let key = NameFolding.key(of: String(decoding: place.utf8.dropFirst(), as: UTF8.self))
                if let conversation = state.conversation(key: key) {
                    space = .conversation(conversation)
                } else {
                    // Nobody knows who might read it.
                    label = "lost-\(number.raw)"
                }
            }
        }
        let record = CollectionRecord(number: number, space: space, label: label, maker: nil)
        state.apply(.collection(record))
    }

    /// Makes up for collections whose records are gone.
    /// - Returns: why it is not done; nil when `number` may follow.
    mutating func makeCollections(below number: CollectionNumber) -> String? {
        let next = state.nextCollection
        guard number > next else { return nil }
        guard UInt64(number.raw - next.raw) <= unplaced else { return "its collection does not follow" }
        while state.nextCollection < number { make(state.nextCollection, like: nil) }
        return nil
    }

    mutating func takeItem(_ payload: UnsafeRawBufferPointer, _ globalSequence: UInt64, isTorn: Bool) {
        do throws(RecordFault) {
            let item = try ItemPayload(payload)
            if isTorn { throw RecordFault(Self.torn) }
            if item.by.isAccount, !ensure(item.by) {
                throw RecordFault("about account \(item.by.raw), of which nothing is left")
            }
            if let reason = makeCollections(below: item.collection) { throw RecordFault(reason) }
            if !state.exists(item.collection) {
                make(item.collection, like: String(decoding: item.recorded.collection, as: UTF8.self))
            }
            let next = state.collection(item.collection).nextSeq
            if !state.isAhead(of: item.event), item.seq != next {
                guard item.seq > next else { throw RecordFault("another change stands in its place") }
                state.passItems(to: item.seq, in: item.collection)
                let index = content.itemLogIndex(item.collection)
                content.itemLogs[index].nextSeq = max(content.itemLogs[index].nextSeq, item.seq)
            }
            try content.replay(payload, globalSequence: globalSequence)
        } catch {
            setAside(globalSequence, error.reason)
        }
    }

    /// The end: where a collection goes on is the same for all.
    mutating func agreeOnItems() {
        for collection in state.collections {
            state.passItems(to: content.itemLog(collection.number).nextSeq, in: collection.number)
            let index = content.itemLogIndex(collection.number)
            content.itemLogs[index].nextSeq = max(content.itemLogs[index].nextSeq, collection.nextSeq)
        }
    }
}
