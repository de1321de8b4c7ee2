/// What happened in a conversation, with that conversation's next seq. Rendered once, as the line protocol.md shows.
package struct Event: Sendable {
    package let conversation: ConversationNumber
    package let seq: Seq
    package let time: Timestamp
    package let by: AccountNumber
    package let kind: EventKind
    package init(
        conversation: ConversationNumber,
        seq: Seq,
        time: Timestamp,
        by: AccountNumber,
        kind: EventKind
    ) {
        (self.conversation, self.seq, self.time, self.by, self.kind) = (conversation, seq, time, by, kind)
    }
}

package enum EventKind: Sendable {
    case message(Message)
    /// The first event of every conversation.
    case create(Creation)
    case join
    case leave
    case invite(AccountNumber)
    /// A member is put out; it may come back.
    case eject(AccountNumber, reason: String?)
    /// Somebody is put out, member or not, and may not come back.
    case ban(AccountNumber, reason: String?)
    case unban(AccountNumber)
    /// May read, not write; nil is until `unmute`.
    case mute(AccountNumber, until: Timestamp?)
    case unmute(AccountNumber)
    case grant(AccountNumber, Role)
    /// The title, a new one.
    case topic(String)
    /// The message's text is another from here on; nil at recovery, where the line has it.
    case edit(Seq, text: ArenaRange?)
    case delete(Seq)
    case react(Reaction)
    /// A guest has become an account: its name was `from`.
    case rename(AccountNumber, from: String, to: String)
    /// The account is gone, and with it the texts of its messages here.
    case erase(AccountNumber)
    /// The last event of a conversation.
    case drop
    /// What stood here was destroyed; a repair left this in its place.
    case lost
}

package struct Message: Sendable {
    /// Unescaped, in the arena of the batch or, at recovery, nil: applying an event needs no text.
    package let text: ArenaRange?
    package let kind: String?
    package let geo: Location?
    package let reply: Seq?
    /// Keyed hash of the sender's nonce.
    package let nonce: UInt64?
    /// The file it carries.
    package let blob: BlobRecord?
    package init(
        text: ArenaRange?,
        kind: String?,
        geo: Location?,
        reply: Seq?,
        nonce: UInt64?,
        blob: BlobRecord? = nil
    ) {
        (self.text, self.kind, self.geo, self.reply, self.nonce) = (text, kind, geo, reply, nonce)
        self.blob = blob
    }
}

/// A message that is text alone, as most are, where it was decided: numbers only, so that to hand it on counts no
/// reference.
package struct TextMessage: Sendable {
    package let conversation: ConversationNumber
    package let seq: Seq
    package let time: Timestamp
    package let by: AccountNumber
    /// Unescaped, in the arena of the batch.
    package let text: ArenaRange
    package let reply: Seq?
    /// Keyed hash of the sender's nonce.
    package let nonce: UInt64?
    package init(
        conversation: ConversationNumber,
        seq: Seq,
        time: Timestamp,
        by: AccountNumber,
        text: ArenaRange,
        reply: Seq?,
        nonce: UInt64?
    ) {
        (self.conversation, self.seq, self.time, self.by) = (conversation, seq, time, by)
        (self.text, self.reply, self.nonce) = (text, reply, nonce)
    }

    package var event: Event {
        let message = Message(text: text, kind: nil, geo: nil, reply: reply, nonce: nonce)
        return Event(conversation: conversation, seq: seq, time: time, by: by, kind: .message(message))
    }
}

/// An emoji put under a message, or taken back.
package struct Reaction: Sendable, Equatable {
    package let message: Seq
    package let emoji: String
    package let isOff: Bool
    package init(message: Seq, emoji: String, isOff: Bool) {
        (self.message, self.emoji, self.isOff) = (message, emoji, isOff)
    }
}

package enum Creation: Sendable {
    /// `#name` in its maker's spelling, without the `#`.
    case named(String, isPrivate: Bool, title: String?)
    /// A 1:1 of two accounts, sorted by the UTF-8 bytes of their handles.
    case direct(AccountNumber, AccountNumber)
}

/// What a member may do, least first.
package enum Role: String, Comparable, Sendable, CaseIterable {
    case reader, member, op, owner
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    package static func < (a: Role, b: Role) -> Bool { a.rank < b.rank }
}
