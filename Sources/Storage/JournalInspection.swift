import SystemIO

/// Reads a journal without changing anything, not even a torn tail.
package enum JournalInspection {
    /// Hands every record above `after` to `body`. Blocks; O(journal). Only while nobody writes the journal.
    /// - Parameters:
    ///   - directory: of the segments (`DataDirectory.journal`).
    ///   - settings: what other data say of the journal.
    /// - Returns: what a recovery would keep and cut off.
    /// - Throws: `JournalFault`: what a recovery would refuse, or what `body` throws.
    package static func read(
        directory: String,
        settings: JournalSettings,
        after: UInt64,
        _ body: (ReplayedRecord) throws(JournalFault) -> Void
    ) throws(JournalFault) -> Replay {
        let recovery = JournalRecovery(
            directory: directory,
            expectsData: settings.expectsData,
            expectedThrough: settings.expectedThrough
        )
        return try recovery.inspect(after: after, body)
    }
}

extension JournalRecovery {
    func inspect(after: UInt64, _ body: JournalReader.Body) throws(JournalFault) -> Replay {
        let names = try naming("journal") { () throws(Errno) in try Directory.list(directory) }
        let segments = Self.segments(in: names)
        if segments.isEmpty, expectsData || after > 0 {
            throw .damage(file: "journal", offset: 0, reason: "there are no segments, but other data belong to them")
        }
        var reader = JournalReader(directory: directory, segments: segments, after: after, through: nil)
        let ending = try reader.read(body)
        let cut = try ending.flaw.map { flaw throws(JournalFault) in try judge(flaw, ending, reader) }
        let expected = max(after, expectedThrough)
        if ending.last < expected { throw missing(reader, ending, expected) }
        return Replay(last: ending.last, cut: cut)
    }
}
