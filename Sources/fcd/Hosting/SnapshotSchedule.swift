import Engine

/// When the next snapshot is due: after a time, or after so much journal, if anything was written at all. Belongs to the
/// engine's thread.
struct SnapshotSchedule {
    private let interval: Int64
    private let journalBytes: UInt64
    /// Journal written since the last snapshot began.
    private var bytes: UInt64
    private var last: Int64
    private var notBefore: Int64 = 0
    /// Milliseconds of rest after one that failed.
    private static let rest: Int64 = 60_000

    /// - Parameters:
    ///   - bytes: journal that stands beside the snapshot already.
    ///   - now: milliseconds of the clock that `isDue` is asked with.
    init(_ settings: Settings.Snapshot, bytes: UInt64, now: Int64) {
        (interval, journalBytes) = (Int64(settings.interval) * 1000, UInt64(settings.journalBytes))
        (self.bytes, last) = (bytes, now)
    }

    mutating func noteJournal(_ count: Int) { bytes += UInt64(count) }

    mutating func noteBegin(_ now: Int64) { (bytes, last) = (0, now) }

    mutating func noteFailure(_ now: Int64) { notBefore = now + Self.rest }

    /// `hasNews`: something was written since the last one.
    func isDue(_ now: Int64, hasNews: Bool) -> Bool {
        guard hasNews, now >= notBefore else { return false }
        return bytes >= journalBytes || now - last >= interval
    }
}
