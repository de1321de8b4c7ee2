/// An upload that comes in pieces (tus 1.0): what was said of it when it was made. Its id becomes the blob's.
package struct PartialUpload: Sendable, Equatable {
    /// Milliseconds that one is kept.
    package static let lifetime: Int64 = 24 * 3_600_000
    /// Unfinished ones that an account may have.
    package static let most = 20
    /// Bytes of `Upload-Metadata`.
    package static let metadataLimit = 2048

    package let id: BlobID
    package let owner: AccountNumber
    /// Bytes of the whole.
    package let length: UInt64
    package let name: String
    /// Nil: to be told from the bytes and the name.
    package let type: String?
    /// The conversation it is meant for, as written.
    package let conversation: String?
    /// `Upload-Metadata` as it came.
    package let metadata: String
    package let expires: Timestamp

    package init(
        id: BlobID,
        owner: AccountNumber,
        length: UInt64,
        name: String,
        type: String?,
        conversation: String?,
        metadata: String,
        expires: Timestamp
    ) {
        (self.id, self.owner, self.length, self.name, self.type) = (id, owner, length, name, type)
        (self.conversation, self.metadata, self.expires) = (conversation, metadata, expires)
    }
}
