import ChatModel

/// What the line of a message tells that the state does not know.
package struct MessageFacts: Sendable {
    /// Nil for one whose account is gone.
    package let author: AccountNumber?
    package let isDeleted: Bool
    package init(author: AccountNumber?, isDeleted: Bool) { (self.author, self.isDeleted) = (author, isDeleted) }
}

/// EDIT, DELETE and EMOTE (protocol.md, Messages). First the conversation must be one's own, then the message must be there
/// for its reader, then comes the right to do it, then what is wrong with the rest.
extension State {
    /// The conversation and message that a request names.
    /// - Throws: `Refusal`: what `findAsMember` says, or NOT-FOUND with `field=id`.
    package func findMessage(
        _ target: ConversationTarget,
        _ message: Seq,
        by account: AccountNumber
    ) throws(Refusal) -> ConversationNumber {
        let number: ConversationNumber
        if account == .operator {
            number = try findForOperator(target)
        } else {
            guard case .conversation(let found) = try findAsMember(target, account) else { throw noMessage }
            number = found
        }
        let conversation = self.conversation(number)
        let isThere =
            account == .operator
            ? conversation.isMessage(message) : conversation.isMessage(message, visibleTo: account)
        if isThere { return number }
        let isVisible = account == .operator || message >= conversation.firstVisible(to: account)
        if message > 0, message < conversation.firstSeq, isVisible { throw Self.gone("id", conversation) }
        throw noMessage
    }

    package func decideEdit(
        _ edit: Edit,
        _ facts: MessageFacts,
        in number: ConversationNumber,
        by account: AccountNumber,
        now: Timestamp
    ) throws(Refusal) -> Event {
        var asker = asker(account, in: conversation(number))
        asker.owns = facts.author == account
        if facts.isDeleted { throw isGone }
        guard asker.owns else { throw .denied("only the author edits a message") }
        guard Access.message(.change, asker) else { throw .denied("you may read here, not write") }
        guard let text = edit.text else { throw .badArg("text", "the new text is missing") }
        try checkText(scalarCount: text.scalarCount, isBlank: text.isBlank)
        return next(number, .edit(edit.message, text: text.range), by: account, now: now)
    }

    package func decideDelete(
        _ message: Seq,
        _ facts: MessageFacts,
        in number: ConversationNumber,
        by account: AccountNumber,
        now: Timestamp
    ) throws(Refusal) -> Event {
        var asker = asker(account, in: conversation(number))
        asker.owns = facts.author == account
        if facts.isDeleted { throw isGone }
        guard Access.message(.delete, asker) else { throw .denied("only the author or an op deletes a message") }
        return next(number, .delete(message), by: account, now: now)
    }

    /// - Returns: the event; nil when it would change nothing.
    package func decideReact(
        _ reaction: Reaction,
        _ facts: MessageFacts,
        in number: ConversationNumber,
        by account: AccountNumber,
        now: Timestamp
    ) throws(Refusal) -> Event? {
        let conversation = self.conversation(number)
        if facts.isDeleted { throw isGone }
        guard Access.message(.create, asker(account, in: conversation)) else {
            throw .denied("you may read here, not write")
        }
        let there = conversation.reactions[reaction.message] ?? MessageReactions()
        if there.has(reaction.emoji, by: account) != reaction.isOff { return nil }
        if !reaction.isOff, !there.has(reaction.emoji), there.entries.count >= limits.reactions {
            throw Refusal(
                .limit,
                field: "emoji",
                details: [.word("key", "limits.reactions"), .number("limit", limits.reactions)],
                "this message has as many different reactions as it may"
            )
        }
        return next(number, .react(reaction), by: account, now: now)
    }

    /// Text of a message: something to see, and not too long.
    func checkText(scalarCount: Int, isBlank: Bool) throws(Refusal) {
        if isBlank { throw .badArg("text", "a text of blanks says nothing") }
        if scalarCount > limits.text {
            throw Refusal(
                .tooLong,
                field: "text",
                details: [.number("limit", limits.text), .number("got", scalarCount)],
                "the text is too long, counted in Unicode characters"
            )
        }
    }

    /// Any conversation, by its name: `#name` or `@a,b`.
    package func findForOperator(_ target: ConversationTarget) throws(Refusal) -> ConversationNumber {
        switch target {
        case .named(let key):
            guard let number = names[key], !conversation(number).isDropped else { throw .notFound }
            return number
        case .direct: throw .badArg("conv", "the operator names a 1:1 by both: @a,b")
        case .pair(let first, let second):
            guard let a = handles[first], let b = handles[second], let number = directs[Pair(a, b)] else {
                throw .notFound
            }
            return number
        }
    }

    /// A message that is kept no more.
    static func gone(_ field: String, _ conversation: Conversation) -> Refusal {
        Refusal(.gone, field: field, details: [.number("first", conversation.firstSeq)], "this is kept no more")
    }

    private var noMessage: Refusal { Refusal(.notFound, field: "id", "there is no such message") }
    private var isGone: Refusal { Refusal(.gone, field: "id", "this message was deleted") }
}
