import ChatModel

/// An account as a snapshot holds it.
package struct AccountSnapshot: Sendable {
    /// The record it was made by, as it reads now; without a session.
    package let record: AccountRecord
    /// Oldest first.
    package let sessions: [Session]
    package let conversations: [ConversationNumber]
    package let invitations: [ConversationNumber]
    /// Oldest first.
    package let nonces: [NonceMemory.Entry]
    package var aliases: [String] = []
    package var bio: String?
    package var avatar: BlobID?
    package var isVerified = false
    /// Oldest first.
    package var tokens: [TokenRecord] = []
    package var blocked: [AccountNumber] = []
    package var spoken: [ConversationNumber] = []
    package var isErasing = false
    package var isDisabled = false
    package var mustChangePassword = false
    /// Oldest first.
    package var uploads: [BlobRecord] = []

    package init(
        record: AccountRecord,
        sessions: [Session],
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
    /// Takes over what a snapshot holds beside the record, but for conversations, nonces and uploads.
    func restore(_ snapshot: AccountSnapshot) {
        (sessions, tokens, aliases) = (snapshot.sessions, snapshot.tokens, snapshot.aliases)
        (bio, avatar, isVerified) = (snapshot.bio, snapshot.avatar, snapshot.isVerified)
        (blocked, spoken) = (snapshot.blocked, snapshot.spoken)
        (isErasing, isDisabled) = (snapshot.isErasing, snapshot.isDisabled)
        mustChangePassword = snapshot.mustChangePassword
    }

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
