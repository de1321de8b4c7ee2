import ChatModel

/// What is kept (protocol.md, What is kept).
///
/// `max=` follows from the events: each message may push one out, and nothing else is written down. What grows too old
/// depends on a clock, so that it is written down (`LedgerEntry.trim`).
extension State {
    /// What counts for a conversation.
    package func retention(of conversation: Conversation) -> Retention {
        conversation.retention.completed(by: retentionDefaults)
    }

    /// Conversations of which something has gone since they were last taken from here; none is here twice. Each is told of
    /// again only after `watchTrims`.
    package func takeTrimmed() -> ContiguousArray<ConversationNumber> {
        defer { trimmed.removeAll(keepingCapacity: trimmed.count < 4096) }
        return trimmed
    }

    /// From now on `takeTrimmed` tells of it again.
    package func watchTrims(of number: ConversationNumber) { conversation(number).isTrimNoted = false }

    /// An edit that a line tells of; only in recovery.
    package func restoreEdit(_ seq: Seq, in number: ConversationNumber) { conversation(number).lastEdit = seq }

    /// Lets go of messages above the number that is kept. O(1) when there are none.
    func retain(_ conversation: Conversation) {
        guard let max = conversation.retention.max ?? retentionDefaults.max else { return }
        if conversation.trim(toNewest: max) { noteTrim(of: conversation) }
    }

    func apply(retention: Retention, of number: ConversationNumber) {
        guard exists(number) else { return }
        let conversation = self.conversation(number)
        // A conversation that a repair has made of its lines has them all, and hears what was said of it.
        let isRebuilt = conversation.validFrom == .max
        guard conversation.validFrom <= position || isRebuilt else { return }
        conversation.retention = retention
        marks.note(conversation: Int(number.raw) - 1, at: position)
        if !isRebuilt { retain(conversation) }
    }

    /// O(conversations).
    func apply(retentionDefaults: Retention) {
        self.retentionDefaults = retentionDefaults
        for conversation in conversations where conversation.validFrom <= position { retain(conversation) }
    }

    func apply(trim number: ConversationNumber, first: Seq) {
        guard exists(number), conversation(number).trim(below: first) else { return }
        noteTrim(of: conversation(number))
    }

    /// The end of a repair: what records say of a conversation that was rebuilt counts all at once.
    package func retainAll() { for conversation in conversations { retain(conversation) } }

    /// The conversation's lines that are gone are to go from memory and disk.
    func noteTrim(of conversation: Conversation) {
        marks.note(conversation: Int(conversation.number.raw) - 1, at: position)
        if conversation.isTrimNoted { return }
        conversation.isTrimNoted = true
        trimmed.append(conversation.number)
    }

    /// How much is kept of a conversation and what that is now, as the operator reads it.
    package func decideRetention(of number: ConversationNumber) -> Reply {
        let conversation = self.conversation(number)
        let counts = retention(of: conversation)
        return .done([
            .word("conv", conversation.name), .word("max", counts.maxText), .word("age", counts.ageText),
            .number("first", conversation.firstSeq), .number("messages", conversation.keptMessages),
        ])
    }

    /// What is not kept of a conversation, as CONVS of the operator shows it.
    func retentionFields(of conversation: Conversation) -> [KeyValue] {
        let counts = retention(of: conversation)
        var fields: [KeyValue] = []
        if counts.max != nil { fields.append(.word("max", counts.maxText)) }
        if counts.age != nil { fields.append(.word("age", counts.ageText)) }
        if conversation.firstSeq > 1 { fields.append(.number("first", conversation.firstSeq)) }
        return fields
    }
}

extension Retention {
    fileprivate var maxText: String {
        guard let max, max < Self.allMessages else { return "all" }
        return String(max)
    }

    /// In the largest unit that shows it whole.
    fileprivate var ageText: String {
        guard let age, age < Self.everyAge else { return "all" }
        for (unit, seconds) in [("d", Int64(86_400)), ("h", 3600), ("m", 60)] where age % seconds == 0 {
            return "\(age / seconds)\(unit)"
        }
        return "\(age)s"
    }
}
