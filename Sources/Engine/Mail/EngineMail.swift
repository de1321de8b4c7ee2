import ChatModel

/// What reaches the engine, in the order of its mailbox.
package enum EngineMail: Sendable {
    /// A connection speaks the protocol now; `source` is its address without the port.
    case opened(ConnectionKey, source: String)
    case closed(ConnectionKey)
    case requests(RequestBatch)
    /// A worker has hashed a password.
    case hashed(PasswordResult)
    /// A worker has looked through lines.
    case searched(SearchResult)
    /// Records up to `durable` may be spoken of; up to `synced` they are on disk.
    case durable(UInt64, synced: UInt64)
    /// The journal failed; `recovered` is what the disk holds up to the last durable record.
    case journalFailed(reason: String, recovered: Recovered?)
    /// What became of `Engine.mustResume`.
    case journalResumed(ResumeOutcome)
    /// About once a second: bytes of memory the process holds.
    case tick(residentBytes: UInt64)
    /// There was more to do than one turn may take (`Engine.wantsTurn`).
    case goOn
    /// A connection that was opened is the operator's, with the uid of its other end.
    case operatorOpened(ConnectionKey, uid: UInt32)
    /// What `LoopMail.census` asked for.
    case census(UInt64, [ConnectionLoad])
    /// The sources of the settings were read again: whoever hosts the engine says what is live now.
    case settingsChanged
    /// A snapshot is wanted; `waiter` hears when it is on disk and the journal is trimmed, or why not.
    case snapshot(SnapshotWaiter?)
    /// The writer of the snapshot has room for more.
    case snapshotRoom
    case snapshotEnded(SnapshotOutcome)
    /// Nothing is removed any more, as `SnapshotWork.hold` has asked.
    case snapshotHeld(SnapshotWaiter)
    /// The blob writer is done with an upload.
    case blobStored(StoredUpload)
    /// A request has come to the blob port; answered by `LoopMail.blobAnswered`.
    case blobAsked(ConnectionKey, BlobQuestion)
    /// A file that may come to the blob port (`BlobAnswer.mayUpload`) does not, or no more.
    case uploadEnded(ConnectionKey)
    /// An upload in pieces could not be made on disk.
    case partialFailed(BlobID)
    /// All of an upload in pieces is there.
    case partialWhole(WholePartial)
}

/// Whether the journal is written again.
package enum ResumeOutcome: Sendable {
    /// It is. What the disk holds comes with it when the engine was blind.
    case resumed(Recovered?)
    /// It is not, and why.
    case failed(String)
}

/// State and timelines as the disk has them.
///
/// `@unchecked Sendable`: built by the journal's thread, mailed once to the engine, touched by nobody else.
package final class Recovered: @unchecked Sendable {
    package let content: Content
    package init(_ content: Content) { self.content = content }
}
