import SystemIO

/// Finds what stands in a data directory and belongs to nothing in it. Changes nothing.
package struct StrangeFiles {
    private let path: String
    private let makeDigest: SnapshotFiles.MakeDigest

    /// What the daemon keeps beside its directories.
    private static let own: Set<String> = ["lock", "control.sock", BackupFileName.audit]
    private static let parts = ["blobs", "journal", "snapshot", "tls", "uploads"]

    /// - Parameter path: of the data directory.
    package init(_ path: String, makeDigest: @escaping SnapshotFiles.MakeDigest) {
        (self.path, self.makeDigest) = (path, makeDigest)
    }

    /// - Parameter isKnownBlob: whether a record has it, by its path below the data directory.
    /// - Returns: paths below the data directory, sorted within each part; also of what the next start removes. O(files).
    package func find(isKnownBlob: (String) -> Bool) throws(JournalFault) -> [String] {
        let manifest = try SnapshotFiles(directory: Directory(path + "/snapshot"), makeDigest: makeDigest).manifest()
        let named = Set((manifest?.files ?? []).map { "snapshot/" + $0.name } + [SnapshotManifest.path])
        var strange: [String] = []
        for name in try list("") where !Self.parts.contains(name) && !Self.own.contains(name) {
            if !SetAside.isName(name) { strange.append(name) }
        }
        for part in Self.parts {
            try forEachFile(below: part) { name in
                let isKnown =
                    switch part {
                    case "blobs": isKnownBlob(name)
                    case "snapshot": named.contains(name)
                    case "journal": BackupFileName.isSound(name) || name == "journal/" + Segment.spareName
                    // The operator may keep a certificate of his own there.
                    default: true
                    }
                if !isKnown { strange.append(name) }
            }
        }
        return strange
    }

    private func list(_ name: String) throws(JournalFault) -> [String] {
        do throws(Errno) { return try Directory.list(path + "/" + name) } catch {
            if error.isMissing { return [] }
            throw .system(file: name, error)
        }
    }

    private func forEachFile(below name: String, _ body: (String) -> Void) throws(JournalFault) {
        for rest in try list(name) {
            let inside = name + "/" + rest
            let kind = try naming(inside) { () throws(Errno) in try Directory.kind(of: path + "/" + inside) }
            if kind == .directory { try forEachFile(below: inside, body) } else { body(inside) }
        }
    }
}
