import SystemIO

/// What can still be read of a journal whose files are damaged, for `fcd repair`. Changes nothing.
///
/// Every file is read from front to back; behind a flaw the next record is searched that is sound. The records are then
/// put in the order of their global sequences, whichever file they stand in, so that a file with a wrong name or one that
/// is there twice does no harm. What nothing proves to have been on disk is a torn tail, as at every start.
package struct JournalSurvey {
    /// A sound record, by its place.
    package struct Record: Sendable {
        package let globalSequence: UInt64
        let durable: UInt64
        let together: Bool
        /// Index into `files`.
        let file: Int
        package let offset: UInt64
        let length: Int
        /// It belongs together with one that is gone.
        package internal(set) var isTorn = false
    }

    /// Bytes that are no record, though they stand where records stood.
    package struct Flaw: Equatable, Sendable {
        package let file: String
        package let offset: UInt64
        package let byteCount: UInt64
        package let reason: String
    }

    let directory: Directory
    /// Names of the segments.
    package internal(set) var files: [String] = []
    /// Above the snapshot's sequence, ascending, each once.
    package internal(set) var records: [Record] = []
    package internal(set) var flaws: [Flaw] = []
    /// Global sequences of which no record is left.
    package internal(set) var missing: [ClosedRange<UInt64>] = []
    /// What was never acknowledged; it is no damage.
    package internal(set) var tail: [Flaw] = []
    /// The last global sequence that was on disk. The journal goes on behind it.
    package internal(set) var last: UInt64

    /// The file a record stands in, as messages name it.
    package func name(of record: Record) -> String { "journal/" + files[record.file] }

    /// Reads all segments. Blocks; O(journal), about 48 bytes of memory a record.
    /// - Parameters:
    ///   - after: the sequence that the snapshot holds.
    ///   - expectedThrough: other data hold records up to this one.
    ///   - isWhole: tells a payload from one that somebody shaped inside a text.
    /// - Throws: `JournalFault`: a newer format or a failed call.
    package init(
        directory: Directory,
        after: UInt64,
        expectedThrough: UInt64,
        isWhole: @escaping (UnsafeRawBufferPointer) -> Bool
    ) throws(JournalFault) {
        self.directory = directory
        last = max(after, expectedThrough)
        let names = try naming("journal") { () throws(Errno) in try directory.list() }
        let segments = JournalRecovery.segments(in: names)
        var found: [Record] = []
        var proven = last
        for (index, first) in segments.enumerated() {
            files.append(Segment.name(first: first))
            var scan = SegmentScan(file: index, first: first, isWhole: isWhole)
            try scan.read(files[index], in: directory)
            found += scan.records
            flaws += scan.flaws
            // A segment takes its name when everything before it is on disk.
            if scan.isNameBelieved, index > 0, first <= SegmentScan.largestNumber { proven = max(proven, first - 1) }
            if let next = scan.announced, next > after, !segments.contains(next) {
                proven = max(proven, next - 1)
                let name = "journal/" + Segment.name(first: next)
                let reason = "it is missing, but journal/\(files[index]) says that it was begun"
                flaws.append(.init(file: name, offset: 0, byteCount: 0, reason: reason))
            }
        }
        proven = found.reduce(proven) { max($0, $1.durable) }
        arrange(found, after: after, proven: proven)
    }

    /// Puts the records in order, and tells what is missing from what was never acknowledged.
    private mutating func arrange(_ found: [Record], after: UInt64, proven: UInt64) {
        // Sorted by number and then by file: of two with one number the first counts.
        let sorted = found.filter { $0.globalSequence > after }.sorted {
            ($0.globalSequence, $0.file) < ($1.globalSequence, $1.file)
        }
        for record in sorted where records.last?.globalSequence != record.globalSequence { records.append(record) }
        markTorn()
        var next = after + 1
        for (index, record) in records.enumerated() {
            if record.globalSequence > next {
                if next > proven {
                    records.removeLast(records.count - index)
                    break
                }
                missing.append(next...(record.globalSequence - 1))
            }
            next = record.globalSequence + 1
        }
        // A group at the end of which the rest was never acknowledged.
        while let end = records.last, end.together, end.globalSequence > proven {
            records.removeLast()
            next = end.globalSequence
        }
        if next <= proven { missing.append(next...proven) }
        last = max(next - 1, proven)
        splitTail()
    }

    private mutating func markTorn() {
        for index in records.indices.reversed() where records[index].together {
            let next = index + 1
            let follows =
                next < records.count && records[next].globalSequence == records[index].globalSequence + 1
            records[index].isTorn = !follows || records[next].isTorn
        }
    }

    /// Flaws of the newest segment behind everything that counts are the tail.
    private mutating func splitTail() {
        guard let end = records.last, let newest = files.last else { return }
        // A segment without its first line, or missing, is no tail.
        let start = end.file == files.count - 1 ? end.offset : 0
        let isTail = { (flaw: Flaw) -> Bool in flaw.file == "journal/" + newest && flaw.offset > start }
        guard missing.last.map({ $0.upperBound < end.globalSequence }) ?? true else { return }
        tail = flaws.filter(isTail)
        flaws.removeAll(where: isTail)
    }

    /// The record with this number. O(log n).
    package func record(_ globalSequence: UInt64) -> Record? {
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            if records[middle].globalSequence < globalSequence { low = middle + 1 } else { high = middle }
        }
        return low < records.count && records[low].globalSequence == globalSequence ? records[low] : nil
    }

    /// Hands every record to `body`, in order, with its payload.
    package func forEach(
        _ body: (Record, UnsafeRawBufferPointer) throws(JournalFault) -> Void
    ) throws(JournalFault) {
        var start = 0
        while start < records.count {
            let file = records[start].file
            let end = records[start...].firstIndex { $0.file != file } ?? records.count
            let name = "journal/" + files[file]
            var window = try naming(name) { () throws(Errno) in try FileWindow(files[file], in: directory) }
            for record in records[start..<end] {
                let bytes: UnsafeRawBufferPointer
                do throws(Errno) { bytes = try window.bytes(at: record.offset, atLeast: record.length) } catch {
                    throw .system(file: name, error)
                }
                guard case .record(let parsed) = JournalRecord.parse(bytes) else {
                    throw .damage(file: name, offset: record.offset, reason: "it changed while it was read")
                }
                try body(record, UnsafeRawBufferPointer(rebasing: bytes[parsed.payload]))
            }
            start = end
        }
    }
}
