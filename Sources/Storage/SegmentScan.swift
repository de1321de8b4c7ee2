import SystemIO

/// Reads one segment as far as it can be read, over flaws.
struct SegmentScan {
    let file: Int
    let first: UInt64
    let isWhole: (UnsafeRawBufferPointer) -> Bool
    private(set) var records: [JournalSurvey.Record] = []
    private(set) var flaws: [JournalSurvey.Flaw] = []
    /// The file is the one that its name says, as far as its first line can be read: then everything before it was on disk.
    private(set) var isNameBelieved = false
    /// The number in the last line, which says that the next segment was begun.
    private(set) var announced: UInt64?

    /// Records that a single flaw may have destroyed at most; a number further on is not believed.
    private static let largestGap: UInt64 = 1 << 24
    private static let trailerStart = UInt8(ascii: "f")
    /// No server counts as far as this.
    static let largestNumber: UInt64 = 1 << 62

    private var name: String { "journal/" + Segment.name(first: first) }

    init(file: Int, first: UInt64, isWhole: @escaping (UnsafeRawBufferPointer) -> Bool) {
        (self.file, self.first, self.isWhole) = (file, first, isWhole)
    }

    /// What ends a run of records before the end of the file.
    private struct Stop {
        let offset: UInt64
        let reason: String
        /// Whether a record was to begin at `offset`.
        var isLineStart = true
    }

    /// Reads the file to its end.
    mutating func read(_ file: String, in directory: Directory) throws(JournalFault) {
        var window = try naming(name) { () throws(Errno) in try FileWindow(file, in: directory) }
        let head = try bytes(&window, at: 0, atLeast: Segment.maximumHeader)
        var stop: Stop?
        switch Segment.parse(head, first: first) {
        case .newer(let version): throw .newerFormat(file: name, version: version)
        case .sound(_, let length):
            isNameBelieved = true
            stop = try records(&window, from: UInt64(length))
        case .bad(let reason):
            isNameBelieved = !head.starts(with: "fcd-journal \(Segment.version) ".utf8)
            stop = Stop(offset: 0, reason: reason)
        }
        while let flaw = stop {
            guard let place = try search(&window, behind: flaw) else { return }
            stop = try records(&window, from: place)
        }
    }

    private func bytes(
        _ window: inout FileWindow,
        at offset: UInt64,
        atLeast count: Int
    ) throws(JournalFault) -> UnsafeRawBufferPointer {
        do throws(Errno) { return try window.bytes(at: offset, atLeast: count) } catch {
            throw .system(file: name, error)
        }
    }

    /// Reads records one behind the other, up to the end (nil) or a flaw.
    private mutating func records(_ window: inout FileWindow, from start: UInt64) throws(JournalFault) -> Stop? {
        var at = start
        while true {
            let piece = try bytes(&window, at: at, atLeast: JournalRecord.maximumLength)
            if piece.isEmpty { return nil }
            if piece[0] == 0 {
                let end = try naming(name) { () throws(Errno) in try window.endOfNonZero(from: at) }
                return end == at ? nil : Stop(offset: at, reason: "zeros stand where a record should")
            }
            if piece[0] == Self.trailerStart, try isTrailer(&window, at: at) { return nil }
            switch JournalRecord.parse(piece) {
            case .record(let record) where follows(record.globalSequence):
                add(record, at)
                at += UInt64(record.length)
            case .record: return Stop(offset: at, reason: "a record does not follow", isLineStart: false)
            case .cutShort: return Stop(offset: at, reason: "a record is cut short")
            case .bad(let reason): return Stop(offset: at, reason: "a record is damaged: \(reason)")
            }
        }
    }

    /// Whether the last line of a segment stands there, perhaps torn; nothing but zeros follows.
    private mutating func isTrailer(_ window: inout FileWindow, at offset: UInt64) throws(JournalFault) -> Bool {
        guard let last = records.last?.globalSequence else { return false }
        let trailer = Segment.trailer(next: last + 1)
        let piece = try bytes(&window, at: offset, atLeast: trailer.count)
        guard zip(piece, trailer).allSatisfy({ $0 == $1 || $0 == 0 }) else { return false }
        let isWhole = piece.starts(with: trailer)
        let end = try naming(name) { () throws(Errno) in try window.endOfNonZero(from: offset) }
        guard end <= offset + UInt64(trailer.count) else { return false }
        if isWhole { announced = last + 1 }
        return true
    }

    private func follows(_ globalSequence: UInt64) -> Bool {
        guard globalSequence <= Self.largestNumber else { return false }
        guard let last = records.last?.globalSequence else { return globalSequence > 0 }
        return globalSequence > last && globalSequence - last <= Self.largestGap
    }

    private mutating func add(_ record: JournalRecord.Parsed, _ offset: UInt64) {
        records.append(
            JournalSurvey.Record(
                globalSequence: record.globalSequence,
                durable: record.durable,
                together: record.together,
                file: file,
                offset: offset,
                length: record.length
            )
        )
    }

    /// Notes the flaw and what stands behind it up to the next sound record.
    /// - Returns: the place of that record; nil when there is none.
    private mutating func search(_ window: inout FileWindow, behind flaw: Stop) throws(JournalFault) -> UInt64? {
        var at = flaw.offset
        var isLineStart = flaw.isLineStart
        while true {
            let piece = try bytes(&window, at: at, atLeast: JournalRecord.maximumLength)
            if piece.isEmpty { break }
            let isLast = at + UInt64(piece.count) >= window.size
            // A candidate must have all its bytes in the piece, unless the file ends there.
            let limit = isLast ? piece.count : piece.count - JournalRecord.maximumLength + 1
            for i in 0..<limit {
                let place = at + UInt64(i)
                if isRecord(piece, i, isLineStart: isLineStart, distance: place - flaw.offset) {
                    note(flaw, end: place)
                    return place
                }
                isLineStart = piece[i] == 0x0A
            }
            at += UInt64(limit)
        }
        note(flaw, end: try naming(name) { () throws(Errno) in try window.endOfNonZero(from: flaw.offset) })
        return nil
    }

    private mutating func note(_ flaw: Stop, end: UInt64) {
        flaws.append(
            .init(file: name, offset: flaw.offset, byteCount: max(end, flaw.offset) - flaw.offset, reason: flaw.reason)
        )
    }

    /// Whether a record that can be believed begins at place `i`.
    ///
    /// Where no line begins, it may be the end of a text that somebody shaped like a record. Such a one has the quote in
    /// it that ends the text, and nothing that began it, so that its payload is not whole; and its number must be one
    /// that the bytes in between have room for.
    private func isRecord(
        _ piece: UnsafeRawBufferPointer,
        _ i: Int,
        isLineStart: Bool,
        distance: UInt64
    ) -> Bool {
        guard piece[i] >= 0x31, piece[i] <= 0x39 else { return false }
        let bytes = UnsafeRawBufferPointer(rebasing: piece[i...])
        guard case .record(let record) = JournalRecord.parse(bytes), follows(record.globalSequence),
            isWhole(UnsafeRawBufferPointer(rebasing: bytes[record.payload]))
        else { return false }
        if isLineStart { return true }
        guard let last = records.last?.globalSequence else { return record.globalSequence >= first }
        return record.globalSequence - last <= distance / UInt64(JournalRecord.minimumLength) + 1
    }
}
