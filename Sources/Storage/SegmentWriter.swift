import SystemIO

/// Writes batches one behind the other into the newest segment, and turns to a new one when that is full. Belongs to
/// the journal's thread.
struct SegmentWriter: ~Copyable {
    private let directory: Directory
    private let settings: JournalSettings
    private let filler: SpareFiller
    private var file: File
    private var first: UInt64
    /// Where the next batch goes.
    private var end: UInt64
    /// Bytes of the file that are there already, so that writing below changes no metadata; 0 when not filled ahead.
    private var filledTo: UInt64
    /// No record stands in the segment yet.
    private var isEmpty: Bool
    private var writtenHere: UInt64 = 0
    /// Something is written and not synced.
    private(set) var isDirty = false

    /// Goes on in a segment that recovery has found.
    init(
        resuming place: JournalRecovery.Place,
        in directory: Directory,
        _ settings: JournalSettings
    ) throws(JournalFault) {
        let name = Segment.name(first: place.first)
        file = try naming("journal/" + name) { () throws(Errno) in try directory.open(name, .update) }
        (self.directory, self.settings) = (directory, settings)
        (first, end) = (place.first, place.end)
        filledTo = place.size > place.end ? place.size : 0
        isEmpty = place.end <= UInt64(Segment.header(first: place.first).count)
        filler = SpareFiller(directory, settings)
    }

    /// Begins the first segment of a directory.
    init(beginning first: UInt64, in directory: Directory, _ settings: JournalSettings) throws(JournalFault) {
        file = try Self.make(first: first, in: directory)
        end = UInt64(Segment.header(first: first).count)
        (self.directory, self.settings, self.first) = (directory, settings, first)
        (filledTo, isEmpty) = (0, true)
        filler = SpareFiller(directory, settings)
    }

    var fileName: String { "journal/" + Segment.name(first: first) }

    /// Writes `batch`, whole records from `globalSequence` on. It is not on disk before `sync`.
    mutating func write(_ batch: UnsafeRawBufferPointer, from globalSequence: UInt64) throws(JournalFault) {
        try turnIfNeeded(for: UInt64(batch.count), from: globalSequence)
        isDirty = true
        do throws(Errno) { try file.write(batch, at: end) } catch { throw .system(file: fileName, error) }
        end += UInt64(batch.count)
        writtenHere += UInt64(batch.count)
        isEmpty = false
        if end > filledTo { filledTo = 0 }
        if writtenHere >= settings.fillAfter, filledTo == 0 || end > filledTo / 2 { filler.want() }
    }

    mutating func sync() throws(JournalFault) {
        do throws(Errno) { try file.syncData() } catch { throw .system(file: fileName, error) }
        isDirty = false
    }

    /// Makes the spare at once, when one is wanted: for a filler without a thread.
    func fillAhead() { filler.step() }

    /// Ends the helping thread.
    func stop() { filler.stop() }

    private mutating func turnIfNeeded(for count: UInt64, from globalSequence: UInt64) throws(JournalFault) {
        if isEmpty || end + count <= filledTo { return }
        if filler.take() { return try turn(to: globalSequence, withSpare: true) }
        if end + count > settings.segmentSize * 4 { try turn(to: globalSequence, withSpare: false) }
    }

    /// Everything before the new segment is on disk before the segment has its name.
    private mutating func turn(to globalSequence: UInt64, withSpare: Bool) throws(JournalFault) {
        if isDirty { try sync() }
        let next =
            withSpare
            ? try Self.adopt(first: globalSequence, in: directory)
            : try Self.make(first: globalSequence, in: directory)
        finish(before: globalSequence)
        file = next
        end = UInt64(Segment.header(first: globalSequence).count)
        (first, filledTo) = (globalSequence, withSpare ? settings.segmentSize : 0)
        (isEmpty, writtenHere) = (true, 0)
    }

    /// Begins a new segment at `globalSequence` although the old one has room, unless that is empty still. Where the new
    /// file cannot be made the old one goes on.
    mutating func turn(before globalSequence: UInt64) throws(JournalFault) {
        if isEmpty { return }
        if isDirty { try sync() }
        let withSpare = filler.take()
        let temporary = withSpare ? Segment.spareName : Self.temporary(first: globalSequence)
        let next: File
        do throws(Errno) {
            let made = try directory.open(temporary, withSpare ? .update : .replace)
            next = try Self.prepare(made, first: globalSequence)
        } catch {
            // Half a file is of no use, and it may not even be there.
            try? directory.remove(temporary)
            return
        }
        try naming("journal/" + Segment.name(first: globalSequence)) { () throws(Errno) in
            try Self.name(temporary, first: globalSequence, in: directory)
        }
        finish(before: globalSequence)
        file = next
        end = UInt64(Segment.header(first: globalSequence).count)
        (first, filledTo) = (globalSequence, withSpare ? settings.segmentSize : 0)
        (isEmpty, writtenHere) = (true, 0)
    }

    /// Ends the old segment with the line that names the new one, which has its name by now.
    private func finish(before globalSequence: UInt64) {
        let outcome: Result<Void, Errno> = Segment.trailer(next: globalSequence).withUnsafeBytes { bytes in
            do throws(Errno) { return .success(try file.write(bytes, at: end)) } catch { return .failure(error) }
        }
        // All records are on disk already. Without the line, or with half of it, only a lost file would not be missed.
        if case .success = outcome { try? file.syncData() }
    }

    private static func temporary(first: UInt64) -> String { Segment.name(first: first) + ".tmp" }

    /// An empty segment that will be appended to.
    private static func make(first: UInt64, in directory: Directory) throws(JournalFault) -> File {
        try naming("journal/" + Segment.name(first: first)) { () throws(Errno) in
            let temporary = temporary(first: first)
            let file = try prepare(try directory.open(temporary, .replace), first: first)
            try name(temporary, first: first, in: directory)
            return file
        }
    }

    /// The spare, become a segment.
    private static func adopt(first: UInt64, in directory: Directory) throws(JournalFault) -> File {
        try naming("journal/" + Segment.name(first: first)) { () throws(Errno) in
            let file = try prepare(try directory.open(Segment.spareName, .update), first: first)
            try name(Segment.spareName, first: first, in: directory)
            return file
        }
    }

    /// Writes the first line and brings it to disk.
    private static func prepare(_ file: consuming File, first: UInt64) throws(Errno) -> File {
        let header = Segment.header(first: first)
        let outcome: Result<Void, Errno> = header.withUnsafeBytes { bytes in
            do throws(Errno) { return .success(try file.write(bytes, at: 0)) } catch { return .failure(error) }
        }
        try outcome.get()
        try file.sync()
        return file
    }

    private static func name(_ temporary: String, first: UInt64, in directory: Directory) throws(Errno) {
        try directory.rename(temporary, to: Segment.name(first: first))
        try directory.sync()
    }
}
