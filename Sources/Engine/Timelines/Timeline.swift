import Bytes
import ChatModel
import Wire

/// All lines of one conversation, as they read now, in chunks of whole lines. The engine's own; loops have copies of the
/// list (`CursorTable`).
///
/// Every event is one line and seqs have no gaps, so that line `k` of a chunk has the seq `firstSeq + k`.
package struct Timeline: Sendable {
    package struct Piece: Sendable {
        package var chunk: Chunk
        package var length: Int32
        package let firstSeq: Seq
    }

    package internal(set) var pieces = ContiguousArray<Piece>()
    /// Ordinal of `pieces[0]`.
    package private(set) var firstOrdinal: Int32 = 0
    package internal(set) var nextSeq: Seq = 1
    /// The last chunk that mail has told of; it may have grown since.
    package var publishedOrdinal: Int32 = 0
    /// What snapshots write once: stretches of whole chunks from the first line on, in order.
    package internal(set) var stretches = ContiguousArray<Stretch>()
    /// Nothing depends on lines below this any more, and they may go (`Content.settleGone`).
    var settled: Seq = 1

    package init() {}

    /// The end of the last line.
    package var end: Place {
        guard let last = pieces.last else { return Place(ordinal: firstOrdinal, offset: 0) }
        return Place(ordinal: firstOrdinal + Int32(pieces.count) - 1, offset: last.length)
    }

    /// The first seq still kept.
    package var firstSeq: Seq { pieces.first?.firstSeq ?? nextSeq }

    /// Appends one line, given without its LF. Amortised O(bytes).
    package mutating func append(_ line: UnsafeRawBufferPointer) {
        let last = pieces.count - 1
        if last < 0 || pieces[last].chunk.capacity - Int(pieces[last].length) <= line.count {
            let doubled = last < 0 ? Chunk.smallest : min(pieces[last].chunk.capacity * 2, Chunk.largest)
            pieces.append(Piece(chunk: Chunk(capacity: max(doubled, line.count + 1)), length: 0, firstSeq: nextSeq))
        }
        let at = pieces.count - 1
        guard let source = line.baseAddress else { return }
        let target = pieces[at].chunk.base + Int(pieces[at].length)
        target.copyMemory(from: source, byteCount: line.count)
        target.storeBytes(of: 0x0A, toByteOffset: line.count, as: UInt8.self)
        pieces[at].length += Int32(line.count + 1)
        nextSeq += 1
    }

    /// The start of the line with `seq`; the end for `nextSeq` and beyond; the first line for what is not kept.
    /// O(log chunks + chunk).
    package func place(of seq: Seq) -> Place {
        if seq >= nextSeq { return end }
        let index = pieceIndex(of: max(seq, firstSeq))
        let piece = pieces[index]
        let line = Int(clamping: max(seq, firstSeq) - piece.firstSeq)
        let offset = LineSplitter.offset(ofLine: line, in: Self.bytes(piece)) ?? Int(piece.length)
        return Place(ordinal: firstOrdinal + Int32(index), offset: Int32(offset))
    }

    /// Runs `body` on the line with `seq`, without its LF; nil when it is not kept.
    package func withLine<Result>(_ seq: Seq, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        guard seq >= firstSeq, seq < nextSeq else { return nil }
        let place = place(of: seq)
        let all = Self.bytes(pieces[Int(place.ordinal - firstOrdinal)])
        guard let lineEnd = LineSplitter.lineEnd(in: all, from: Int(place.offset)) else { return nil }
        return body(UnsafeRawBufferPointer(rebasing: all[Int(place.offset)..<lineEnd]))
    }

    /// Runs `body` on every line from `first` on, in order, without its LF.
    package func forEachLine(from first: Seq = 1, _ body: (Seq, UnsafeRawBufferPointer) -> Void) {
        for index in pieces.indices.dropFirst(first > firstSeq ? pieceIndex(of: first) : 0) {
            let all = Self.bytes(pieces[index])
            var (seq, offset) = (pieces[index].firstSeq, 0)
            while let lineEnd = LineSplitter.lineEnd(in: all, from: offset) {
                if seq >= first { body(seq, UnsafeRawBufferPointer(rebasing: all[offset..<lineEnd])) }
                (seq, offset) = (seq + 1, lineEnd + 1)
            }
        }
    }

    /// The lines of one chunk from `seq` on, as far as they stand below `limit`, and the seq behind them; nil when there are
    /// none. O(chunk).
    func lines(from seq: Seq, below limit: Seq) -> (end: Seq, lines: UnsafeRawBufferPointer)? {
        guard seq >= firstSeq, seq < min(limit, nextSeq) else { return nil }
        let index = pieceIndex(of: seq)
        let (all, first) = (Self.bytes(pieces[index]), pieces[index].firstSeq)
        let next = index + 1 < pieces.count ? pieces[index + 1].firstSeq : nextSeq
        let end = min(next, limit)
        guard let start = LineSplitter.offset(ofLine: Int(clamping: seq - first), in: all) else { return nil }
        let stop = end == next ? all.count : LineSplitter.offset(ofLine: Int(clamping: end - first), in: all)
        return (end, UnsafeRawBufferPointer(rebasing: all[start..<(stop ?? all.count)]))
    }

    /// The first event not before `time`, `nextSeq` when there is none. O(log chunks + chunk).
    package func firstSeq(notBefore time: Timestamp) -> Seq {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if self.time(of: pieces[middle].firstSeq) < time { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return firstSeq }
        let piece = pieces[low - 1]
        let stop = low < pieces.count ? pieces[low].firstSeq : nextSeq
        var (seq, offset) = (piece.firstSeq, 0)
        let all = Self.bytes(piece)
        while seq < stop, let lineEnd = LineSplitter.lineEnd(in: all, from: offset) {
            let line = UnsafeRawBufferPointer(rebasing: all[offset..<lineEnd])
            if let event = EventParser.parse(line), event.time >= time { return seq }
            (seq, offset) = (seq + 1, lineEnd + 1)
        }
        return stop
    }

    /// Puts `line` (without its LF) in the place of the line with `seq`, in a new chunk; the old one stays as it is for
    /// whoever still reads it. Returns the ordinal of the chunk, nil when the line is not kept. O(chunk).
    package mutating func replace(_ seq: Seq, with line: UnsafeRawBufferPointer) -> Int32? {
        guard seq >= firstSeq, seq < nextSeq, let source = line.baseAddress else { return nil }
        let place = place(of: seq)
        let index = Int(place.ordinal - firstOrdinal)
        let old = Self.bytes(pieces[index])
        guard let lineEnd = LineSplitter.lineEnd(in: old, from: Int(place.offset)), let from = old.baseAddress else {
            return nil
        }
        let (head, tail) = (Int(place.offset), old.count - lineEnd)  // the tail begins with the old line's LF
        let length = head + line.count + tail
        let new = Chunk(capacity: max(length, pieces[index].chunk.capacity))
        new.base.copyMemory(from: from, byteCount: head)
        (new.base + head).copyMemory(from: source, byteCount: line.count)
        (new.base + head + line.count).copyMemory(from: from + lineEnd, byteCount: tail)
        pieces[index].chunk = new
        pieces[index].length = Int32(length)
        noteChange(in: seq)
        return place.ordinal
    }

    /// Goes over the lines of the chunk that holds `seq` and puts those that `body` writes anew in the place of the old ones,
    /// all in one new chunk. O(chunk).
    /// - Parameter body: gets a line and writes another; false when it leaves it.
    /// - Returns: the first seq behind the chunk, how many bytes were looked at, and the ordinal when anything changed.
    package mutating func rewriteChunk(
        at seq: Seq,
        _ body: (UnsafeRawBufferPointer, inout ByteBuffer) -> Bool
    ) -> (next: Seq, looked: Int, changed: Int32?) {
        guard seq < nextSeq, !pieces.isEmpty else { return (nextSeq, 0, nil) }
        let index = pieceIndex(of: max(seq, firstSeq))
        let next = index + 1 < pieces.count ? pieces[index + 1].firstSeq : nextSeq
        let old = Self.bytes(pieces[index])
        var out = ByteBuffer(capacity: old.count)
        var (at, changes) = (0, false)
        while let lineEnd = LineSplitter.lineEnd(in: old, from: at) {
            let line = UnsafeRawBufferPointer(rebasing: old[at..<lineEnd])
            if body(line, &out) { changes = true } else { out.append(line) }
            out.append(byte: 0x0A)
            at = lineEnd + 1
        }
        guard changes, let from = out.readable.baseAddress else { return (next, old.count, nil) }
        let new = Chunk(capacity: max(out.count, pieces[index].chunk.capacity))
        new.base.copyMemory(from: from, byteCount: out.count)
        pieces[index].chunk = new
        pieces[index].length = Int32(out.count)
        noteChange(in: pieces[index].firstSeq)
        return (next, old.count, firstOrdinal + Int32(index))
    }

    /// Lets go of whole chunks whose lines all stand below `seq`; returns the first ordinal still kept.
    package mutating func trim(below seq: Seq) -> Int32 {
        var gone = 0
        while gone + 1 < pieces.count, pieces[gone + 1].firstSeq <= seq { gone += 1 }
        pieces.removeFirst(gone)
        firstOrdinal += Int32(gone)
        return firstOrdinal
    }

    /// The whole list, for a loop that has its first cursor here.
    /// - Parameters:
    ///   - kept: what stands below is gone, though its chunk may be there.
    ///   - notice: how a line begins that tells a cursor so.
    package func published(from kept: Seq = 1, notice: [UInt8] = []) -> PublishedLines {
        PublishedLines(
            firstSeq: firstSeq,
            firstOrdinal: firstOrdinal,
            chunks: ContiguousArray(pieces.map { PublishedChunk(chunk: $0.chunk, length: $0.length) }),
            keptSeq: max(kept, firstSeq),
            notice: notice
        )
    }

    package func piece(_ ordinal: Int32) -> PublishedChunk {
        let piece = pieces[Int(ordinal - firstOrdinal)]
        return PublishedChunk(chunk: piece.chunk, length: piece.length)
    }

    private func time(of seq: Seq) -> Timestamp {
        let parsed = withLine(seq) { EventParser.parse($0)?.time }
        return (parsed ?? nil) ?? Timestamp(milliseconds: 0)
    }

    /// Index of the piece that holds `seq`, which is kept; of the last one for what comes behind.
    func pieceIndex(of seq: Seq) -> Int {
        var (low, high) = (0, pieces.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if pieces[middle].firstSeq <= seq { low = middle } else { high = middle - 1 }
        }
        return low
    }

    static func bytes(_ piece: Piece) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: piece.chunk.base, count: Int(piece.length))
    }
}
