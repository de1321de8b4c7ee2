import SystemIO

/// The recovery of a journal directory at start: reads it, tells a torn tail from damage, cuts the one off, refuses the
/// other untouched, and leaves everything that it keeps on disk.
struct JournalRecovery {
    /// The segment that the next records are written to.
    struct Place {
        let first: UInt64
        /// Where the records end.
        let end: UInt64
        /// Size of the file; the bytes between are zeros.
        let size: UInt64
    }

    let directory: Directory
    /// Other data say that there must be a journal.
    let expectsData: Bool
    /// Other data hold the records up to this one.
    let expectedThrough: UInt64

    /// First global sequences of the segments, ascending.
    static func segments(in names: [String]) -> [UInt64] { names.compactMap(Segment.first(ofName:)).sorted() }

    /// The same without those of which nothing behind `after` is wanted: they are being removed, in whatever order the disk
    /// does it.
    static func segments(in names: [String], after: UInt64) -> [UInt64] {
        let all = segments(in: names)
        return Array(all[(all.lastIndex { $0 - 1 <= after } ?? 0)...])
    }

    /// Reads only: up to `through`, which must be there.
    func rebuild(after: UInt64, through: UInt64, _ body: JournalReader.Body) throws(JournalFault) -> Replay {
        let names = try naming("journal") { () throws(Errno) in try directory.list() }
        var reader = JournalReader(
            directory: directory,
            segments: Self.segments(in: names, after: after),
            after: after,
            through: through
        )
        let ending = try reader.read(body)
        if ending.last < through { throw missing(reader, ending, through) }
        return Replay(last: ending.last, cut: nil)
    }

    /// What reading the whole journal found, before anything is changed.
    struct Examination: ~Copyable {
        let names: [String]
        let reader: JournalReader
        let ending: JournalReader.Ending
        let replay: Replay
    }

    /// Reads and judges everything behind `after`; changes nothing.
    func examine(after: UInt64, _ body: JournalReader.Body) throws(JournalFault) -> Examination {
        let names = try naming("journal") { () throws(Errno) in try directory.list() }
        let segments = Self.segments(in: names, after: after)
        if segments.isEmpty, expectsData || after > 0 {
            throw .damage(file: "journal", offset: 0, reason: "there are no segments, but other data belong to them")
        }
        var reader = JournalReader(directory: directory, segments: segments, after: after, through: nil)
        let ending = try reader.read(body)
        let cut = try ending.flaw.map { flaw throws(JournalFault) in try judge(flaw, ending, reader) }
        let expected = max(after, expectedThrough)
        if ending.last < expected { throw missing(reader, ending, expected) }
        return Examination(names: names, reader: reader, ending: ending, replay: Replay(last: ending.last, cut: cut))
    }

    /// Recovers; nil as place when there is no segment yet.
    func recover(after: UInt64, _ body: JournalReader.Body) throws(JournalFault) -> (Replay, Place?) {
        let found = try examine(after: after, body)
        let (segments, ending) = (found.reader.segments, found.ending)
        // A name that is seen here need not be on disk yet: whoever made it may have ended before the sync.
        try naming("journal") { () throws(Errno) in try directory.sync() }
        // From here on the directory is changed.
        try removeLeftovers(found.names)
        guard let segment = ending.segment else {
            try drop(segments[...])
            return (found.replay, nil)
        }
        try drop(segments[(segment + 1)...])
        let kept = try settle(Segment.name(first: segments[segment]), ending)
        return (found.replay, Place(first: segments[segment], end: ending.end, size: kept))
    }

    /// Cuts off everything behind record `last`, which must be there, and brings what is left to disk once more.
    func cut(behind last: UInt64) throws(JournalFault) {
        let names = try naming("journal") { () throws(Errno) in try directory.list() }
        let segments = Self.segments(in: names)
        // Nothing is handed over: only the places are wanted.
        var reader = JournalReader(directory: directory, segments: segments, after: last, through: last)
        let ending = try reader.read { (_) throws(JournalFault) in }
        guard ending.last == last, let segment = ending.segment else { throw missing(reader, ending, last) }
        try removeLeftovers(names)
        try drop(segments[(segment + 1)...])
        let name = Segment.name(first: segments[segment])
        try naming("journal/" + name) { () throws(Errno) in
            let file = try directory.open(name, .update)
            try file.truncate(to: ending.end)
            try rewrite(file, from: ending.settled, to: ending.end)
            try file.sync()
        }
    }

