import Bytes
import ChatModel
import Engine
import Persistence
import Storage
import SystemIO
import TLS

/// `fcd restore FILE`: a data directory from a backup, all of it or nothing.
///
/// It is made beside its place under the name `DIR.restoring`, read as a start would read it, given a new identity of the
/// log, synced, and renamed. What an end in the middle left has that name, too, and the next restore removes it.
struct RestoreCommand {
    private let file: String
    private let target: String

    init(_ file: String, to target: String) { (self.file, self.target) = (file, target) }

    /// - Throws: `Failure`: 2 when the directory is not empty, 3 when another restore is under way, 4 when the backup is
    ///   not as it was written.
    func run(_ request: CommandRequest) throws(Failure) {
        let target = try place()
        let header = try read()
        let temporary = target + ".restoring"
        let claim = try begin(temporary)
        let logID: String
        do throws(Failure) {
            logID = try fill(temporary)
            try about(target) { () throws(Errno) in
                try Directory.rename(temporary, to: target)
                try Directory.sync(Directory.parent(of: target))
            }
        } catch {
            // What cannot be removed is removed by the next restore.
            try? Directory.removeTree(temporary)
            throw error
        }
        withExtendedLifetime(claim) {}
        request.show([
            "restored": self.target, "position": String(header.position), "log": logID,
            "files": String(header.files.count), "bytes": String(header.files.reduce(0) { $0 + $1.byteCount }),
        ])
    }

    private func about<Result: ~Copyable>(
        _ path: String,
        _ body: () throws(Errno) -> Result
    ) throws(Failure) -> Result {
        do throws(Errno) { return try body() } catch { throw .running("\(visible(path)): \(error)") }
    }

    /// Where the directory is to be, without links in its path.
    private func place() throws(Failure) -> String {
        var path = target
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        switch try about(path, { () throws(Errno) in try Directory.kind(of: path) }) {
        case nil: return path
        case .file?: throw .configuration("\(visible(target)) is a file; a restore makes a directory")
        case .directory?, .other?:
            let resolved = try about(path) { () throws(Errno) in try Directory.resolve(path) }
            let names = try about(resolved) { () throws(Errno) in try Directory.list(resolved) }
            if names.isEmpty { return resolved }
            throw .configuration("\(visible(target)) is not empty; a restore makes a new data directory, and only that")
        }
    }

    private func read() throws(Failure) -> BackupHeader {
        do throws(JournalFault) { return try BackupReader(file) { SHA256Stream() }.header } catch {
            throw Failure(error)
        }
    }

    /// Makes the temporary directory and holds it; what an end in the middle left there is removed.
    private func begin(_ path: String) throws(Failure) -> Descriptor {
        let held = try about(path) { () throws(Errno) -> Descriptor? in
            try Directory.create(path)
            let directory = try Directory.open(path)
            guard try Directory.lock(directory) else { return nil }
            // Another restore may have renamed or removed it meanwhile.
            let isStill = try Directory.inode(of: directory) == Directory.inode(of: Directory.open(path))
            if isStill { return directory }
            return nil
        }
        guard let held else { throw .inUse("\(visible(path)): another restore is under way") }
        try about(path) { () throws(Errno) in try Directory.removeContents(path) }
        return held
    }

    /// Unpacks into the temporary directory and reads it as a start does.
    /// - Returns: the new identity of the log.
    private func fill(_ path: String) throws(Failure) -> String {
        do throws(JournalFault) {
            let backup = try BackupReader(file) { SHA256Stream() }
            try backup.unpack(into: path)
            try makeParts(of: path)
            return try RestoredLog(path, file: file, backup.header).renew()
        } catch {
            throw Failure(error)
        }
    }

    /// A backup has no empty directories.
    private func makeParts(of path: String) throws(JournalFault) {
        do throws(Errno) {
            for part in ["journal", "blobs", "tls", "snapshot"] { try Directory.create("\(path)/\(part)") }
            try Directory.sync(path)
        } catch { throw .system(file: path, error) }
    }
}
