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

    /// The first line behind all stretches.
    package var tailSeq: Seq { stretches.last.map { $0.last + 1 } ?? firstSeq }

    /// Makes stretches of the chunks behind the last one, as far as there are enough. O(chunks behind it).
    mutating func seal() {
        var (size, first) = (0, tailSeq)
        for index in pieceRange(from: first) where index + 1 < pieces.count {
            size += Int(pieces[index].length)
            guard size >= Self.stretchSize else { continue }
            let next = pieces[index + 1].firstSeq
            stretches.append(Stretch(first: first, last: next - 1))
            (size, first) = (0, next)
        }
    }

    /// The chunks of the lines from `first` through `last`, which are whole chunks but for the end of the newest one.
    func chunks(from first: Seq, through last: Seq) -> [PublishedChunk] {
        pieceRange(from: first).lazy.filter { pieces[$0].firstSeq <= last }.map {
            PublishedChunk(chunk: pieces[$0].chunk, length: pieces[$0].length)
        }
    }

    /// Appends chunks as a snapshot has them; false when they do not follow.
    mutating func restore(_ run: TimelineRun) -> Bool {
        guard run.first == nextSeq || pieces.isEmpty else { return false }
        if pieces.isEmpty { nextSeq = run.first }
        for piece in run.pieces where piece.length > 0 {
            pieces.append(piece)
        }
        nextSeq = run.first + Seq(run.count)
        if run.isStretch { stretches.append(Stretch(first: run.first, last: nextSeq - 1, saved: 0)) }
        return true
    }

    mutating func noteChange(in seq: Seq) {
        guard let index = stretches.firstIndex(where: { $0.first <= seq && seq <= $0.last }) else { return }
        stretches[index].changes &+= 1
    }

    /// No file of the stretches is relied on any more.
    mutating func forgetFiles() { for index in stretches.indices { stretches[index].saved = nil } }

    private func pieceRange(from seq: Seq) -> Range<Int> {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].firstSeq < seq { low = middle + 1 } else { high = middle }
        }
        return low..<pieces.count
    }
}
