import SystemIO

/// The daemon's data directory, held by this process alone.
///
/// What counts is an flock(2) on the directory itself, which the kernel lets go of when the process ends, however it
/// ends; the file `lock` in it only names the holder, so that deleting it lets nobody in.
package final class DataDirectory: Sendable {
    package enum Fault: Error, Equatable, CustomStringConvertible {
        /// Another process has it; its number when that is known.
        case inUse(path: String, holder: Int32?)
        case system(path: String, Errno)

        package var description: String {
            switch self {
            case .inUse(let path, let holder?): "\(path): the data directory is in use by process \(holder)"
            case .inUse(let path, nil): "\(path): the data directory is in use by another process"
            case .system(let path, let error): "\(path): \(error)"
            }
        }
    }

    /// The directory without links in its path.
    package let path: String
    private let lock: Descriptor

    package var journal: Directory { Directory(path + "/journal") }
    package var blobs: Directory { Directory(path + "/blobs") }
    /// Uploads that come in pieces.
    package var uploads: Directory { Directory(path + "/uploads") }
    package var tls: String { path + "/tls" }
    package var snapshot: Directory { Directory(path + "/snapshot") }

    /// Makes what is missing, mode 0700, and takes the lock. `path` may be a link to a directory.
    /// - Throws: `Fault.inUse` when another process has the directory; nothing in it is changed then.
    package init(_ path: String) throws(Fault) {
        let isNew = try about(path) { () throws(Errno) in try Self.makeAll(path) }
        let resolved = try about(path) { () throws(Errno) in try Directory.resolve(path) }
        let descriptor = try about(path) { () throws(Errno) in try Directory.open(resolved) }
        guard try about(path, { () throws(Errno) in try Directory.lock(descriptor) }) else {
            throw .inUse(path: resolved, holder: LockHolder.find(descriptor, in: resolved))
        }
        self.path = resolved
        lock = descriptor
        try about(path) { () throws(Errno) in
            let mayChange = isNew ? false : try Self.isOurs(resolved)
            if mayChange { try Directory.setPrivate(resolved) }
            for part in ["journal", "blobs", "tls", "snapshot", "uploads"] {
                if try !Directory.create("\(resolved)/\(part)") { try Directory.setPrivate("\(resolved)/\(part)") }
            }
            try Directory.sync(resolved)
        }
        LockHolder.write(in: resolved)
    }

    /// Makes the directory and those above it that are missing, and brings their names to disk. The name of one that was
    /// there may be younger than the last power cut, too.
    /// - Returns: false when it was there.
    private static func makeAll(_ path: String) throws(Errno) -> Bool {
        let parent = Directory.parent(of: path)
        let isNew: Bool
        do throws(Errno) { isNew = try Directory.create(path) } catch {
            guard error.isMissing, parent != path else { throw error }
            _ = try makeAll(parent)
            isNew = try Directory.create(path)
        }
        do throws(Errno) { try Directory.sync(parent) } catch {
            // A directory that may not be read was not made by this process.
            guard error.isDenied else { throw error }
        }
        return isNew
    }

    /// Empty or a data directory already: a directory with other things in it keeps its mode, it may not be ours alone.
    private static func isOurs(_ path: String) throws(Errno) -> Bool {
        let names = try Directory.list(path)
        return names.isEmpty || names.contains("journal")
    }
}

/// Runs a call and says in the failure which path it was about.
private func about<Result: ~Copyable>(
    _ path: String,
    _ body: () throws(Errno) -> Result
) throws(DataDirectory.Fault) -> Result {
    do throws(Errno) { return try body() } catch { throw .system(path: path, error) }
}
