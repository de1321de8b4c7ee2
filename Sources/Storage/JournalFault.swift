import SystemIO

/// Why the journal, or the snapshot it goes on from, cannot be read or written.
package enum JournalFault: Error, Equatable, CustomStringConvertible {
    /// Something that was acknowledged is not there any more. Nothing on disk was changed.
    case damage(file: String, offset: UInt64, reason: String)
    /// The file is of a later version of this program. Nothing on disk was changed.
    case newerFormat(file: String, version: UInt64)
    /// The system refused a call.
    case system(file: String, Errno)

    /// A sentence for the operator, with file and offset, free of anybody's texts.
    package var description: String {
        switch self {
        case .damage(let file, let offset, let reason): "\(file), offset \(offset): damaged: \(reason)"
        case .newerFormat(let file, let version):
            "\(file), offset 0: written in format \(version) by a newer version; this one reads format \(Segment.version)"
        case .system(let file, let error): "\(file): \(error)"
        }
    }
}

/// Runs a call on `file` and says in the failure which file it was.
func naming<Result: ~Copyable>(_ file: String, _ body: () throws(Errno) -> Result) throws(JournalFault) -> Result {
    do throws(Errno) { return try body() } catch { throw .system(file: file, error) }
}
