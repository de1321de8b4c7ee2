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
        if segments.isEmpty, expectsData || after > 0 || names.contains(where: Self.tellsOfSegments) {
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
        guard let segment = ending.segment else { return (found.replay, nil) }
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
        try drop(behind: segment, of: segments)
        let name = Segment.name(first: segments[segment])
        try naming("journal/" + name) { () throws(Errno) in
            let file = try directory.open(name, .update)
            try file.truncate(to: ending.end)
            try rewrite(file, from: ending.settled, to: ending.end)
            try file.sync()
        }
    }

    /// Whether a name in a directory without segments says that it had some: the first of all is the only one whose
    /// temporary file may be all there is.
    private static func tellsOfSegments(_ name: String) -> Bool {
        name == Segment.spareName || name.hasSuffix(".log.tmp") && name != Segment.name(first: 1) + ".tmp"
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
        if flaw.segment + 1 < reader.segments.count {
            throw damage(flaw, name, proof: .init(file: reader.file(flaw.segment + 1), offset: 0))
        }
        let search = EvidenceSearch(dropped: ending.last + 1, expected: flaw.expected)
        var window = try reader.window(flaw.segment)
        let found = try naming(name) { () throws(Errno) in
            try search.search(&window, from: flaw.offset, file: name)
        }
        if let proof = found.evidence { throw damage(flaw, name, proof: proof) }
        return Replay.Cut(file: name, offset: flaw.from, byteCount: found.end - flaw.from, reason: flaw.reason)
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

    /// Removes the segments behind one that is kept, the newest first. Before each goes the line that names it, so that
    /// it is not missed afterwards.
    private func drop(behind kept: Int, of segments: [UInt64]) throws(JournalFault) {
        for index in segments.indices.dropFirst(kept + 1).reversed() {
            try removeTrailer(of: segments[index - 1], next: segments[index])
            let name = Segment.name(first: segments[index])
            try naming("journal/" + name) { () throws(Errno) in
                try directory.remove(name)
                try directory.sync()
            }
        }
    }

    private func removeTrailer(of first: UInt64, next: UInt64) throws(JournalFault) {
        let (name, trailer) = (Segment.name(first: first), Segment.trailer(next: next))
        try naming("journal/" + name) { () throws(Errno) in
            var window = try FileWindow(name, in: directory)
            let end = try window.endOfNonZero(from: 0)
            let start = end - min(end, UInt64(trailer.count))
            guard try window.bytes(at: start, atLeast: trailer.count).starts(with: trailer) else { return }
            let file = try directory.open(name, .update)
            try file.truncate(to: start)
            try file.sync()
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
            if ending.flaw != nil {
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
