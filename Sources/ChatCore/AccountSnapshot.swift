import ChatModel

/// An account as a snapshot holds it.
package struct AccountSnapshot: Sendable {
    /// The record it was made by, as it reads now; without a session.
    package let record: AccountRecord
    /// Oldest first.
    package let sessions: [TokenHash]
    package let conversations: [ConversationNumber]
    package let invitations: [ConversationNumber]
    /// Oldest first.
    package let nonces: [NonceMemory.Entry]
    package var isDisabled = false
    package var mustChangePassword = false

    package init(
        record: AccountRecord,
        sessions: [TokenHash],
        conversations: [ConversationNumber],
        invitations: [ConversationNumber],
        nonces: [NonceMemory.Entry]
    ) {
        (self.record, self.sessions, self.conversations) = (record, sessions, conversations)
        (self.invitations, self.nonces) = (invitations, nonces)
    }
}

/// What a snapshot holds under an account's number.
package enum AccountSlot: Sendable {
    case account(AccountSnapshot)
    /// A guest that is forgotten; its handle stays taken.
    case expired(AccountNumber, handle: String)
}

extension Account {
    /// The record that would make it as it is now.
    package var record: AccountRecord {
        AccountRecord(
            number: number,
            handle: handle.text,
            display: display,
            phone: phone,
            email: email?.text,
            password: password,
            isGuest: isGuest,
            created: created,
            session: nil,
            lobbyRead: lobbyRead
        )
    }
}
