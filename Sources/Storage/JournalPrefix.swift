import SystemIO

/// The beginning of a journal up to a record: which bytes of which segments it is. Reads only, and nothing behind that
/// record, so that the journal may be written meanwhile.
package enum JournalPrefix {
    package struct Part: Sendable, Equatable {
        /// Below the data directory, `journal/…`.
        package let name: String
        /// Bytes from the front that hold the records, without zeros that were filled in ahead.
        package let byteCount: UInt64
    }

    /// Hands the records above `after` up to `through` to `body`. O(journal).
    /// - Parameter directory: of the segments (`DataDirectory.journal`).
    /// - Returns: the segments, in order, that have these records; the last one ends with record `through`.
    /// - Throws: `JournalFault` when they are not all there, or what `body` throws.
    package static func read(
        directory: Directory,
        after: UInt64,
        through: UInt64,
        _ body: (ReplayedRecord) throws(JournalFault) -> Void
    ) throws(JournalFault) -> [Part] {
        let all = JournalRecovery.segments(
            in: try naming("journal") { () throws(Errno) in try directory.list() }
        )
        // What a snapshot holds may be there still.
        let start = all.lastIndex { $0 - 1 <= after } ?? all.startIndex
        var reader = JournalReader(directory: directory, segments: Array(all[start...]), after: after, through: through)
        let ending = try reader.read(body)
        guard ending.last == through, let last = ending.segment else { throw missing(reader, ending, through) }
        var parts: [Part] = []
        for segment in 0...last {
            let end = segment == last ? ending.end : try endOfRecords(segment, reader)
            parts.append(Part(name: reader.file(segment), byteCount: end))
        }
        return parts
    }

    private static func endOfRecords(
        _ segment: Int,
        _ reader: borrowing JournalReader
    ) throws(JournalFault) -> UInt64 {
        var window = try reader.window(segment)
        return try naming(reader.file(segment)) { () throws(Errno) in try window.endOfNonZero(from: 0) }
    }

    private static func missing(
        _ reader: borrowing JournalReader,
        _ ending: JournalReader.Ending,
        _ through: UInt64
    ) -> JournalFault {
        let why = ending.flaw.map { ": \($0.reason)" } ?? ""
        return .damage(
            file: (ending.flaw?.segment ?? ending.segment).map { reader.file($0) } ?? "journal",
            offset: ending.flaw?.offset ?? ending.end,
            reason: "record \(ending.last + 1) is not there, but record \(through) was on disk\(why)"
        )
    }
}
