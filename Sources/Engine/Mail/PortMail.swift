import ChatModel

/// What a request on the blob port says of the file behind it.
package struct PortUpload: Sendable {
    package let put: PutBlob
    /// False: how much comes is seen at its end, and `put.size` is 0.
    package let isSizeKnown: Bool
    package init(put: PutBlob, isSizeKnown: Bool) { (self.put, self.isSizeKnown) = (put, isSizeKnown) }
}

/// What is said of an upload in pieces that is to be made.
package struct PartialPlan: Sendable, Equatable {
    package let length: UInt64
    package let name: String
    package let type: String?
    package let conversation: String?
    /// `Upload-Metadata` as it came.
    package let metadata: String
    package init(length: UInt64, name: String, type: String?, conversation: String?, metadata: String) {
        (self.length, self.name, self.type) = (length, name, type)
        (self.conversation, self.metadata) = (conversation, metadata)
    }
}

/// What a piece must hash to (tus 1.0, Upload-Checksum).
package struct PieceChecksum: Sendable, Equatable {
    /// The raw value is the algorithm's name in `Upload-Checksum`.
    package enum Algorithm: String, Sendable, CaseIterable { case sha1, sha256, md5 }
    package let algorithm: Algorithm
    package let digest: [UInt8]
    package init(algorithm: Algorithm, digest: [UInt8]) { (self.algorithm, self.digest) = (algorithm, digest) }
}

/// File work of uploads in pieces, for the blob writer. Jobs of one upload are done in order. Who is named hears what came of
/// it by `LoopMail.partial`; a request for an upload ends the one before it.
package enum PartialJob: Sendable {
    /// A new one, on disk with what is known of it.
    case make(ConnectionKey, PartialUpload)
    /// Where it stands.
    case look(ConnectionKey, PartialUpload)
    /// Bytes follow, from this offset on.
    case begin(ConnectionKey, PartialUpload, offset: UInt64, PieceChecksum?)
    case write(ConnectionKey, BlobID, [UInt8])
    /// The piece has ended: it is synced and compared. What is whole then is told to the engine.
    case finish(ConnectionKey, PartialUpload)
    /// The piece has no end. What came is kept, unless it was to be compared.
    case abandon(ConnectionKey, BlobID)
    /// All of it is there, found at the start.
    case complete(PartialUpload)
    case remove(ConnectionKey?, BlobID)
}

/// What the blob writer says of an upload in pieces.
package enum PartialNews: Sendable {
    /// It is on disk, with nothing of it, or has been removed.
    case done
    /// So many bytes are on disk: where it stands, or a piece may be sent.
    case offset(UInt64)
    /// A piece is on disk, up to this byte.
    case appended(UInt64)
    /// The piece is not what it should be, and was dropped.
    case mismatch
    case refused(Refusal)
    /// Another request has come for it.
    case ousted
}

/// All of an upload in pieces is on disk under its hash, or was found unsound.
package struct WholePartial: Sendable {
    /// Who hears of it.
    package let connection: ConnectionKey?
    package let id: BlobID
    package let outcome: Result<(content: ContentHash, type: String), Refusal>
    package init(
        connection: ConnectionKey?,
        id: BlobID,
        outcome: Result<(content: ContentHash, type: String), Refusal>
    ) {
        (self.connection, self.id, self.outcome) = (connection, id, outcome)
    }
}
