import ChatModel
import Wire

/// File work of one upload, for the blob writer. Jobs of a connection are done in order, and it has one upload at a time.
package enum UploadJob: Sendable {
    /// The bytes of this request follow.
    case begin(ConnectionKey, Tag, PutBlob)
    case write(ConnectionKey, [UInt8])
    /// All bytes were written: they are checked, synced and named, and the engine is told.
    case finish(ConnectionKey)
    /// Nothing of it is kept.
    case abandon(ConnectionKey)
}

/// An upload whose bytes are on disk, or why they are not.
package struct StoredUpload: Sendable {
    package let connection: ConnectionKey
    package let tag: Tag
    package let request: PutBlob
    package let outcome: Result<ContentHash, Refusal>
    package init(connection: ConnectionKey, tag: Tag, request: PutBlob, outcome: Result<ContentHash, Refusal>) {
        (self.connection, self.tag, self.request, self.outcome) = (connection, tag, request, outcome)
    }
}

/// A stored file whose fate is decided: there is a record of it, or there is none.
package struct SettledBlob: Sendable {
    package let content: ContentHash
    package let isKept: Bool
}

/// What the blob port asks of the engine.
package enum BlobQuestion: Sendable {
    /// Is the server well?
    case health
    /// May the holder of this token read this blob? Nil for what can be no id.
    case read(BlobID?, TokenHash)
    /// May who has this link read its blob? If not, may the holder of this token?
    case follow(SignedLink, TokenHash?)
    /// How the server is, for the holder of the operator's token.
    case metrics(TokenHash)
    /// Bytes that a blob may have.
    case limit
    /// May a file come? It is then announced by `.uploadEnded` when it does not.
    case upload(PortUpload, TokenHash)
    /// May an upload in pieces be made?
    case makePartial(PartialPlan, TokenHash)
    /// Whose is it? Nil for what can be no id.
    case findPartial(BlobID?, TokenHash)
    case endPartial(BlobID?, TokenHash)
}

package enum BlobAnswer: Sendable {
    case healthy
    /// Nothing is written any more.
    case readOnly
    /// The token is no session's.
    case badToken
    /// There is no such blob, or not for this account.
    case notFound
    case readable(BlobRecord)
    case metrics(EngineMetrics)
    case limit(UInt64)
    /// At most so many bytes may come; what is beyond them is refused with this.
    case mayUpload(most: UInt64, beyond: Refusal)
    /// A file is a blob from now on: `blob= sha256= url=`.
    case stored([KeyValue])
    /// An upload in pieces that is the asker's.
    case partial(PartialUpload)
    /// It is whole: a blob.
    case whole(BlobRecord)
    case refused(Refusal)
}

/// A stretch of a stored file to be read for a connection of the blob port.
package struct BlobRead: Sendable {
    package let connection: ConnectionKey
    package let content: ContentHash
    package let offset: UInt64
    package let count: Int
    package init(connection: ConnectionKey, content: ContentHash, offset: UInt64, count: Int) {
        (self.connection, self.content, self.offset, self.count) = (connection, content, offset, count)
    }
}
