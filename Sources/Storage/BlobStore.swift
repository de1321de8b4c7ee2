import Synchronization
import SystemIO

/// Files by their content: `ab/cdef…`, named by the SHA-256 of their bytes, each stored once, mode 0600 in directories
/// of mode 0700. Every call blocks on the disk; callable from any thread.
///
/// A file is written under the name `incoming-N`, synced, renamed, and its directory synced, so that what has its name
/// is whole. What was never accepted, and what a crash left half, is removed by `sweep` at start.
package final class BlobStore: Sendable {
    static let incomingPrefix = "incoming-"

    let directory: Directory
    private let serial = Atomic<UInt64>(0)
    struct Names {
        /// Files that were stored and wait for `settle`, by content: none of them is removed meanwhile.
        var unsettled: [String: Int] = [:]
        /// Folders whose names are on the disk for sure.
        var folders: Set<String> = []
    }

    /// Held while names change.
    let names = Lock(Names())

    /// - Parameter directory: `blobs` of the data directory; it exists.
    package init(directory: Directory) { self.directory = directory }

    /// A new file to write to.
    package func begin() throws(Errno) -> IncomingBlob {
        let number = serial.add(1, ordering: .relaxed).newValue
        return try IncomingBlob("\(Self.incomingPrefix)\(number)", in: directory)
    }

    /// Gives a written file its name. When this returns, file and name are on the disk, and `settle` must follow.
    /// - Parameter content: 64 lower-case hexadecimal digits.
    /// - Throws: `Errno`; the file is removed then.
    package func store(_ incoming: IncomingBlob, as content: String) throws(Errno) {
        do throws(Errno) {
            try incoming.sync()
            try name(content) { (path) throws(Errno) in try directory.rename(incoming.name, to: path) }
        } catch {
            incoming.discard()
            throw error
        }
    }

    /// Gives a file that is on the disk the name of its content, by `rename`, and brings the name to the disk.
    func name(_ content: String, by rename: (_ path: String) throws(Errno) -> Void) throws(Errno) {
        let folder = String(content.prefix(2))
        try names.withLock { (names: inout Names) throws(Errno) in
            _ = try directory.make(folder)
            if !names.folders.contains(folder) {
                // It may be there and not yet on the disk: an earlier sync may have failed.
                try directory.sync()
                names.folders.insert(folder)
            }
            try rename(Self.name(of: content))
            names.unsettled[content, default: 0] += 1
        }
        do throws(Errno) { try directory.directory(folder).sync() } catch {
            settle(content, isKept: true)
            throw error
        }
    }

    /// Says what became of a stored file: kept, or refused after all; then it is removed unless another upload of the same
    /// content waits.
    package func settle(_ content: String, isKept: Bool) {
        names.withLock { (names: inout Names) in
            let left = (names.unsettled[content] ?? 1) - 1
            names.unsettled[content] = left > 0 ? left : nil
            if left <= 0, !isKept { try? directory.remove(Self.name(of: content)) }
        }
    }

    /// Removes a file whose last upload has ended, unless one with the same bytes was stored and waits to be settled.
    /// - Throws: `Errno`; the next `sweep` removes it then.
    package func remove(_ content: String) throws(Errno) {
        try names.withLock { (names: inout Names) throws(Errno) in
            if names.unsettled[content] == nil { try directory.remove(Self.name(of: content)) }
        }
    }

    /// Reads from `offset` on into `room`; fewer bytes than there is room only at the end of the file.
    package func read(
        _ content: String,
        into room: UnsafeMutableRawBufferPointer,
        at offset: UInt64
    ) throws(Errno) -> Int {
        try open(content).read(into: room, at: offset)
    }

    /// Opens a stored file.
    package func open(_ content: String) throws(Errno) -> File { try directory.open(Self.name(of: content), .read) }

    /// Removes unfinished files and those that `isKnown` does not know. At start, before anything is stored.
    /// - Returns: how many files were removed.
    package func sweep(isKnown: (String) -> Bool) throws(Errno) -> Int {
        var removed = 0
        for name in try directory.list() {
            if name.utf8.starts(with: Self.incomingPrefix.utf8) {
                try directory.remove(name)
                removed += 1
            } else if name.utf8.count == 2 {
                for rest in try directory.directory(name).list() where rest.utf8.count == 62 {
                    if isKnown(name + rest) { continue }
                    try directory.remove("\(name)/\(rest)")
                    removed += 1
                }
            }
        }
        return removed
    }

    /// Whether anything was ever stored, which takes a journal.
    /// - Throws: `JournalFault` when that cannot be told.
    package func hasStored() throws(JournalFault) -> Bool {
        do throws(Errno) { return try directory.list().contains { $0.utf8.count == 2 } } catch {
            if error.isMissing { return false }
            throw .system(file: "blobs", error)
        }
    }

    private static func name(of content: String) -> String {
        String(unsafeUninitializedCapacity: content.utf8.count + 1) { room in
            var at = 0
            for byte in content.utf8 {
                if at == 2 {
                    room[at] = 0x2F
                    at += 1
                }
                room[at] = byte
                at += 1
            }
            return at
        }
    }

    /// The path below the data directory of the file with this content.
    package static func path(of content: String) -> String { "blobs/" + name(of: content) }
}
