import Bytes
import SystemIO

/// Writes snapshots: each file under a temporary name, on disk, then under its own; the manifest last of all.
///
/// One snapshot at a time, on one thread: `begin`, then for each file `open`, `append`…, `close`, or `keep`; then
/// `commit`, or `abort` at any moment. All calls block on the disk.
package struct SnapshotStore: ~Copyable {
    private let directory: Directory
    private let makeDigest: SnapshotFiles.MakeDigest
    /// The files of the last whole snapshot, by stem.
    private var known: [String: SnapshotManifest.Entry] = [:]
    private var generation: UInt64
    /// The files of the snapshot under way, and the names of those it has written.
    private var entries: [SnapshotManifest.Entry] = []
    private var written: [String] = []
    /// Directories with new names in them, by their path below the snapshot's; empty for that itself.
    private var touched: [String] = []
    /// Directories whose names are on the disk for sure.
    private var durableDirectories: Set<String> = []
    /// Files that only earlier snapshots name, and that are removed when nobody copies them.
    private var replaced: [String] = []
    /// Somebody copies files: none is removed by `commit`, until `removeReplaced`.
    package var isHeld = false

    private var file: File?
    private var name = ""
    private var byteCount: UInt64 = 0
    private var unsynced: UInt64 = 0
    private var digest: any ByteDigest

    /// Bytes after which a long file is synced in between, so that no sync of the journal waits for many.
    private static let stepSize: UInt64 = 1 << 20

    /// - Parameter manifest: that of the snapshot on disk, if there is one.
    package init(directory: Directory, manifest: SnapshotManifest?, makeDigest: @escaping SnapshotFiles.MakeDigest) {
        (self.directory, self.makeDigest, digest) = (directory, makeDigest, makeDigest())
        generation = manifest?.generation ?? 0
        for entry in manifest?.files ?? [] { known[entry.stem] = entry }
    }

    /// Begins a snapshot.
    package mutating func begin() {
        generation += 1
        (entries, written, touched) = ([], [], [""])
    }

    /// Begins a file; directories in its stem are made.
    package mutating func open(_ stem: String) throws(JournalFault) {
        name = SnapshotFileName(stem: stem, generation: generation).text
        try makeDirectories(of: stem)
        written.append(name)
        let temporary = name + ".tmp"
        file = try naming("snapshot/" + name) { () throws(Errno) in try directory.open(temporary, .replace) }
        (byteCount, unsynced, digest) = (0, 0, makeDigest())
    }

    private func below(_ path: String) -> Directory { path.isEmpty ? directory : directory.directory(path) }

    private mutating func makeDirectories(of stem: String) throws(JournalFault) {
        var path = ""
        for part in stem.split(separator: "/").dropLast() {
            let above = path
            path += path.isEmpty ? String(part) : "/" + part
            let place = path
            try naming("snapshot/" + stem) { () throws(Errno) in
                _ = try directory.make(place)
                // It may be there and not yet on the disk: an earlier sync may have failed.
                if !durableDirectories.contains(place) {
                    try below(above).sync()
                    durableDirectories.insert(place)
                }
            }
        }
        if !touched.contains(path) { touched.append(path) }
    }

    /// Appends to the file that is open.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(JournalFault) {
        digest.update(bytes)
        do throws(Errno) {
            try file?.write(bytes, at: byteCount)
            byteCount += UInt64(bytes.count)
            unsynced += UInt64(bytes.count)
            if unsynced >= Self.stepSize {
                try file?.syncData()
                unsynced = 0
            }
        } catch { throw .system(file: "snapshot/" + name, error) }
    }

    /// Brings the open file to disk and gives it its name. `holds`: everything up to this global sequence is in it.
    package mutating func close(holds: UInt64) throws(JournalFault) {
        do throws(Errno) {
            try file?.sync()
            file = nil
            try directory.rename(name + ".tmp", to: name)
        } catch { throw .system(file: "snapshot/" + name, error) }
        entries.append(.init(name: name, sha256: digest.hex(), byteCount: byteCount, holds: holds))
    }

    /// Takes a file of the last snapshot over as it is.
    package mutating func keep(_ stem: String, holds: UInt64) throws(JournalFault) {
        guard let old = known[stem] else {
            throw .damage(file: "snapshot/" + stem, offset: 0, reason: "it is to be kept, but was never written")
        }
        entries.append(.init(name: old.name, sha256: old.sha256, byteCount: old.byteCount, holds: holds))
    }

    /// Makes the snapshot the one that counts. Nothing above `through` may be in it, and all up to there must be on the
    /// journal's disk.
    /// - Returns: its manifest.
    package mutating func commit(
        logID: String,
        sequence: UInt64,
        through: UInt64
    ) throws(JournalFault) -> SnapshotManifest {
        for path in touched {
            try naming("snapshot") { () throws(Errno) in try below(path).sync() }
        }
        let manifest = SnapshotManifest(
            logID: logID,
            generation: generation,
            sequence: sequence,
            through: through,
            files: entries
        )
        var bytes = ByteBuffer()
        manifest.encode(into: &bytes, digest: makeDigest())
        // When this fails the manifest may have its name all the same, so no file of either is touched: those of no use go
        // at the next start. Nor is it known which files the next snapshot may keep.
        let old = known
        (written, known) = ([], [:])
        do throws(Errno) { try directory.replace(SnapshotManifest.fileName, with: bytes.readable) } catch {
            throw .system(file: SnapshotManifest.shownName, error)
        }
        for entry in entries { known[entry.stem] = entry }
        for stem in old.keys.sorted() {
            if let name = old[stem]?.name, known[stem]?.name != name { replaced.append(name) }
        }
        if !isHeld { removeReplaced() }
        return manifest
    }

    /// Removes what only snapshots before the last one name.
    package mutating func removeReplaced() {
        // Left over, one does no harm and is removed at the next start.
        for name in replaced { try? directory.remove(name) }
        replaced = []
    }

    /// Gives the snapshot under way up and removes its files.
    package mutating func abort() {
        file = nil
        for name in written {
            // Which of the two names there is depends on where it ended.
            try? directory.remove(name)
            try? directory.remove(name + ".tmp")
        }
        (entries, written) = ([], [])
    }

    /// Removes everything in the directory that looks like a snapshot's and that the last whole one does not name: what an
    /// end in the middle left. Once, at start.
    package func removeLeftovers() throws(JournalFault) {
        let named = Set(known.values.map(\.name))
        try naming("snapshot") { () throws(Errno) in
            // The manifest that is seen need not be on disk yet: whoever renamed it may have ended before the sync.
            try directory.sync()
            try removeLeftovers(prefix: "", named)
            guard try directory.list().contains("timeline") else { return }
            for name in try directory.directory("timeline").list() where UInt32(name) != nil {
                try removeLeftovers(prefix: "timeline/" + name + "/", named)
            }
        }
    }

    private func removeLeftovers(prefix: String, _ named: Set<String>) throws(Errno) {
        for name in try below(String(prefix.dropLast())).list() {
            let isTemporary = name.hasSuffix(".json.tmp")
            let isStale = SnapshotFileName(name) != nil && !named.contains(prefix + name)
            if isTemporary || isStale { try directory.remove(prefix + name) }
        }
    }
}
