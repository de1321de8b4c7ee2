import ChatModel

/// One step of the state: what is journaled and then applied. Applying cannot fail.
package enum Change: Sendable {
    /// An event of conversation `event.conversation`; its line goes to the timeline and to subscribers.
    case event(Event)
    case ledger(LedgerEntry)
    /// A change of an item; its line goes to the collection's lines and to subscribers.
    case item(ItemEvent)
}

/// A step that is written down but never sent (architecture: ledger records).
package enum LedgerEntry: Sendable {
    /// The identity of this log, shown in HI; a new one says that cursors lost their meaning.
    case log(id: String)
    /// The key under which nonces are hashed.
    case nonceKey([UInt8])
    /// The key that signs links.
    case linkKey([UInt8])
    /// The daemon started with this durability; `interval` without a later `stop` was an unclean end.
    case start(interval: Bool)
    case stop
    case account(AccountRecord)
    case session(AccountNumber, Session)
    case endSession(AccountNumber, TokenHash)
    case endSessions(AccountNumber)
    case token(AccountNumber, TokenRecord)
    case endToken(AccountNumber, TokenHash)
    /// What the public may know and the phone, all as it reads from here on.
    case profile(AccountNumber, Profile)
    case email(AccountNumber, String)
    /// The address is known to be its own, or is not.
    case verified(AccountNumber, Bool)
    /// A guest becomes an account: the record says what it is from here on; sessions and messages stay.
    case link(AccountRecord)
    /// Whether the first has blocked the second.
    case block(AccountNumber, AccountNumber, Bool)
    /// How many messages of a conversation the account has read: forward only.
    case marker(AccountNumber, ConversationNumber, count: UInt64)
    /// The account can no longer be signed in to and is on its way out; `erased` says that nothing is left.
    case erasing(AccountNumber)
    case erased(AccountNumber)
    /// A code for SIGNUP; with no uses left it is taken back.
    case invite(TokenHash, Invite)
    /// One use of it.
    case spendInvite(TokenHash)
    /// What `/metrics` is read with from here on.
    case metricsToken(TokenHash)
    /// Whether connections from these addresses are refused.
    case addressBan(String, Bool)
    /// How much of a conversation is kept.
    case retain(ConversationNumber, Retention)
    /// How much is kept of conversations of which the operator has said nothing.
    case retainByDefault(Retention)
    /// What stands below this seq has grown too old and is gone.
    case trim(ConversationNumber, first: Seq)
    /// An idle guest is forgotten; its handle stays taken.
    case expire(AccountNumber)
    /// The operator's SET; nil takes it back.
    case setting(key: String, value: String?)
    /// Whether the account may sign in.
    case disabled(AccountNumber, Bool)
    /// The operator's reset: the password is a code that signs in once.
    case reset(AccountNumber, PasswordRecord)
    /// That code was used.
    case spendCode(AccountNumber)
    case password(AccountNumber, PasswordRecord)
    /// An upload is whole and on disk.
    case blob(BlobRecord)
    /// An upload of this account is no more.
    case endBlob(AccountNumber, BlobID)
    /// Links to an upload of this account count from this generation on (`BlobRecord.linkGeneration`).
    case endLinks(AccountNumber, BlobID, generation: UInt64)
    /// A collection begins.
    case collection(CollectionRecord)
    /// What its items must be like from here on.
    case schema(CollectionNumber, ItemSchema)
    /// Deletions of items up to this seq are forgotten.
    case forgetItems(CollectionNumber, through: Seq)
}

/// What PROFILE shows and changes.
package struct Profile: Sendable, Equatable {
    package var display: String
    package var phone: String?
    package var bio: String?
    package var avatar: BlobID?
    package init(display: String, phone: String?, bio: String?, avatar: BlobID?) {
        (self.display, self.phone, self.bio, self.avatar) = (display, phone, bio, avatar)
    }
}

/// An operator's code for SIGNUP.
package struct Invite: Sendable, Equatable {
    /// How often it may be used yet.
    package var uses: UInt32
    package let expires: Timestamp
    package init(uses: UInt32, expires: Timestamp) { (self.uses, self.expires) = (uses, expires) }
}

/// What a command leads to: changes, in order, and the answer.
package struct Decision: Sendable {
    package let changes: [Change]
    package let reply: Reply
    package init(_ changes: [Change] = [], reply: Reply) { (self.changes, self.reply) = (changes, reply) }
}
