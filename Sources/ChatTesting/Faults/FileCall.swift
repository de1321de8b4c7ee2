/// A call that changed a file of a data directory, as the library `faults` wrote it down before it was made.
package struct FileCall: Sendable, CustomStringConvertible {
    /// What is told apart, in the order of CFaults.h, FC_CALL_….
    package enum Kind: String, CaseIterable, Sendable {
        /// With write access.
        case open
        case write, fsync, fdatasync, rename, truncate, unlink, mkdir, chmod, other
    }

    /// The parts of a data directory, in the order of CFaults.h, FC_PLACE_….
    package enum Place: String, CaseIterable, Sendable {
        case journal, snapshot, blobs, tls
        /// The directory itself and the files in it.
        case other
    }

    package let kind: Kind
    /// Relative to the data directory.
    package let path: String

    package var place: Place { path.split(separator: "/").first.flatMap { Place(rawValue: String($0)) } ?? .other }
    package var description: String { "\(kind) \(path)" }

    /// Reads a line of the list: number, kind, path.
    init?(_ line: Substring) {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count == 3, let kind = Kind(rawValue: String(words[1])) else { return nil }
        (self.kind, path) = (kind, String(words[2]))
    }
}
