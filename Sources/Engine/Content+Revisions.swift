import Bytes
import ChatCore
import ChatModel
import Wire

/// What events mean for lines that are there already (protocol.md, Events): a message reads as it is now, and what it read
/// before is nowhere any more. The same live and at every recovery, and no harm done twice.
extension Content {
    /// Rewrites the lines that an event is about. O(chunk).
    /// - Parameter line: the event's own line, without its LF.
    /// - Returns: ordinals of chunks that others have taken the place of.
    mutating func revise(_ event: Event, _ line: UnsafeRawBufferPointer) -> ContiguousArray<Int32> {
        switch event.kind {
        case .edit(let message, _): edit(message, event, line)
        case .delete(let message): delete(message, event)
        default: []
        }
    }

    private mutating func edit(
        _ message: Seq,
        _ event: Event,
        _ line: UnsafeRawBufferPointer
    ) -> ContiguousArray<Int32> {
        guard let text = EventParser.parse(line)?.quotedText else { return [] }
        // At a recovery the line may have been taken from a later moment: then it is as it should be.
        let isLater = timeline(event.conversation).withLine(message) { old in
            Self.isErased(old) || EventParser.parse(old)?.number("edited") ?? 0 >= event.seq
        }
        if isLater != false { return [] }
        let earlier = blankEdit(of: message, event.conversation)
        let changed = rewrite(message, event.conversation) {
            EventRewriter.edit($0, by: event.seq, quotedText: text, into: &$1)
        }
        return earlier + changed
    }

    private mutating func delete(_ message: Seq, _ event: Event) -> ContiguousArray<Int32> {
        let earlier = blankEdit(of: message, event.conversation)
        forgetBlob(of: message, event.conversation)
        let changed = rewrite(message, event.conversation) { EventRewriter.delete($0, by: event.seq, into: &$1) }
        return earlier + changed
    }

    /// The edit that a message's text came from has none any more.
    private mutating func blankEdit(
        of message: Seq,
        _ conversation: ConversationNumber
    ) -> ContiguousArray<Int32> {
        let edited = timeline(conversation).withLine(message) { EventParser.parse($0)?.number("edited") } ?? nil
        guard let edited else { return [] }
        return rewrite(edited, conversation) { EventRewriter.dropText($0, into: &$1) }
    }

    /// An edit loses its text.
    /// - Returns: ordinals of chunks that others have taken the place of.
    @discardableResult
    mutating func dropText(of edit: Seq, in conversation: ConversationNumber) -> ContiguousArray<Int32> {
        rewrite(edit, conversation) { EventRewriter.dropText($0, into: &$1) }
    }

    private func forgetBlob(of message: Seq, _ conversation: ConversationNumber) {
        if let blob = blob(of: message, conversation) { state.dropReference(to: blob, conversation, message) }
    }

    /// The upload that a message has.
    func blob(of message: Seq, _ conversation: ConversationNumber) -> BlobID? {
        guard state.hasBlobs else { return nil }
        return timeline(conversation).withLine(message) { EventParser.parse($0)?.blob } ?? nil
    }

    /// Puts another line in the place of the one with `seq`, unless it is not kept.
    private mutating func rewrite(
        _ seq: Seq,
        _ conversation: ConversationNumber,
        _ body: (UnsafeRawBufferPointer, inout ByteBuffer) -> Void
    ) -> ContiguousArray<Int32> {
        let index = Int(conversation.raw) - 1
        guard index < timelines.count else { return [] }
        var out = ByteBuffer(capacity: 512)
        guard timelines[index].withLine(seq, { body($0, &out) }) != nil,
            let ordinal = timelines[index].replace(seq, with: out.readable)
        else { return [] }
        return [ordinal]
    }

    /// Whether a message's line is all that is left of it.
    static func isErased(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let event = EventParser.parse(line) else { return false }
        return event.field("deleted") != nil || event.by == "deleted"
    }
}

// MARK: Erasing an account

extension Content {
    /// Takes the words out of lines of an account, from `seq` on, chunk by chunk, until about `budget` bytes were looked at.
    /// - Parameter names: the account's handle and those it had before.
    /// - Returns: where to go on, nil at the end; and ordinals of chunks that others have taken the place of.
    mutating func eraseLines(
        of names: [String],
        in conversation: ConversationNumber,
        from seq: Seq,
        budget: Int
    ) -> (next: Seq?, changed: ContiguousArray<Int32>) {
        let index = Int(conversation.raw) - 1
        guard index < timelines.count else { return (nil, []) }
        let needles = names.map { Array(" by=\($0) ".utf8) }
        var (at, looked) = (seq, 0)
        var changed = ContiguousArray<Int32>()
        while at < timelines[index].nextSeq, looked < budget {
            let step = timelines[index].rewriteChunk(at: at) { line, out in
                guard Self.isSaid(line, by: needles) else { return false }
                if let blob = EventParser.parse(line)?.blob, state.hasBlobs {
                    EventParser.parse(line).map { state.dropReference(to: blob, conversation, $0.seq) }
                }
                EventRewriter.erase(line, into: &out)
                return true
            }
            (at, looked) = (step.next, looked + step.looked)
            if let ordinal = step.changed { changed.append(ordinal) }
        }
        return (at < timelines[index].nextSeq ? at : nil, changed)
    }

    /// All of it at once, at a recovery.
    mutating func eraseLines(of account: AccountNumber, in conversation: ConversationNumber) {
        let names = state.account(account)?.names ?? state.expiredHandles[account].map { [$0] } ?? []
        if names.isEmpty { return }
        var next: Seq? = timelines.indices.contains(Int(conversation.raw) - 1) ? 1 : nil
        while let seq = next {
            next = eraseLines(of: names, in: conversation, from: seq, budget: .max).next
        }
    }

    /// Whether a line is a message, an edit, a deletion or a reaction of one of these: ` by=NAME ` stands right behind the
    /// time. Without a word about it: events about membership stay as they are.
    private static func isSaid(_ line: UnsafeRawBufferPointer, by needles: [[UInt8]]) -> Bool {
        guard ["EV msg ", "EV edit ", "EV delete ", "EV react "].contains(where: { line.starts(with: $0.utf8) }),
            let event = EventParser.parse(line), let by = event.behindTime
        else { return false }
        return needles.contains { by.starts(with: $0) }
    }
}
