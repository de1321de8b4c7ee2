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
    case grant(AccountNumber, Role)
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
