import Bytes
import ChatCore
import ChatModel
import Engine
import Persistence
import Storage
import SystemIO
import TLS

/// The log in a directory that a backup was unpacked into: read as a start reads it, and given a new identity, so that
/// clients know that their cursors mean nothing any more (protocol.md, `log=ID`).
struct RestoredLog {
    private let path: String
    private let file: String
    private let header: BackupHeader

    /// - Parameter file: the backup, for the texts of faults.
    init(_ path: String, file: String, _ header: BackupHeader) {
        (self.path, self.file, self.header) = (path, file, header)
    }

    /// Everything is on disk when this returns.
    /// - Returns: the new identity.
    /// - Throws: `JournalFault` when the backup does not hold what it says.
    func renew() throws(JournalFault) -> String {
        let failure = Lock<JournalFault?>(nil)
        let snapshot = SnapshotFiles(directory: Directory(path + "/snapshot")) { SHA256Stream() }
        let recovery = Recovery(snapshot: snapshot, limits: Limits())
        let manifest = try recovery.manifest(journalDirectory: Directory(path + "/journal"))
        let settings = JournalSettings(expectsData: true, expectedThrough: header.position)
        let journal = FileJournal(
            directory: Directory(path + "/journal"),
            settings: settings,
            onFailure: { fault in failure.withLock { (failure: inout JournalFault?) in failure = fault } }
        )
        let found = try recovery.content(manifest, journal)
        let identity = append(to: journal, behind: found.replay.last)
        journal.seal()
        if let fault = failure.withLock({ (failure: inout JournalFault?) in failure }) { throw fault }
        guard found.replay.last == header.position, found.replay.cut == nil else {
            let reason = "its journal ends with record \(found.replay.last), not with \(header.position)"
            throw .damage(file: file, offset: 0, reason: reason)
        }
        try checkBlobs(found.content)
        return identity
    }

    private func append(to journal: FileJournal, behind last: UInt64) -> String {
        let identity = LogIdentity.make(SystemRandomness())
        var batch = journal.spareBuffer()
        JournalRecord.append(to: &batch, globalSequence: last + 1, durable: journal.synced) {
            JournalPayload.encode(.log(id: identity), into: &$0)
        }
        journal.append(batch, through: last + 1)
        journal.flush()
        return identity
    }

    /// Their bytes were checked when they were unpacked.
    private func checkBlobs(_ content: Content) throws(JournalFault) {
        let sizes = Dictionary(header.files.map { ($0.name, $0.byteCount) }, uniquingKeysWith: { first, _ in first })
        for blob in content.state.allBlobs {
            let name = BlobStore.path(of: blob.hash.hex)
            if sizes[name] != blob.size {
                throw .damage(file: file, offset: 0, reason: "\(name) is missing in it or has another size")
            }
        }
    }
}
