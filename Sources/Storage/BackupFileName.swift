/// The names that a file in a backup may have: those of a data directory, as paths below it, and no others.
enum BackupFileName {
    static let audit = "audit.log"

    static func isSound(_ name: String) -> Bool {
        guard name.utf8.count <= TarFormat.longestName else { return false }
        if name == audit { return true }
        let parts = name.split(separator: "/" as Character, omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2, parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }) else { return false }
        let rest = parts.dropFirst().joined(separator: "/")
        switch parts[0] {
        case "journal": return Segment.first(ofName: rest) != nil
        case "snapshot": return rest == SnapshotManifest.fileName || SnapshotFileName(rest) != nil
        case "blobs": return content(ofBlob: name) != nil
        case "tls": return parts.count == 2 && isPlain(parts[1])
        default: return false
        }
    }

    /// The checksum that a blob's name states; nil for the name of no blob.
    static func content(ofBlob name: String) -> String? {
        let parts = name.split(separator: "/" as Character, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "blobs", parts[1].utf8.count == 2, parts[2].utf8.count == 62,
            (parts[1] + parts[2]).utf8.allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) })
        else { return nil }
        return String(parts[1] + parts[2])
    }

    /// Letters, digits, `-`, `_` and `.`.
    static func isPlain(_ name: String) -> Bool {
        name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
    }
}
