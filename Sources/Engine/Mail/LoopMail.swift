import ChatModel
import Wire

/// What the engine tells a loop, in journal order. Everything in it is durable.
package enum LoopMail: Sendable {
    case reply(ConnectionKey, Tag, Reply)
    /// All chunks of a conversation in which the loop gets its first cursor.
    case open(ConversationNumber, PublishedLines)
    case extend(ConversationNumber, ordinal: Int32, PublishedChunk)
    case replace(ConversationNumber, ordinal: Int32, PublishedChunk)
    case trim(ConversationNumber, TrimmedLines)
    /// Lines were cut out of a chunk of a collection; `missed` is above 0 where no later line stands for them.
    case cut(ConversationNumber, LineCut, PublishedChunk, missed: Seq)
    /// Only these chunks of a collection are left, numbered anew.
    case renumber(ConversationNumber, [Int32])
    /// The cursor that was just made hears what stands in a collection, not what is gone.
    case skipDeletions(ConnectionKey, ConversationNumber)
    /// The loop has no subscriber there any more.
    case close(ConversationNumber)
    case subscribe(ConnectionKey, ConversationNumber, Place)
    /// The cursor that was just made first says that events below this seq may be gone.
    case tellGone(ConnectionKey, ConversationNumber, first: Seq)
    case unsubscribe(ConnectionKey, ConversationNumber)
    /// Nothing published after this reaches that connection from there.
    case end(ConnectionKey, ConversationNumber)
    case notice(ConnectionKey, Notice)
    /// The session has ended: `EV auth`, `BYE`, close.
    case endSession(ConnectionKey, reason: String)
    /// The journal has caught up: lines are taken again (`LineFrontEnd.isThrottled`).
    case roomAgain
    /// The daemon stops: no further line is taken, everybody gets its answers and `BYE SHUTDOWN`.
    case shutDown
    /// A batch whose requests are decided goes back to its loop.
    case recycle(RequestBatch)
    /// A notice for every connection.
    case announce(Notice)
    /// `HI` for connections that come from now on, but for `time=`.
    case greeting([KeyValue])
    /// The operator ends this connection.
    case hangUp(ConnectionKey)
    /// Connections from these addresses are refused from now on, those that are here ended; or no longer.
    case ban(String, Bool)
    /// Asks what waits for these connections, all of this loop.
    case census(UInt64, [ConnectionKey])
    /// The blob writer has taken so many more bytes of a connection's upload.
    case uploadTaken(ConnectionKey, byteCount: Int)
    /// For the blob port: the answer to its question.
    case blobAnswered(ConnectionKey, BlobAnswer)
    /// For the blob port: bytes of a file; nil when it could not be read.
    case blobBytes(ConnectionKey, [UInt8]?)
    /// For the blob port: what the blob writer says of an upload in pieces.
    case partial(ConnectionKey, PartialNews)
}

/// Something outside the log that a connection hears of: the latest wins, nothing is queued.
package struct Notice: Sendable {
    /// Notices with the same key replace each other.
    package enum Key: Hashable, Sendable {
        case conversation(ConversationNumber)
        case auth
        case presence(AccountNumber)
        case profile(AccountNumber)
        case typing(ConversationNumber, AccountNumber)
        case seen(ConversationNumber, AccountNumber)
        /// A changed setting, by its key.
        case config(String)
        /// What the operator told everybody.
        case notice
    }
    package let key: Key
    /// The word behind `EV`.
    package let kind: String
    package let fields: [KeyValue]
    package init(key: Key, kind: String, fields: [KeyValue]) {
        (self.key, self.kind, self.fields) = (key, kind, fields)
    }

    /// Whether a slow reader may go without it: the next one says more.
    package var mayBeSkipped: Bool {
        switch key {
        case .presence, .profile, .typing, .seen: true
        case .conversation, .auth, .config, .notice: false
        }
    }
}
