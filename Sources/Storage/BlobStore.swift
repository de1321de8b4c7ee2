import Synchronization
import SystemIO

/// Files by their content: `ab/cdef…`, named by the SHA-256 of their bytes, each stored once, mode 0600 in directories
/// of mode 0700. Every call blocks on the disk; callable from any thread.
///
/// A file is written under the name `incoming-N`, synced, renamed, and its directory synced, so that what has its name
/// is whole. What was never accepted, and what a crash left half, is removed by `sweep` at start.
package final class BlobStore: Sendable {
    static let incomingPrefix = "incoming-"

    private let directory: Directory
    private let serial = Atomic<UInt64>(0)
    private struct Names {
        /// Files that were stored and wait for `settle`, by content: none of them is removed meanwhile.
        var unsettled: [String: Int] = [:]
        /// Folders whose names are on the disk for sure.
        var folders: Set<String> = []
    }

    /// Held while names change.
    private let names = Lock(Names())

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
            let folder = String(content.prefix(2))
            try names.withLock { (names: inout Names) throws(Errno) in
                _ = try directory.make(folder)
                if !names.folders.contains(folder) {
                    // It may be there and not yet on the disk: an earlier sync may have failed.
                    try directory.sync()
                    names.folders.insert(folder)
                }
                try directory.rename(incoming.name, to: Self.name(of: content))
                names.unsettled[content, default: 0] += 1
            }
            do throws(Errno) { try directory.directory(folder).sync() } catch {
                settle(content, isKept: true)
                throw error
            }
        } catch {
            incoming.discard()
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

    /// Reads from `offset` on into `room`; fewer bytes than there is room only at the end of the file.
    package func read(
        _ content: String,
        into room: UnsafeMutableRawBufferPointer,
        at offset: UInt64
    ) throws(Errno) -> Int {
        try directory.open(Self.name(of: content), .read).read(into: room, at: offset)
    }

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

    private static func name(of content: String) -> String { "\(content.prefix(2))/\(content.dropFirst(2))" }

    /// The path below the data directory of the file with this content.
    package static func path(of content: String) -> String { "blobs/" + name(of: content) }
}

/// One file on its way into the store. Used by one thread at a time. It is open only while something is done with it, so
/// that slow uploads hold no descriptors.
package final class IncomingBlob {
    let name: String
    private let directory: Directory
    /// Bytes written so far.
    package private(set) var count: UInt64 = 0

    init(_ name: String, in directory: Directory) throws(Errno) {
        (self.name, self.directory) = (name, directory)
        _ = try directory.open(name, .create)
    }

    package func append(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        try directory.open(name, .update).write(bytes, at: count)
        count += UInt64(bytes.count)
    }

    func sync() throws(Errno) { try directory.open(name, .update).sync() }

    /// Removes the file.
    package func discard() { try? directory.remove(name) }
}
