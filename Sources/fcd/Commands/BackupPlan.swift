import Bytes
import ChatCore
import ChatModel
import Engine
import Persistence
import Storage
import SystemIO
import TLS

/// What a backup of a data directory has to hold, found by reading snapshot and journal without building the state, so
/// that it takes little memory beside a daemon with much of it.
struct BackupPlan {
    private(set) var header: BackupHeader
    /// Files whose content is this and not what stands on disk when they are copied: the manifest may be a later one then.
    private(set) var contents: [String: [UInt8]] = [:]

    private let path: String
    private var uploads = BackupUploads()

    /// Bytes that a file in `tls` may have.
    private static let largestKey: UInt64 = 1 << 20

    /// - Parameters:
    ///   - path: of the data directory, in which nothing is removed meanwhile.
    ///   - position: a record that is on disk; the snapshot may hold later ones, up to which the backup then goes.
    ///   - created: milliseconds since 1970.
    /// - Throws: `JournalFault` when something is damaged or cannot be read.
    init(_ path: String, position: UInt64, created: Int64) throws(JournalFault) {
        self.path = path
        let snapshot = SnapshotFiles(directory: Directory(path + "/snapshot")) { SHA256Stream() }
        let recovery = Recovery(snapshot: snapshot, limits: Limits())
        let manifest = try recovery.manifest(journalDirectory: Directory(path + "/journal"))
        header = BackupHeader(
            logID: manifest?.logID ?? "",
            position: max(position, manifest?.through ?? 0),
            created: UInt64(clamping: created),
            files: []
        )
        // What the snapshot says of uploads comes before what the journal says.
        if let manifest { try addUploads(of: manifest, snapshot) }
        try addJournal(after: manifest?.sequence ?? 0)
        if let manifest { add(manifest) }
        try addBlobs()
        try addIdentity()
        try addAudit()
    }

    private mutating func add(_ name: String, _ byteCount: UInt64) throws(JournalFault) {
        let sum = try FileDigest.hex(of: path + "/" + name, shown: name, byteCount: byteCount, SHA256Stream())
        header.files.append(.init(name: name, sha256: sum, byteCount: byteCount))
    }

    private mutating func addJournal(after: UInt64) throws(JournalFault) {
        var (uploads, logID) = (self.uploads, header.logID)
        let journal = Directory(path + "/journal")
        let parts = try JournalPrefix.read(directory: journal, after: after, through: header.position) {
            (record) throws(JournalFault) in
            do throws(RecordFault) {
                let entry = try JournalPayload.ledgerEntry(record.payload)
                if case .log(let id) = entry { logID = id }
                if let entry { uploads.take(entry) }
            } catch { throw record.damage(error.reason) }
        }
        (self.uploads, header.logID) = (uploads, logID)
        for part in parts { try add(part.name, part.byteCount) }
    }

    private mutating func addUploads(
        of manifest: SnapshotManifest,
        _ snapshot: SnapshotFiles
    ) throws(JournalFault) {
        for entry in manifest.files {
            guard case .accounts? = SnapshotPart(stem: entry.stem) else { continue }
            try addUploads(entry, snapshot)
        }
    }

    private mutating func add(_ manifest: SnapshotManifest) {
        for entry in manifest.files {
            header.files.append(
                .init(name: "snapshot/" + entry.name, sha256: entry.sha256, byteCount: entry.byteCount)
            )
        }
        let bytes = manifest.bytes(digest: SHA256Stream())
        let digest = SHA256Stream()
        bytes.withUnsafeBytes { digest.update($0) }
        header.files.append(
            .init(name: SnapshotManifest.path, sha256: digest.hex(), byteCount: UInt64(bytes.count))
        )
        contents[SnapshotManifest.path] = bytes
    }

    private mutating func addUploads(
        _ entry: SnapshotManifest.Entry,
        _ snapshot: SnapshotFiles
    ) throws(JournalFault) {
        var buffer = ByteBuffer()
        try snapshot.read(entry, into: &buffer)
        var found: [BlobRecord] = []
        do throws(JSONFault) {
            try AccountCodec.decode(buffer.readable) { (slot, _) throws(JSONFault) in
                if case .account(let account) = slot { found += account.uploads }
            }
        } catch {
            let offset = UInt64(clamping: error.offset)
            throw .damage(file: "snapshot/" + entry.name, offset: offset, reason: error.reason)
        }
        for blob in found { uploads.take(.blob(blob)) }
    }

    /// Their checksums are their names, and are checked when they are copied.
    private mutating func addBlobs() throws(JournalFault) {
        for (content, size) in uploads.files {
            let name = BlobStore.path(of: content)
            let found = try FileDigest.size(of: path + "/" + name, shown: name)
            guard let found else { throw .damage(file: name, offset: 0, reason: "it is missing") }
            if found != size {
                let reason = "it has \(found) bytes, its record says \(size)"
                throw .damage(file: name, offset: min(found, size), reason: reason)
            }
            header.files.append(.init(name: name, sha256: content, byteCount: size))
        }
    }

    private mutating func addIdentity() throws(JournalFault) {
        let names: [String]
        do throws(Errno) { names = try Directory.list(path + "/tls") } catch {
            if error.isMissing { return }
            throw .system(file: "tls", error)
        }
        for name in names.map({ "tls/" + $0 }) where BackupHeader.mayHold(name) {
            guard try kind(name) == .file, let size = try FileDigest.size(of: path + "/" + name, shown: name),
                size <= Self.largestKey
            else { continue }
            try add(name, size)
        }
    }

    private mutating func addAudit() throws(JournalFault) {
        let name = BackupHeader.auditName
        guard try kind(name) == .file, let size = try FileDigest.size(of: path + "/" + name, shown: name) else {
            return
        }
        try add(name, size)
    }

    private func kind(_ name: String) throws(JournalFault) -> Directory.Kind? {
        do throws(Errno) { return try Directory.kind(of: path + "/" + name) } catch {
            throw .system(file: name, error)
        }
    }
}
