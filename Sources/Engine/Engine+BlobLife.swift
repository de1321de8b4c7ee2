import ChatCore
import ChatModel

/// How uploads and their files end (protocol.md, How long a file stays).
extension Engine {
    /// Uploads that are looked at in one turn.
    private static let blobStep = 500

    /// DEL-BLOB, and what the operator does. Messages keep their lines.
    func deleteBlob(_ id: BlobID, by account: AccountNumber) throws(Refusal) -> Reply {
        let record = try content.state.findOwnBlob(id, account)
        if let readOnlyReason { throw Refusal(.internal, "the server is read-only: \(readOnlyReason)") }
        end(record)
        return .done([.word("blob", record.id.text)])
    }

    private func end(_ record: BlobRecord) {
        let wasPicture = content.state.account(record.owner)?.avatar == record.id
        commit(.ledger(.endBlob(record.owner, record.id)), together: false)
        if wasPicture { noteProfileChange(of: record.owner) }
    }

    /// Ends uploads that have lost their last message, a turn's share of them; not while nothing can be written.
    func endOrphans() {
        if readOnlyReason != nil { return }
        for record in content.state.takeOrphans(limit: Self.blobStep) { end(record) }
    }

    /// Once a second: ends a few uploads that nothing has used for long. It is the time that passes which counts; after a
    /// start it begins anew.
    func expireBlobs() {
        let time = monotonic.adding(milliseconds: -Int64(content.state.limits.blobUnused) * 1000)
        for record in content.state.takeUnused(since: time, span: Self.blobStep) { end(record) }
    }

    /// Whether a file of these bytes is needed: some upload has them, or one had, whose end is not on disk yet.
    func isNeeded(_ hash: ContentHash) -> Bool { content.state.hasBlob(with: hash) || blobRemovals.has(hash) }

    /// Lets files go whose uploads have ended for good: never before that is on disk, and not while a backup copies files.
    func removeBlobs() {
        if !fileHolders.isEmpty { return }
        for hash in blobRemovals.take(through: synced) where !content.state.hasBlob(with: hash) {
            removableBlobs.append(hash)
        }
    }
}
