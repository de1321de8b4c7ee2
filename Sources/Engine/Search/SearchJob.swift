import Bytes
import ChatModel
import Synchronization

/// A search of one conversation's lines: slow, pure work for a worker. What it reads is published and never changes.
package struct SearchJob: Sendable {
    /// Comes back with the result.
    package let id: UInt64
    /// The lines, as they were when the job was made.
    package let pieces: ContiguousArray<Timeline.Piece>
    /// Only these are looked at.
    package let seqs: Range<Seq>
    package let filter: MessageFilter
    /// How many are wanted, at least 1.
    package let limit: Int
    package let ticket: SearchTicket

    package init(
        id: UInt64,
        pieces: ContiguousArray<Timeline.Piece>,
        seqs: Range<Seq>,
        filter: MessageFilter,
        limit: Int,
        ticket: SearchTicket = SearchTicket()
    ) {
        (self.id, self.pieces, self.seqs, self.filter) = (id, pieces, seqs, filter)
        (self.limit, self.ticket) = (limit, ticket)
    }

    /// Does the work, from the newest chunk back. O(bytes), at some GB/s; stops behind the chunk in which the message
    /// after the last wanted one was found, and when nobody waits any more.
    package func run(_ scratch: inout MessageFilter.Scratch) -> SearchResult {
        var found: [Seq] = []
        var ofChunk: [Seq] = []
        for piece in pieces.reversed() where piece.firstSeq < seqs.upperBound {
            if found.count > limit || ticket.isVoid { break }
            ofChunk.removeAll(keepingCapacity: true)
            let isPast = scan(piece, &ofChunk, &scratch)
            found += ofChunk.reversed()
            if isPast { break }
        }
        return SearchResult(id: id, seqs: Array(found.prefix(limit)), more: found.count > limit)
    }

    /// Looks at the lines of one chunk, oldest first; true when no older one is wanted.
    private func scan(_ piece: Timeline.Piece, _ found: inout [Seq], _ scratch: inout MessageFilter.Scratch) -> Bool {
        // Only what was published when the job was made: behind it the engine may be writing.
        let lines = UnsafeRawBufferPointer(start: piece.chunk.base, count: Int(piece.length))
        var (seq, start) = (piece.firstSeq, 0)
        while seq < seqs.upperBound, let end = LineSplitter.lineEnd(in: lines, from: start) {
            if seq >= seqs.lowerBound {
                let line = UnsafeRawBufferPointer(rebasing: lines[start..<end])
                if filter.matches(line, &scratch) { found.append(seq) }
            }
            (seq, start) = (seq + 1, end + 1)
        }
        return piece.firstSeq <= seqs.lowerBound
    }
}

/// Whether somebody waits for a search: taken back when its connection closes, looked at between chunks.
package final class SearchTicket: Sendable {
    private let flag = Atomic<Bool>(false)
    package init() {}
    package var isVoid: Bool { flag.load(ordering: .relaxed) }
    package func void() { flag.store(true, ordering: .relaxed) }
}

/// What a search has found: seqs, newest first, and whether there are older ones that match.
package struct SearchResult: Sendable {
    package let id: UInt64
    package let seqs: [Seq]
    package let more: Bool
    package init(id: UInt64, seqs: [Seq], more: Bool) { (self.id, self.seqs, self.more) = (id, seqs, more) }
}
