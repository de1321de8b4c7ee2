import SystemIO

/// Files of uploads that come in pieces: for each its bytes so far, and beside them, as `.json`, what is known of it. Mode
/// 0600, whatever the umask. Every call blocks on the disk; those about one upload come from one thread at a time.
package struct PartialStore: Sendable {
    private static let suffix = ".json"
    private let directory: Directory

    /// - Parameter directory: `uploads` of the data directory; it exists.
    package init(directory: Directory) { self.directory = directory }

    /// Makes a new one; when this returns both files and their names are on the disk.
    package func make(_ name: String, notes: [UInt8]) throws(Errno) {
        _ = try directory.open(name, .create)
        try note(name, notes)
    }

    /// Puts other notes in the place of those there are; on the disk when this returns.
    package func note(_ name: String, _ notes: [UInt8]) throws(Errno) {
        let outcome = notes.withUnsafeBytes { bytes -> Errno? in
            do throws(Errno) {
                try directory.replace(name + Self.suffix, with: bytes)
                return nil
            } catch { return error }
        }
        if let outcome { throw outcome }
    }

    /// What is known of one.
    package func notes(_ name: String) throws(Errno) -> [UInt8] {
        try directory.contents(of: name + Self.suffix, limit: 65_536)
    }

    /// The bytes so far.
    package func open(_ name: String) throws(Errno) -> File { try directory.open(name, .update) }

    package func remove(_ name: String) throws(Errno) {
        for each in [name, name + Self.suffix] {
            do throws(Errno) { try directory.remove(each) } catch { if !error.isMissing { throw error } }
        }
    }

    /// The names of all that have notes. What else stands there is removed. At start.
    package func sweep() throws(Errno) -> [String] {
        let all = try directory.list()
        let named = all.filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.utf8.count)) }
        let known = Set(named)
        for name in all where !name.hasSuffix(Self.suffix) && !known.contains(name) { try directory.remove(name) }
        return named
    }

    /// Gives the bytes of one a second name in the store, so that both are there until its fate is decided.
    package func put(_ name: String, into store: BlobStore, as content: String) throws(Errno) {
        let path = directory.path(name)
        try store.name(content) { (place) throws(Errno) in
            do throws(Errno) { try Directory.link(path, as: store.directory.path(place)) } catch {
                if error.isThere { return }
                guard error.isUnsupported else { throw error }
                // Without second names it moves: a crash before the record is on disk then costs the upload.
                try Directory.rename(path, to: store.directory.path(place))
            }
        }
    }
}
