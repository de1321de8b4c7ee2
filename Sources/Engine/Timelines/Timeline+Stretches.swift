import Bytes
import ChatModel

/// A run of whole chunks that nothing is appended to any more: one file of a snapshot.
package struct Stretch: Sendable, Equatable {
    package let first: Seq
    package let last: Seq
    /// Counts lines in it that were put in the place of others.
    package internal(set) var changes: UInt32 = 0
    /// `changes` as the file on disk has it; nil when there is no file.
    package var saved: UInt32?

    package init(first: Seq, last: Seq, saved: UInt32? = nil) {
        (self.first, self.last, self.saved) = (first, last, saved)
    }
}

extension Timeline {
    /// Bytes of lines that make a stretch.
    package static let stretchSize = 1 << 20

    /// The first line behind all stretches; of those below `kept` there are none (`trimStretches`).
    func tailSeq(from kept: Seq) -> Seq { max(kept, stretches.last.map { $0.last + 1 } ?? firstSeq) }

    /// Lets go of stretches below `kept`. One that this cuts becomes a stretch for each of its chunks, so that only the first
    /// of them is written again as time goes on. O(stretches and chunks of one).
    mutating func trimStretches(below kept: Seq) {
        stretches.removeFirst(stretches.prefix { $0.last < kept }.count)
        guard let cut = stretches.first, cut.first < kept else { return }
        let parts = pieceRange(from: kept, through: cut.last).map { index in
            let end = index + 1 < pieces.count ? pieces[index + 1].firstSeq : nextSeq
            return Stretch(first: max(kept, pieces[index].firstSeq), last: min(cut.last, end - 1))
        }
        stretches.replaceSubrange(0..<1, with: parts)
    }

    /// Makes stretches of the chunks behind the last one, as far as there are enough. O(chunks behind it).
    mutating func seal(from kept: Seq) {
        var (size, first) = (0, tailSeq(from: kept))
        for index in pieceRange(from: first, through: nextSeq) where index + 1 < pieces.count {
            size += Int(pieces[index].length)
            guard size >= Self.stretchSize else { continue }
            let next = pieces[index + 1].firstSeq
            stretches.append(Stretch(first: first, last: next - 1))
            (size, first) = (0, next)
        }
    }

    /// The chunks of the lines from `first` through `last`, and the bytes of the first of them that stand in front of these
    /// lines. Behind `last` no chunk has a line, but for the newest one.
    func chunks(from first: Seq, through last: Seq) -> (chunks: [PublishedChunk], skipping: Int) {
        let range = pieceRange(from: first, through: last)
        guard let start = range.first else { return ([], 0) }
        let lines = Int(clamping: first - min(first, pieces[start].firstSeq))
        let skipping = LineSplitter.offset(ofLine: lines, in: Self.bytes(pieces[start])) ?? Int(pieces[start].length)
        return (range.map { PublishedChunk(chunk: pieces[$0].chunk, length: pieces[$0].length) }, skipping)
    }

    /// Appends chunks as a snapshot has them; false when they do not follow, or do not begin where the conversation does.
    mutating func restore(_ run: TimelineRun) -> Bool {
        let (end, isOver) = run.first.addingReportingOverflow(Seq(run.count))
        guard run.first == nextSeq || pieces.isEmpty && nextSeq == 1, !isOver else { return false }
        for piece in run.pieces where piece.length > 0 {
            pieces.append(piece)
        }
        nextSeq = end
        if run.isStretch { stretches.append(Stretch(first: run.first, last: nextSeq - 1, saved: 0)) }
        return true
    }

    mutating func noteChange(in seq: Seq) {
        guard let index = stretches.firstIndex(where: { $0.first <= seq && seq <= $0.last }) else { return }
        stretches[index].changes &+= 1
    }

    /// No file of the stretches is relied on any more.
    mutating func forgetFiles() { for index in stretches.indices { stretches[index].saved = nil } }

    /// Indices of the pieces with lines from `first` through `last`.
    private func pieceRange(from first: Seq, through last: Seq) -> Range<Int> {
        guard first < nextSeq, first <= last, last >= firstSeq, !pieces.isEmpty else { return 0..<0 }
        let (low, high) = (pieceIndex(of: max(first, firstSeq)), pieceIndex(of: min(last, nextSeq - 1)))
        return low..<(high + 1)
    }
}
