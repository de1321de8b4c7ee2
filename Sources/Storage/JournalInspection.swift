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
        directory: Directory,
        settings: JournalSettings,
        after: UInt64,
        _ body: (ReplayedRecord) throws(JournalFault) -> Void
    ) throws(JournalFault) -> Replay {
        let recovery = JournalRecovery(
            directory: directory,
            expectsData: settings.expectsData,
            expectedThrough: settings.expectedThrough
        )
        return try recovery.examine(after: after, body).replay
    }
}
