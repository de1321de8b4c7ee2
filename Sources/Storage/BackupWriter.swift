import Bytes
import SystemIO

/// Writes a backup: a tar archive of plain files, `backup.json` first.
///
/// It is written under the name `FILE.tmp`, synced, and renamed, so that what has its name is whole; it never takes the
/// place of another file. A `FILE.tmp` that an end in the middle left is written anew by the next backup; while one is
/// being written it is locked. Every call blocks on the disk.
package struct BackupWriter: ~Copyable {
    private let path: String
    private let claim: FileClaim
    private let file: File
    private var byteCount: UInt64 = 0
    private var unsynced: UInt64 = 0

    /// Bytes after which the file is synced in between, so that no sync of a journal on the same disk waits for many.
    private static let stepSize: UInt64 = 4 << 20

    private var temporary: String { path + ".tmp" }

    /// Begins the backup at `path`.
    /// - Returns: nil when another process is writing it.
    package init?(_ path: String) throws(JournalFault) {
        let temporary = path + ".tmp"
        let claim: FileClaim?
        do throws(Errno) { claim = try FileClaim(temporary) } catch { throw .system(file: temporary, error) }
        guard let claim else { return nil }
        file = try naming(temporary) { () throws(Errno) in try File(temporary, .replace) }
        self.claim = claim
        self.path = path
    }

    /// Writes everything and gives the file its name.
    /// - Parameters:
    ///   - directory: the data directory that the names in `header` are below.
    ///   - contents: files that are not read from there.
    ///   - makeDigest: SHA-256.
    /// - Throws: `JournalFault`: damage of a file that is not as `header` says, or a failed call; EEXIST when there is a
    ///   file of this name meanwhile.
    package mutating func write(
        _ header: BackupHeader,
        from directory: String,
        contents: [String: [UInt8]],
        makeDigest: SnapshotFiles.MakeDigest
    ) throws(JournalFault) {
        do throws(JournalFault) {
            try append(header.entry(digest: makeDigest()))
            for entry in header.files {
                try append(TarFormat.header(name: entry.name, byteCount: entry.byteCount, seconds: header.seconds))
                if let bytes = contents[entry.name] {
                    try append(bytes)
                } else {
                    try append(entry, from: directory, makeDigest())
                }
                try append([UInt8](repeating: 0, count: Int(TarFormat.padding(behind: entry.byteCount))))
            }
            try append([UInt8](repeating: 0, count: Int(TarFormat.endSize)))
            try finish()
        } catch {
            // Half a backup is of no use; what cannot be removed is written anew by the next one.
            try? Directory.remove(temporary)
            throw error
        }
    }

    private func finish() throws(JournalFault) {
        do throws(Errno) {
            try file.sync()
            try Directory.rename(temporary, toNew: path)
            try Directory.sync(Directory.parent(of: path))
        } catch { throw .system(file: path, error) }
    }

    private mutating func append(
        _ entry: BackupHeader.Entry,
        from directory: String,
        _ digest: any ByteDigest
    ) throws(JournalFault) {
        var digest = digest
        let path = directory + "/" + entry.name
        try FileDigest.forEachPiece(of: path, shown: entry.name, byteCount: entry.byteCount) {
            (piece) throws(JournalFault) in
            digest.update(piece)
            try append(piece)
        }
        if digest.hex() != entry.sha256 {
            throw .damage(file: entry.name, offset: 0, reason: "its bytes do not have the checksum they should")
        }
    }

    private mutating func append(_ bytes: [UInt8]) throws(JournalFault) {
        // withUnsafeBytes does not carry a typed error.
        var outcome: Result<Void, JournalFault> = .success(())
        bytes.withUnsafeBytes { bytes in
            do throws(JournalFault) { try append(bytes) } catch { outcome = .failure(error) }
        }
        try outcome.get()
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) throws(JournalFault) {
        do throws(Errno) {
            try file.write(bytes, at: byteCount)
            byteCount += UInt64(bytes.count)
            unsynced += UInt64(bytes.count)
            if unsynced >= Self.stepSize {
                try file.syncData()
                unsynced = 0
            }
        } catch { throw .system(file: temporary, error) }
    }
}
