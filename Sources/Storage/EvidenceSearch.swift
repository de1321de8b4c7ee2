import SystemIO

/// Looks behind the first flaw of a journal for a proof that something dropped there had been on disk.
///
/// Each record states what was on disk when it was made. When a sound record behind the flaw states that record n or
/// a later one was, the flaw is damage; otherwise everything from n on was never acknowledged (a torn tail).
struct EvidenceSearch {
    /// The proof, and its place.
    struct Evidence {
        let file: String
        let offset: UInt64
    }

    /// The first global sequence that would be dropped.
    let dropped: UInt64
    /// The number of the record at the flaw.
    let expected: UInt64

    /// Searches the rest of the flaw's segment from `offset` on.
    /// - Returns: the proof when there is one, and the end of what is not zero.
    func search(
        _ window: inout FileWindow,
        from offset: UInt64,
        file: String
    ) throws(Errno) -> (evidence: Evidence?, end: UInt64) {
        var at = offset
        var lineStart = true
        while true {
            let piece = try window.bytes(at: at, atLeast: JournalRecord.maximumLength)
            if piece.isEmpty { break }
            let last = at + UInt64(piece.count) >= window.size
            // A candidate must have all its bytes in the piece, unless the file ends there.
            let limit = last ? piece.count : piece.count - JournalRecord.maximumLength + 1
            var i = 0
            while i < limit {
                if let hit = candidate(piece, i, lineStart: lineStart, distance: at + UInt64(i) - offset) {
                    if hit.durable >= dropped { return (Evidence(file: file, offset: at + UInt64(i)), 0) }
                    i += hit.length
                    lineStart = true
                } else {
                    lineStart = piece[i] == 0x0A
                    i += 1
                }
            }
            at += UInt64(i)
        }
        return (nil, try window.endOfNonZero(from: offset))
    }

    /// The sound record at place `i`, if there is one.
    ///
    /// Where no line begins, the bytes may be the end of a payload that somebody shaped like a record; there only a
    /// number is believed that the records in between have room for.
    private func candidate(
        _ piece: UnsafeRawBufferPointer,
        _ i: Int,
        lineStart: Bool,
        distance: UInt64
    ) -> JournalRecord.Parsed? {
        guard piece[i] >= 0x31, piece[i] <= 0x39 else { return nil }
        let bytes = UnsafeRawBufferPointer(rebasing: piece[i...])
        guard case .record(let record) = JournalRecord.parse(bytes) else { return nil }
        if lineStart { return record }
        let room = distance / UInt64(JournalRecord.minimumLength) + 1
        guard record.globalSequence >= expected, record.globalSequence - expected <= room else { return nil }
        return record
    }
}
