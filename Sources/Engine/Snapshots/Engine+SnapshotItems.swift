import Bytes
import ChatCore
import ChatModel
import Persistence
import Wire

/// Collections and their items in a snapshot: a file for each stretch of seqs that has lines, written again when one of
/// them came or went.
extension Engine {
    func stepCollections(_ pass: inout SnapshotProgress.Pass) -> Int {
        let first = pass.shard * State.collectionsPerShard
        if first >= pass.collectionCount {
            (pass.stage, pass.shard) = (.timelines, 0)
            return 0
        }
        let mark = content.state.collectionMark(shard: pass.shard)
        return stepShard(
            .collections(pass.shard),
            first..<min(pass.collectionCount, first + State.collectionsPerShard),
            isCurrent: SnapshotHoldings.isCurrent(snapshots.holdings.collections, pass.shard, mark: mark),
            &pass,
            begin: CollectionCodec.begin,
            end: CollectionCodec.end
        ) { index, isFirst, out in
            if !isFirst { CollectionCodec.separate(&out) }
            let number = CollectionNumber(UInt32(clamping: index + 1))
            CollectionCodec.encode(content.state.collection(number), at: appended, into: &out)
            return true
        }
    }

    /// A file of one collection, or a part of it; files without a line are not written, but for the last, which says where
    /// the collection goes on.
    /// - Returns: bytes encoded.
    func stepItems(_ pass: inout SnapshotProgress.Pass) -> Int {
        if pass.shard >= pass.collectionCount {
            pass.stage = .finished
            return 0
        }
        let number = CollectionNumber(UInt32(clamping: pass.shard + 1))
        let collection = content.state.collection(number)
        if !pass.isOpen {
            if collection.isDropped || collection.nextSeq == 1 {
                nextCollection(&pass)
                return 0
            }
            pass.itemFile = nextFile(of: collection, from: pass.itemSeq)
            let part = SnapshotPart.items(number, pass.itemFile)
            let held = snapshots.holdings.items[ItemFile(collection: number, file: pass.itemFile)] ?? 0
            if held > 0, collection.mark(file: pass.itemFile) <= held {
                keep(part, &pass)
                goOn(behind: pass.itemFile, of: collection, &pass)
                return 0
            }
        }
        return encodeItems(of: collection, &pass)
    }

    /// The file of the next line, or the last one.
    private func nextFile(of collection: Collection, from seq: Seq) -> Int {
        var first = collection.nextSeq - 1
        _ = content.itemLog(collection.number).scan(from: seq) { own, _ in
            first = own
            return false
        }
        return collection.file(of: first)
    }

    private func nextCollection(_ pass: inout SnapshotProgress.Pass) {
        (pass.shard, pass.itemSeq) = (pass.shard + 1, 1)
    }

    private func goOn(behind file: Int, of collection: Collection, _ pass: inout SnapshotProgress.Pass) {
        if file >= collection.file(of: collection.nextSeq - 1) { return nextCollection(&pass) }
        pass.itemSeq = Seq(file + 1) * collection.seqsPerFile + 1
    }

    private func encodeItems(of collection: Collection, _ pass: inout SnapshotProgress.Pass) -> Int {
        let part = SnapshotPart.items(collection.number, pass.itemFile)
        let last = Seq(pass.itemFile + 1) * collection.seqsPerFile
        var out = ByteBuffer(capacity: 4096)
        if !pass.isOpen {
            (pass.isOpen, pass.encoded) = (true, 0)
            snapshotWork.append(.open(part))
            ItemCodec.begin(collection.number, &out)
        }
        var (rest, encoded) = (Seq?.none, pass.encoded)
        _ = content.itemLog(collection.number).scan(from: pass.itemSeq) { seq, bytes in
            if seq > last { return false }
            if out.count >= snapshots.stepSize {
                rest = seq
                return false
            }
            guard let line = ItemLine(bytes), let item = collection.item(String(decoding: line.id, as: UTF8.self)),
                item.seq == seq
            else { return true }
            ItemCodec.append(bytes, owner: item.owner, isFirst: encoded == 0, into: &out)
            encoded += 1
            return true
        }
        pass.encoded = encoded
        if let rest {
            pass.itemSeq = rest
            return emit(out, closing: nil, &pass)
        }
        // What is said of the end and what stands before it are of the same moment.
        let isLast = pass.itemFile >= collection.file(of: collection.nextSeq - 1)
        ItemCodec.end(next: isLast ? collection.nextSeq : nil, &out)
        let file = pass.itemFile
        let size = emit(out, closing: part, &pass)
        goOn(behind: file, of: collection, &pass)
        return size
    }
}
