import ChatModel

/// One person or bot, or a guest. An object of the state's, changed by `apply` alone.
package final class Account {
    package let number: AccountNumber
    package internal(set) var handle: Handle
    /// Handles it had as a guest; they still stand in lines and find it.
    package internal(set) var aliases: [String] = []
    package var display: String
    package var phone: String?
    package internal(set) var bio: String?
    package internal(set) var avatar: BlobID?
    package var email: EmailAddress?
    /// The address is known to be its own.
    package internal(set) var isVerified = false
    package var password: PasswordRecord?
    package internal(set) var isGuest: Bool
    /// False for a guest that has done nothing yet and lives in memory only.
    package var isRecorded: Bool
    package let created: Timestamp
    /// Sessions, oldest first.
    package var sessions: [Session] = []
    /// Tokens made by TOKEN, oldest first.
    package internal(set) var tokens: [TokenRecord] = []
    /// Whom it has blocked, ascending.
    package internal(set) var blocked: [AccountNumber] = []
    /// Conversations it is a member of, in the order of joining; `#lobby` is not among them.
    package var conversations: [ConversationNumber] = []
    /// Conversations it is invited to.
    package var invitations: [ConversationNumber] = []
    package var ownedCount = 0
    /// Messages of `#lobby` that count as read.
    package var lobbyRead: UInt64 = 0
    package var nonces = NonceMemory()
    /// Conversations in which it has said something, also such as it has left; the lobby is the first.
    package internal(set) var spoken: [ConversationNumber] = []
    /// When it last had a connection, as far as this run knows; only guests are judged by it.
    package var lastSeen = MonotonicTime(milliseconds: 0)
    /// The operator lets it sign in no more.
    package var isDisabled = false
    /// The operator has reset its password, and no new one was set: whoever signs in may do nothing but that.
    package var mustChangePassword = false
    /// It is being erased: nobody signs in to it, and what it said is on its way out.
    package internal(set) var isErasing = false
    /// First global sequence whose change is not in it yet: above 0 only in what came from a snapshot.
    package internal(set) var validFrom: UInt64 = 0
    /// What its uploads cost of its quota (`BlobRecord.charge`).
    package internal(set) var blobBytes: UInt64 = 0
    /// Its uploads, oldest first, and among them `endedUploads` that are no more.
    var uploads: [BlobID] = []
    var endedUploads = 0
    /// Items it owns, in all and in each collection.
    package internal(set) var itemCount = 0
    var itemCounts: [CollectionNumber: Int] = [:]

    init(_ record: AccountRecord, isRecorded: Bool) {
        (number, handle, display) = (record.number, Handle(trusted: record.handle), record.display)
        (phone, email) = (record.phone, record.email.map(EmailAddress.init(trusted:)))
        (password, isGuest, created) = (record.password, record.isGuest, record.created)
        (lobbyRead, self.isRecorded) = (record.lobbyRead, isRecorded)
    }
}

extension Account {
    package func hasBlocked(_ other: AccountNumber) -> Bool {
        let at = blocked.lowerBound(of: other)
        return at < blocked.count && blocked[at] == other
    }

    /// All names it has in lines, its handle first.
    package var names: [String] { [handle.text] + aliases }

    /// Notes that it said something there. O(1) for the lobby, else O(conversations it spoke in).
    /// - Returns: whether that is new.
    @discardableResult
    func noteSpoken(in conversation: ConversationNumber) -> Bool {
        if conversation == .lobby {
            if spoken.first == .lobby { return false }
            spoken.insert(.lobby, at: 0)
            return true
        }
        if spoken.contains(conversation) { return false }
        spoken.append(conversation)
        return true
    }
}

/// A password's scrypt hash with its parameters (RFC 7914).
package struct PasswordRecord: Hashable, Sendable {
    package let n: UInt32
    package let r: UInt32
    package let p: UInt32
    package let salt: [UInt8]
    package let hash: [UInt8]
    package init(n: UInt32, r: UInt32, p: UInt32, salt: [UInt8], hash: [UInt8]) {
        (self.n, self.r, self.p, self.salt, self.hash) = (n, r, p, salt, hash)
    }
}

/// What is written of an account when it is made, with its first session: one record, so that it is there whole or not.
package struct AccountRecord: Sendable {
    package let number: AccountNumber
    package let handle: String
    package let display: String
    package let phone: String?
    package let email: String?
    package let password: PasswordRecord?
    package let isGuest: Bool
    package let created: Timestamp
    package let session: TokenHash?
    package let lobbyRead: UInt64
    package init(
        number: AccountNumber,
        handle: String,
        display: String,
        phone: String?,
        email: String?,
        password: PasswordRecord?,
        isGuest: Bool,
        created: Timestamp,
        session: TokenHash?,
        lobbyRead: UInt64
    ) {
        (self.number, self.handle, self.display, self.phone) = (number, handle, display, phone)
        (self.email, self.password, self.isGuest) = (email, password, isGuest)
        (self.created, self.session, self.lobbyRead) = (created, session, lobbyRead)
    }
}
