import Bytes
import ChatModel
import Engine
import Persistence
import Storage
import SystemIO
import TLS

/// What a snapshot still holds, whatever has happened to its files. Changes nothing.
struct SnapshotRemains {
    /// The whole content of a sound snapshot; nil when `parts` have to do.
    private(set) var content: Content?
    private(set) var parts = SnapshotSalvage()
    /// Records at or below this may be gone from the journal.
    private(set) var sequence: UInt64 = 0
    /// Nothing above this is in any file.
    private(set) var through: UInt64 = 0
    /// The highest generation that any file has.
    private(set) var generation: UInt64 = 0
    private(set) var rows: [RepairRow] = []

    private let files: SnapshotFiles

    /// - Parameter journal: the directory of the segments.
    /// - Throws: `JournalFault`: a newer format, a failed call, or too little left.
    init(_ directory: Directory, journal: Directory, limits: Limits) throws(JournalFault) {
        files = SnapshotFiles(directory: directory) { SHA256Stream() }
        let found = try files.all()
        generation = found.reduce(0) { max($0, $1.generation) }
        let first = try JournalTrim.first(in: journal)
        do throws(JournalFault) {
            if let manifest = try files.manifest() {
                (sequence, through) = (manifest.sequence, manifest.through)
                generation = max(generation, manifest.generation)
                try read(manifest, limits)
            } else {
                try goOn(without: found, first, nil)
            }
        } catch {
            guard case .damage(let file, _, let reason) = error, file == "snapshot/" + SnapshotManifest.fileName else {
                throw error
            }
            try goOn(without: found, first, reason)
        }
    }

    /// Reads a snapshot whose manifest is there; when a file of it is damaged, what is left of all of them.
    private mutating func read(_ manifest: SnapshotManifest, _ limits: Limits) throws(JournalFault) {
        do throws(JournalFault) {
            var whole = Content(limits: limits)
            try SnapshotLoader(files: files, manifest: manifest).load(into: &whole)
            content = whole
            return
        } catch {
            guard case .damage = error else { throw error }
        }
        for entry in manifest.files { try salvage(entry.name, entry) }
    }

    /// The manifest is gone: nothing is missed while the journal has everything; otherwise the newest file of each part
    /// counts, and the journal from its first record on.
    private mutating func goOn(
        without found: [SnapshotFileName],
        _ first: UInt64?,
        _ reason: String?
    ) throws(JournalFault) {
        let shown = "snapshot/" + SnapshotManifest.fileName
        if let reason { rows.append(RepairRow("damage", ["file": shown, "reason": reason], "\(shown): \(reason)")) }
        if first == 1 || first == nil && found.isEmpty && reason == nil { return }
        guard !found.isEmpty else {
            throw .damage(
                file: shown,
                offset: 0,
                reason: "it is gone, no other file of the snapshot is left, and the journal begins with record "
                    + "\(first.map { String($0) } ?? "none")"
            )
        }
        if reason == nil {
            rows.append(RepairRow("damage", ["file": shown, "reason": "missing"], "\(shown): it is missing"))
        }
        var newest: [String: SnapshotFileName] = [:]
        for name in found where newest[name.stem].map({ $0.generation < name.generation }) ?? true {
            newest[name.stem] = name
        }
        for stem in newest.keys.sorted() {
            guard let name = newest[stem] else { continue }
            try salvage(name.text, nil)
        }
        sequence = first.map { $0 - 1 } ?? parts.through
        through = max(sequence, parts.through)
    }

    /// Takes what a file holds: all of it when it is as the manifest's `entry` says, else what can be read.
    private mutating func salvage(_ name: String, _ entry: SnapshotManifest.Entry?) throws(JournalFault) {
        let shown = "snapshot/" + name
        guard let part = SnapshotFileName(name).flatMap({ SnapshotPart(stem: $0.stem) }) else { return }
        var buffer = ByteBuffer()
        // A file without a checksum that says otherwise is what it says.
        var isAsWritten = entry == nil
        if let entry {
            do throws(JournalFault) {
                try files.read(entry, into: &buffer)
                isAsWritten = true
                if let shard = try? SnapshotShard(part, buffer.readable) {
                    return parts.add(shard, part, holds: entry.holds)
                }
            } catch {
                guard case .damage = error else { throw error }
            }
        }
        var bytes: [UInt8] = []
        do throws(Errno) { bytes = try files.directory.contents(of: name, limit: 1 << 32) } catch {
            if !error.isMissing { throw .system(file: shown, error) }
            rows.append(RepairRow("damage", ["file": shown, "reason": "missing"], "\(shown): it is missing"))
            return
        }
        if isAsWritten, let version = SnapshotFormat.version(of: bytes), version > SnapshotFormat.version {
            throw .newerFormat(file: shown, version: version)
        }
        let unreadable = bytes.withUnsafeBytes { parts.addDamaged($0, part, holds: entry?.holds ?? 0) }
        if unreadable == 0, entry == nil { return }
        let text = unreadable == 1 ? "1 line of it cannot be read" : "\(unreadable) lines of it cannot be read"
        rows.append(
            RepairRow(
                "damage",
                ["file": shown, "reason": "changed", "unreadable": String(unreadable)],
                "\(shown): it is not as it was written; \(text)"
            )
        )
    }
}
