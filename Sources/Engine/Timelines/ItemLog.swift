import Bytes
import ChatModel
import Wire

/// The lines of one collection: a compacted log (protocol.md, Items). Each item has the line of its last change, at that
/// change's seq; seqs have gaps. In chunks like a conversation's lines, and sent the same way.
///
/// A change appends a line and cuts the item's former one out of its chunk, which is copied without it: O(chunk), 64 KiB at
/// most, whatever the size of the collection. Nothing dead stays: what is kept is the lines that stand, and no more than
/// half of the chunks, but for a few, are empty (`dropEmpty`).
package struct ItemLog: Sendable {
    package internal(set) var pieces = ContiguousArray<Timeline.Piece>()
    /// Ordinal of `pieces[0]`.
    package private(set) var firstOrdinal: Int32 = 0
    package internal(set) var nextSeq: Seq = 1
    /// The last chunk that mail has told of; it may have grown since.
    package var publishedOrdinal: Int32 = 0
    /// Chunks without a line.
    private var emptyCount = 0

    package init() {}

    /// The end of the last line.
    package var end: Place {
        guard let last = pieces.last else { return Place(ordinal: firstOrdinal, offset: 0) }
        return Place(ordinal: firstOrdinal + Int32(pieces.count) - 1, offset: last.length)
    }

    /// Bytes of all lines.
    package var byteCount: Int { pieces.reduce(0) { $0 + Int($1.length) } }

    /// Appends the line with `seq`, which is above all others, given without its LF. Amortised O(bytes).
    package mutating func append(_ line: UnsafeRawBufferPointer, _ seq: Seq) {
        let last = pieces.count - 1
        if last < 0 || pieces[last].chunk.capacity - Int(pieces[last].length) <= line.count {
            if last >= 0, pieces[last].length == 0 { emptyCount += 1 }
            let doubled =
                last < 0 ? Chunk.smallest : min(max(Chunk.smallest, pieces[last].chunk.capacity * 2), Chunk.largest)
            pieces.append(
                Timeline.Piece(chunk: Chunk(capacity: max(doubled, line.count + 1)), length: 0, firstSeq: seq)
            )
        }
        let at = pieces.count - 1
        guard let source = line.baseAddress else { return }
        let target = pieces[at].chunk.base + Int(pieces[at].length)
        target.copyMemory(from: source, byteCount: line.count)
        target.storeBytes(of: 0x0A, toByteOffset: line.count, as: UInt8.self)
        pieces[at].length += Int32(line.count + 1)
        nextSeq = seq + 1
    }

    /// Cuts the lines with these seqs out, as far as they are there. O(chunk) for each chunk that has one.
    /// - Parameter seqs: ascending.
    package mutating func cut(_ seqs: [Seq]) -> [LineCut] {
        var cuts: [LineCut] = []
        var rest = seqs[...]
        while let first = rest.first, !pieces.isEmpty {
            let index = pieceIndex(of: first)
            let end = index + 1 < pieces.count ? pieces[index + 1].firstSeq : nextSeq
            let here = rest.prefix { $0 < end }
            // What stands behind all lines is not there.
            if here.isEmpty { break }
            if let cut = cut(here, at: index) { cuts.append(cut) }
            rest = rest.dropFirst(here.count)
        }
        return cuts
    }

    private mutating func cut(_ seqs: ArraySlice<Seq>, at index: Int) -> LineCut? {
        let old = Self.bytes(pieces[index])
        var (removed, wanted, at) = ([Range<Int32>](), seqs, 0)
        while !wanted.isEmpty, let end = LineSplitter.lineEnd(in: old, from: at) {
            let seq = ItemLine.seq(of: UnsafeRawBufferPointer(rebasing: old[at...]))
            wanted = wanted.drop { $0 < seq }
            if wanted.first == seq { removed.append(Int32(at)..<Int32(end + 1)) }
            at = end + 1
        }
        if removed.isEmpty { return nil }
        let length = old.count - removed.reduce(0) { $0 + $1.count }
        let isLast = index == pieces.count - 1
        let new = Chunk(capacity: isLast ? pieces[index].chunk.capacity : max(1, length))
        var (from, to) = (0, 0)
        for range in removed + [Int32(old.count)..<Int32(old.count)] {
            let count = Int(range.lowerBound) - from
            if count > 0, let base = old.baseAddress { (new.base + to).copyMemory(from: base + from, byteCount: count) }
            (from, to) = (Int(range.upperBound), to + count)
        }
        pieces[index].chunk = new
        pieces[index].length = Int32(length)
        if length == 0, !isLast { emptyCount += 1 }
        return LineCut(ordinal: firstOrdinal + Int32(index), removed: removed)
    }

    /// Lets chunks without a line go when there are many; the others move up. O(chunks), amortised O(1) a change.
    /// - Returns: the ordinals of those that stay; nil when nothing was done.
    package mutating func dropEmpty() -> [Int32]? {
        guard emptyCount > 16, emptyCount > pieces.count / 2 else { return nil }
        let kept = pieces.indices.filter { pieces[$0].length > 0 || $0 == pieces.count - 1 }
        let published = Int(publishedOrdinal - firstOrdinal)
        publishedOrdinal = firstOrdinal + Int32(max(0, kept.prefix { $0 <= published }.count - 1))
        pieces = ContiguousArray(kept.map { pieces[$0] })
        emptyCount = 0
        return kept.map { firstOrdinal + Int32($0) }
    }

    /// Everything goes, and the list begins anew.
    package mutating func removeAll() { (pieces, emptyCount, publishedOrdinal) = ([], 0, firstOrdinal) }

    // MARK: Reading

    /// The first line with a seq of at least `seq`, the end when there is none. O(log chunks + chunk).
    package func place(of seq: Seq) -> Place {
        guard seq < nextSeq, !pieces.isEmpty else { return end }
        for index in pieceIndex(of: seq)..<pieces.count {
            let all = Self.bytes(pieces[index])
            var at = 0
            while let lineEnd = LineSplitter.lineEnd(in: all, from: at) {
                if ItemLine.seq(of: UnsafeRawBufferPointer(rebasing: all[at...])) >= seq {
                    return Place(ordinal: firstOrdinal + Int32(index), offset: Int32(at))
                }
                at = lineEnd + 1
            }
        }
        return end
    }

    /// Runs `body` on the line with `seq`, without its LF; nil when it is not there.
    package func withLine<Result>(_ seq: Seq, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        let place = place(of: seq)
        let index = Int(place.ordinal - firstOrdinal)
        guard index < pieces.count else { return nil }
        let all = Self.bytes(pieces[index])
        guard let lineEnd = LineSplitter.lineEnd(in: all, from: Int(place.offset)) else { return nil }
        let line = UnsafeRawBufferPointer(rebasing: all[Int(place.offset)..<lineEnd])
        return ItemLine.seq(of: line) == seq ? body(line) : nil
    }

    /// Runs `body` on the lines from `seq` on, in order, until it returns false or about `budget` bytes were looked at.
    /// - Returns: the seq to go on at; nil at the end.
    package func scan(
        from seq: Seq,
        budget: Int = .max,
        _ body: (Seq, UnsafeRawBufferPointer) -> Bool
    ) -> Seq? {
        guard seq < nextSeq, !pieces.isEmpty else { return nil }
        var looked = 0
        for index in pieceIndex(of: seq)..<pieces.count {
            let all = Self.bytes(pieces[index])
            var at = 0
            while let lineEnd = LineSplitter.lineEnd(in: all, from: at) {
                let line = UnsafeRawBufferPointer(rebasing: all[at..<lineEnd])
                let own = ItemLine.seq(of: line)
                looked += line.count + 64
                at = lineEnd + 1
                guard own >= seq else { continue }
                if looked > budget, own > seq { return own }
                if !body(own, line) { return own + 1 }
            }
        }
        return nil
    }

    /// The whole list, for a loop that has its first cursor here.
    /// - Parameter notice: how a line begins that tells a cursor that it may have missed something.
    package func published(notice: [UInt8]) -> PublishedLines {
        PublishedLines(
            firstSeq: 1,
            firstOrdinal: firstOrdinal,
            chunks: ContiguousArray(pieces.map { PublishedChunk(chunk: $0.chunk, length: $0.length) }),
            keptSeq: 1,
            notice: notice
        )
    }

    package func piece(_ ordinal: Int32) -> PublishedChunk {
        let piece = pieces[Int(ordinal - firstOrdinal)]
        return PublishedChunk(chunk: piece.chunk, length: piece.length)
    }

    /// Index of the piece that has, or had, the line with `seq`; of the first or last one for what stands before or behind.
    private func pieceIndex(of seq: Seq) -> Int {
        var (low, high) = (0, pieces.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if pieces[middle].firstSeq <= seq { low = middle } else { high = middle - 1 }
        }
        return low
    }

    static func bytes(_ piece: Timeline.Piece) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: piece.chunk.base, count: Int(piece.length))
    }
}

/// Lines that were cut out of a chunk.
package struct LineCut: Sendable, Equatable {
    /// The chunk, of which there is a new one without them.
    package let ordinal: Int32
    /// Where they stood in the old one, with their LFs, ascending.
    package let removed: [Range<Int32>]
    package init(ordinal: Int32, removed: [Range<Int32>]) { (self.ordinal, self.removed) = (ordinal, removed) }

    /// Where what stood at `offset`, the start or end of a line, stands now.
    func moved(_ offset: Int32) -> Int32 {
        var moved = offset
        for range in removed where range.upperBound <= offset { moved -= Int32(range.count) }
        return moved
    }
}
