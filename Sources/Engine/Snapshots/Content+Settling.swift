import ChatCore
import ChatModel
import Persistence
import Wire

extension Content {
    /// What stands in lines only: which messages have blobs, and what stands under them. And since lines may come from
    /// different moments, edits whose text is no longer the message's lose it. O(all lines).
    mutating func settleLines() {
        state.forgetReferences()
        state.forgetReactions()
        let hasBlobs = state.hasBlobs
        var superseded: [(ConversationNumber, Seq)] = []
        for (index, timeline) in timelines.enumerated() {
            let number = ConversationNumber(UInt32(clamping: index + 1))
            let first = state.exists(number) ? state.conversation(number).firstSeq : 1
            timeline.forEachLine(from: first) { seq, line in
                guard line.count > 8 else { return }
                switch (line[3], line[4]) {
                case (0x6D, 0x73) where hasBlobs:  // msg
                    guard let blob = EventParser.parse(line)?.blob else { return }
                    state.restoreReference(to: blob, number, seq)
                case (0x72, 0x65), (0x64, 0x65):  // react, delete
                    settleReaction(line, number, from: first)
                case (0x65, 0x64):  // edit
                    if state.exists(number) { state.restoreEdit(seq, in: number) }
                    if isSuperseded(line, seq, timeline, from: first) { superseded.append((number, seq)) }
                default: return
                }
            }
        }
        for (number, seq) in superseded { dropText(of: seq, in: number) }
    }

    private func settleReaction(_ line: UnsafeRawBufferPointer, _ number: ConversationNumber, from first: Seq) {
        guard let event = JournalPayload.event(ofLine: line, of: number, state) else { return }
        if case .react(let reaction) = event.kind, !event.by.isAccount || reaction.message < first { return }
        state.restoreReaction(event.kind, by: event.by, in: number)
    }

    private func isSuperseded(
        _ line: UnsafeRawBufferPointer,
        _ seq: Seq,
        _ timeline: Timeline,
        from first: Seq
    ) -> Bool {
        guard let event = EventParser.parse(line), event.quotedText != nil, let message = event.number("id") else {
            return false
        }
        if message < first { return true }
        let last = timeline.withLine(message) { EventParser.parse($0)?.number("edited") } ?? nil
        return last != seq
    }
}
