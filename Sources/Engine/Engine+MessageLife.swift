import Bytes
import ChatCore
import ChatModel
import Wire

/// EDIT, DELETE and EMOTE.
extension Engine {
    func edit(_ edit: Edit, by account: AccountNumber, _ batch: RequestBatch) throws(Refusal) -> Reply {
        let number = try content.state.findMessage(edit.target, edit.message, by: account)
        let facts = facts(of: edit.message, in: number)
        let event = try content.state.decideEdit(edit, facts, in: number, by: account, now: now)
        if let text = edit.text, reads(edit.message, in: number, batch.arena.readable[text.range.range]) {
            return repeated(edit.message, in: number)
        }
        return try say(event, batch)
    }

    /// Whether a message has this text already.
    private func reads(_ message: Seq, in number: ConversationNumber, _ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        var quoted = ByteBuffer(capacity: text.count + 16)
        JSONString.append(UnsafeRawBufferPointer(rebasing: text), into: &quoted)
        let isSame = content.timeline(number).withLine(message) { line in
            EventParser.parse(line)?.quotedText?.elementsEqual(quoted.readable) ?? false
        }
        return isSame ?? false
    }

    private func repeated(_ message: Seq, in number: ConversationNumber) -> Reply {
        .done([.word("conv", content.state.name(of: number)), .number("seq", message), .flag("dup", true)])
    }

    func delete(_ target: ConversationTarget, _ message: Seq, by account: AccountNumber) throws(Refusal) -> Reply {
        let number = try content.state.findMessage(target, message, by: account)
        let facts = facts(of: message, in: number)
        let event = try content.state.decideDelete(message, facts, in: number, by: account, now: now)
        let blob = content.blob(of: message, number)
        try checkWritable()
        recordIfGuest(event.by)
        // The message and the upload that has no other one go together.
        commit([.event(event)] + (blob.map { content.state.endOfBlob($0, with: message, in: number) } ?? []))
        return made(event)
    }

    func react(
        _ target: ConversationTarget,
        _ reaction: Reaction,
        by account: AccountNumber
    ) throws(Refusal) -> Reply {
        let number = try content.state.findMessage(target, reaction.message, by: account)
        let facts = facts(of: reaction.message, in: number)
        guard let event = try content.state.decideReact(reaction, facts, in: number, by: account, now: now) else {
            return repeated(reaction.message, in: number)
        }
        return try say(event, nil)
    }

    private func say(_ event: Event, _ batch: RequestBatch?) throws(Refusal) -> Reply {
        try checkWritable()
        recordIfGuest(event.by)
        let arena = batch?.arena.readable ?? UnsafeRawBufferPointer(start: nil, count: 0)
        commit(event, arena: arena, together: false)
        return made(event)
    }

    /// What the line of a message tells; one that is not kept is as good as deleted.
    private func facts(of message: Seq, in number: ConversationNumber) -> MessageFacts {
        let state = content.state
        let facts = content.timeline(number).withLine(message) { line in
            MessageFacts(
                author: EventParser.parse(line)?.by.flatMap { state.account(handleKey: NameFolding.key(of: $0)) },
                isDeleted: Content.isErased(line)
            )
        }
        return facts ?? MessageFacts(author: nil, isDeleted: true)
    }
}
