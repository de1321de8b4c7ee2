import SystemIO

/// Puts an empty journal in the place of one whose records a snapshot holds, for `fcd repair`.
package enum JournalReplacement {
    /// Makes the segment that goes on behind `last`, and then removes all others. At any moment in between the journal
    /// either is refused as damaged or has nothing in it that the snapshot does not hold. Blocks on the disk.
    package static func replace(_ directory: Directory, behind last: UInt64) throws(JournalFault) {
        let name = Segment.name(first: last + 1)
        let header = Segment.header(first: last + 1)
        let outcome: Result<Void, Errno> = header.withUnsafeBytes { bytes in
            do throws(Errno) { return .success(try directory.replace(name, with: bytes)) } catch {
                return .failure(error)
            }
        }
        try naming("journal/" + name) { () throws(Errno) in try outcome.get() }
        let names = try naming("journal") { () throws(Errno) in try directory.list() }
        for other in names where other != name && Segment.first(ofName: other) != nil {
            try naming("journal/" + other) { () throws(Errno) in try directory.remove(other) }
        }
        try naming("journal") { () throws(Errno) in try directory.sync() }
    }
}
