import ChatModel

/// One step of the state: what is journaled and then applied. Applying cannot fail.
package enum Change: Sendable {
    /// An event of conversation `event.conversation`; its line goes to the timeline and to subscribers.
    case event(Event)
    case ledger(LedgerEntry)
}

/// A step that is written down but never sent (architecture: ledger records).
package enum LedgerEntry: Sendable {
    /// The identity of this log, shown in HI; a new one says that cursors lost their meaning.
    case log(id: String)
    /// The key under which nonces are hashed.
    case nonceKey([UInt8])
    /// The daemon started with this durability; `interval` without a later `stop` was an unclean end.
    case start(interval: Bool)
    case stop
    case account(AccountRecord)
    case session(AccountNumber, TokenHash)
    case endSession(AccountNumber, TokenHash)
    case endSessions(AccountNumber)
    /// An idle guest is forgotten; its handle stays taken.
    case expire(AccountNumber)
    /// An upload is whole and on disk.
    case blob(BlobRecord)
}

/// What a command leads to: changes, in order, and the answer.
package struct Decision: Sendable {
    package let changes: [Change]
    package let reply: Reply
    package init(_ changes: [Change] = [], reply: Reply) { (self.changes, self.reply) = (changes, reply) }
}
