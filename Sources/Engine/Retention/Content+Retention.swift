import Bytes
import ChatCore
import ChatModel
import Wire

/// Lines that are gone (`Conversation.firstSeq`): nobody is shown them from that moment on. A little later they are settled,
/// which takes back what depends on them, and then their chunks go.
extension Content {
    /// What a step of settling has cost and done.
    struct Settled {
        /// Bytes of lines, those that were read one by one counted several times.
        var looked = 0
        /// Ordinals of chunks that others have taken the place of.
        var changed = ContiguousArray<Int32>()
    }

    /// Bytes that a line costs beside its own, where lines are read one by one.
    private static let lineCost = 1024

    /// Takes back what depends on lines below `limit`, from `Timeline.settled` on: blobs lose these references, reactions to
    /// these messages are forgotten, and edits that are kept lose the text of messages that are not. Chunk by chunk, until
    /// about `budget` bytes were looked at.
    mutating func settleGone(_ number: ConversationNumber, through limit: Seq, budget: Int) -> Settled {
        let index = Int(number.raw) - 1
        var settled = Settled()
        var at = max(timelines[index].settled, timelines[index].firstSeq)
        while at < limit, settled.looked < budget, let (end, lines) = timelines[index].lines(from: at, below: limit) {
            settled.looked += lines.count
            forgetReactions(in: number, at..<end)
            if state.conversation(number).hasDependents { settle(lines, of: number, &settled) }
            at = end
        }
        timelines[index].settled = max(timelines[index].settled, at)
        return settled
    }

    private func forgetReactions(in number: ConversationNumber, _ seqs: Range<Seq>) {
        if state.conversation(number).hasReactions { state.forgetReactions(in: number, to: seqs) }
    }

    private mutating func settle(
        _ lines: UnsafeRawBufferPointer,
        of number: ConversationNumber,
        _ settled: inout Settled
    ) {
        let first = state.conversation(number).firstSeq
        var offset = 0
        while let end = LineSplitter.lineEnd(in: lines, from: offset) {
            let line = UnsafeRawBufferPointer(rebasing: lines[offset..<end])
            offset = end + 1
            settled.looked += Self.lineCost
            guard line.starts(with: "EV msg ".utf8), let event = EventParser.parse(line) else { continue }
            if let blob = event.blob { state.dropReference(to: blob, number, event.seq) }
            guard let edit = event.number("edited"), edit >= first else { continue }
            let changed = dropText(of: edit, in: number)
            for ordinal in changed where !settled.changed.contains(ordinal) { settled.changed.append(ordinal) }
            settled.looked += Chunk.largest
        }
    }

    /// The end of a recovery: whole chunks below what is kept go, and everything that depended on them has been put right.
    mutating func trimLines() {
        for index in timelines.indices where index < state.conversations.count {
            let first = state.conversations[index].firstSeq
            _ = timelines[index].trim(below: first)
            timelines[index].settled = first
        }
        for number in state.takeTrimmed() { state.watchTrims(of: number) }
        messageTotals = []
    }

    /// Chunks of lines that are gone and stay for a while, so that who follows a conversation at its pace misses nothing.
    static let excessChunks = 16

    /// While the journal is read again nobody follows: chunks above twice as many go at once. Amortised O(1).
    mutating func trimExcess(of number: ConversationNumber) {
        guard let limit = excess(of: number) else { return }
        _ = timelines[Int(number.raw) - 1].trim(below: limit)
    }

    /// The seq below which lines that are gone are to go from memory now; nil while there are not too many. O(1) then.
    func excess(of number: ConversationNumber) -> Seq? {
        let index = Int(number.raw) - 1
        guard index >= 0, index < timelines.count, timelines[index].pieces.count > 2 * Self.excessChunks,
            state.exists(number)
        else { return nil }
        let first = state.conversation(number).firstSeq
        guard timelines[index].pieces[2 * Self.excessChunks].firstSeq <= first else { return nil }
        let kept = timelines[index].pieceIndex(of: first)
        return timelines[index].pieces[kept - Self.excessChunks].firstSeq
    }
}