    func missing(_ reader: borrowing JournalReader, _ ending: JournalReader.Ending, _ n: UInt64) -> JournalFault {
        let file = ending.segment.map { reader.file($0) } ?? "journal"
        let why = ending.flaw.map { ", \($0.reason)" } ?? ""
        return .damage(
            file: file,
            offset: ending.flaw?.offset ?? ending.end,
            reason: "the journal ends with record \(ending.last), but record \(n) was on disk\(why)"
        )
    }

    /// - Throws: the damage when something behind the flaw proves it.
    func judge(
        _ flaw: JournalReader.Flaw,
        _ ending: JournalReader.Ending,
        _ reader: borrowing JournalReader
    ) throws(JournalFault) -> Replay.Cut {
        let name = reader.file(flaw.segment)
        let search = EvidenceSearch(dropped: ending.last + 1, expected: flaw.expected)
        var byteCount: UInt64 = 0
        for segment in flaw.segment..<reader.segments.count {
            let file = reader.file(segment)
            var window = try reader.window(segment)
            if segment > flaw.segment, try isSound(&window, first: reader.segments[segment], file) {
                throw damage(flaw, name, proof: .init(file: file, offset: 0))
            }
            let from = segment == flaw.segment ? flaw.offset : 0
            let found = try naming(file) { () throws(Errno) in try search.search(&window, from: from, file: file) }
            if let proof = found.evidence { throw damage(flaw, name, proof: proof) }
            byteCount += found.end - from
        }
        return Replay.Cut(
            file: name,
            offset: flaw.from,
            byteCount: byteCount + (flaw.offset - flaw.from),
            reason: flaw.reason
        )
    }

    private func isSound(_ window: inout FileWindow, first: UInt64, _ file: String) throws(JournalFault) -> Bool {
        let head: UnsafeRawBufferPointer
        do throws(Errno) { head = try window.bytes(at: 0, atLeast: Segment.maximumHeader) } catch {
            throw .system(file: file, error)
        }
        switch Segment.parse(head, first: first) {
        case .sound: return true
        case .newer(let version): throw .newerFormat(file: file, version: version)
        case .bad: return false
        }
    }

    private func damage(
        _ flaw: JournalReader.Flaw,
        _ file: String,
        proof: EvidenceSearch.Evidence
    ) -> JournalFault {
        .damage(
            file: file,
            offset: flaw.offset,
            reason: "\(flaw.reason), but \(proof.file), offset \(proof.offset) says that it was on disk"
        )
    }

    private func removeLeftovers(_ names: [String]) throws(JournalFault) {
        for name in names where name == Segment.spareName || name.hasSuffix(".tmp") {
            try naming("journal/" + name) { () throws(Errno) in try directory.remove(name) }
        }
    }

    /// Removes segments of which nothing is kept, the last one first.
    private func drop(_ segments: ArraySlice<UInt64>) throws(JournalFault) {
        for first in segments.reversed() {
            let name = Segment.name(first: first)
            // One by one: a gap between those that are left would look like damage.
            try naming("journal/" + name) { () throws(Errno) in
                try directory.remove(name)
                try directory.sync()
            }
        }
    }

    /// Cuts the segment if it must be, and brings to disk what was perhaps only written.
    ///
    /// What may be in memory only is written once more, because a sync that failed before has left it marked as
    /// written.
    /// - Returns: the size of the file.
    private func settle(
        _ name: String,
        _ ending: JournalReader.Ending
    ) throws(JournalFault) -> UInt64 {
        try naming("journal/" + name) { () throws(Errno) in
            let file = try directory.open(name, .update)
            var size = ending.size
            if ending.flaw.map({ $0.segment == ending.segment }) == true {
                try file.truncate(to: ending.end)
                size = ending.end
            }
            try rewrite(file, from: ending.settled, to: ending.end)
            try file.sync()
            return size
        }
    }

    private func rewrite(_ file: borrowing File, from start: UInt64, to end: UInt64) throws(Errno) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
        defer { memory.deallocate() }
        var at = start
        while at < end {
            let room = UnsafeMutableRawBufferPointer(rebasing: memory[..<Int(min(end - at, UInt64(memory.count)))])
            let n = try file.read(into: room, at: at)
            if n == 0 { return }
            try file.write(UnsafeRawBufferPointer(rebasing: room[..<n]), at: at)
            at += UInt64(n)
        }
    }
}
