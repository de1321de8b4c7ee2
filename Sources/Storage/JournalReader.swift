import Bytes
import SystemIO

/// Reads the segments of a journal in order and finds where the sound records end. Changes nothing.
struct JournalReader: ~Copyable {
    typealias Body = (ReplayedRecord) throws(JournalFault) -> Void

    /// Where the sound records end.
    struct Ending {
        /// The last record to keep.
        let last: UInt64
        /// The segment it ends in, as an index; nil when there is none at all.
        let segment: Int?
        /// Where the records of that segment end, and the size of its file; zeros between the two.
        let (end, size): (UInt64, UInt64)
        /// No record before this place in that segment is in doubt of being on disk.
        let settled: UInt64
        /// What ended the reading, when it was not simply the end.
        let flaw: Flaw?
    }

    /// The first record (or first line) that is not as it must be.
    struct Flaw {
        /// Global sequence of the record that should be there.
        let expected: UInt64
        /// Index of its segment and its place there.
        let (segment, offset): (Int, UInt64)
        /// What is dropped begins here: at the flaw, or at the group it tears.
        let from: UInt64
        let reason: String
    }

    let directory: Directory
    /// First global sequences of the segments, ascending.
    let segments: [UInt64]
    private let after: UInt64
    private let through: UInt64?

    /// The next global sequence to be read.
    private var next: UInt64
    /// Records of a group that is not complete yet.
    private var group = RecordGroup()
    /// Places in the segment where the durable mark changed; the first is at or before all that is in doubt.
    private var marks: [(globalSequence: UInt64, offset: UInt64)] = []

    init(directory: Directory, segments: [UInt64], after: UInt64, through: UInt64?) {
        (self.directory, self.segments, self.after, self.through) = (directory, segments, after, through)
        next = segments.first ?? after + 1
    }

    func file(_ segment: Int) -> String { "journal/" + Segment.name(first: segments[segment]) }
    /// The segment, to be read.
    func window(_ segment: Int) throws(JournalFault) -> FileWindow {
        let name = Segment.name(first: segments[segment])
        return try naming("journal/" + name) { () throws(Errno) in try FileWindow(name, in: directory) }
    }

    /// Reads everything, handing the records to `body`.
    mutating func read(_ body: Body) throws(JournalFault) -> Ending {
        if let first = segments.first, first - 1 > after {
            throw .damage(file: file(0), offset: 0, reason: "the records from \(after + 1) to \(first - 1) are missing")
        }
        var ending = Ending(last: next - 1, segment: nil, end: 0, size: 0, settled: 0, flaw: nil)
        for segment in segments.indices {
            ending = try read(segment, body)
            if ending.flaw != nil || through.map({ $0 < next }) == true { break }
        }
        return ending
    }

    private mutating func read(_ segment: Int, _ body: Body) throws(JournalFault) -> Ending {
        let name = file(segment)
        var window = try self.window(segment)
        let size = window.size
        let head: UnsafeRawBufferPointer
        do throws(Errno) { head = try window.bytes(at: 0, atLeast: Segment.maximumHeader) } catch {
            throw .system(file: name, error)
        }
        switch Segment.parse(head, first: segments[segment]) {
        case .newer(let version): throw .newerFormat(file: name, version: version)
        case .bad(let reason): throw .damage(file: name, offset: 0, reason: reason)
        case .sound(let first, let length):
            if first != next {
                throw .damage(
                    file: name,
                    offset: 0,
                    reason: "record \(next) is missing, this file begins with \(first)"
                )
            }
            marks = []
            var (end, reason) = try records(&window, in: segment, from: UInt64(length), body)
            if reason != nil, try isTrailer(&window, in: segment, at: end) { reason = nil }
            return ending(in: segment, end: end, size: size, reason: reason)
        }
    }

    private func ending(in segment: Int, end: UInt64, size: UInt64, reason: String?) -> Ending {
        let last = group.first.map { $0.globalSequence - 1 } ?? next - 1
        let from = group.first?.offset ?? end
        let why = reason ?? (group.first == nil ? nil : "a group of records is not complete")
        return Ending(
            last: last,
            segment: segment,
            end: from,
            size: size,
            settled: marks.first?.offset ?? from,
            flaw: why.map {
                Flaw(expected: next, segment: segment, offset: end, from: from, reason: "record \(next): \($0)")
            }
        )
    }

    /// Reads records until they end: where, and why when it is not the end of the file or zeros up to it.
    private mutating func records(
        _ window: inout FileWindow,
        in segment: Int,
        from start: UInt64,
        _ body: Body
    ) throws(JournalFault) -> (end: UInt64, reason: String?) {
        var at = start
        while through.map({ next <= $0 }) ?? true {
            let bytes: UnsafeRawBufferPointer
            do throws(Errno) { bytes = try window.bytes(at: at, atLeast: JournalRecord.maximumLength) } catch {
                throw .system(file: file(segment), error)
            }
            if bytes.isEmpty { return (at, nil) }
            if bytes[0] == 0 {
                let end = try naming(file(segment)) { () throws(Errno) in try window.endOfNonZero(from: at) }
                return (at, end == at ? nil : "zeros stand in its place")
            }
            switch JournalRecord.parse(bytes) {
            case .cutShort: return (at, "it is cut short")
            case .bad(let reason): return (at, reason)
            case .record(let record):
                guard record.globalSequence == next else {
                    return (at, "record \(record.globalSequence) stands in its place")
                }
                try accept(record, bytes, in: segment, at: at, body)
                at += UInt64(record.length)
            }
        }
        return (at, nil)
    }

    /// Whether the segment ends at `offset`, perhaps with the line that names the next one.
    /// - Throws: damage when that segment is missing.
    private func isTrailer(
        _ window: inout FileWindow,
        in segment: Int,
        at offset: UInt64
    ) throws(JournalFault) -> Bool {
        let trailer = Segment.trailer(next: next)
        let name = file(segment)
        let bytes = try naming(name) { () throws(Errno) in try window.bytes(at: offset, atLeast: trailer.count) }
        if segment + 1 == segments.count {
            guard bytes.starts(with: trailer) else { return false }
            throw .damage(
                file: "journal/" + Segment.name(first: next),
                offset: 0,
                reason: "it is missing, but \(name), offset \(offset) says that it was begun"
            )
        }
        // With the next segment where it belongs no record can be missing here: what stands behind the last one is the line,
        // torn in whatever way by a power cut.
        return segments[segment + 1] == next
    }

    private mutating func accept(
        _ record: JournalRecord.Parsed,
        _ bytes: UnsafeRawBufferPointer,
        in segment: Int,
        at offset: UInt64,
        _ body: Body
    ) throws(JournalFault) {
        next += 1
        mark(record, offset)
        let payload = UnsafeRawBufferPointer(rebasing: bytes[record.payload])
        let replayed = ReplayedRecord(
            globalSequence: record.globalSequence,
            durable: record.durable,
            payload: payload,
            segment: segments[segment],
            offset: offset
        )
        if record.together { return group.add(replayed) }
        if group.first != nil { try group.handOver(above: after, body) }
        if record.globalSequence > after { try body(replayed) }
    }

    private mutating func mark(_ record: JournalRecord.Parsed, _ offset: UInt64) {
        while marks.count > 1, marks[1].globalSequence <= record.durable + 1 { marks.removeFirst() }
        guard marks.last.map({ $0.globalSequence <= record.durable }) ?? true else { return }
        marks.append((record.globalSequence, offset))
    }
}
