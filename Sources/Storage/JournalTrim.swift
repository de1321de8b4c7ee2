import SystemIO

/// Takes segments away that a snapshot holds.
package enum JournalTrim {
    /// Removes the segments whose records are all at or below `globalSequence`, the oldest first, never the newest one.
    /// What remains begins at or before the record that follows. Blocks on the disk.
    /// - Returns: segments removed.
    @discardableResult
    package static func trim(_ directory: Directory, through globalSequence: UInt64) throws(JournalFault) -> Int {
        let segments = JournalRecovery.segments(
            in: try naming("journal") { () throws(Errno) in try directory.list() }
        )
        var removed = 0
        for (first, next) in zip(segments, segments.dropFirst()) where next - 1 <= globalSequence {
            let name = Segment.name(first: first)
            try naming("journal/" + name) { () throws(Errno) in try directory.remove(name) }
            removed += 1
        }
        if removed > 0 { try naming("journal") { () throws(Errno) in try directory.sync() } }
        return removed
    }

    /// The first record that the journal has; nil when it has no segment.
    package static func first(in directory: Directory) throws(JournalFault) -> UInt64? {
        JournalRecovery.segments(
            in: try naming("journal") { () throws(Errno) in try directory.list() }
        ).first
    }
}
