import ChatModel
import Engine

/// When the next snapshot is due: after a time, or after so much journal, if anything was written at all. Belongs to the
/// engine's thread.
struct SnapshotSchedule {
    private let interval: Int64
    private let journalBytes: UInt64
    /// Journal written since the last snapshot began.
    private var bytes: UInt64
    private var last: MonotonicTime
    private var notBefore: MonotonicTime
    /// Milliseconds of rest after one that failed.
    private static let rest: Int64 = 60_000

    /// - Parameters:
    ///   - bytes: journal that stands beside the snapshot already.
    ///   - now: when it begins to count.
    init(_ settings: Settings.Snapshot, bytes: UInt64, now: MonotonicTime) {
        (interval, journalBytes) = (Int64(settings.interval) * 1000, UInt64(settings.journalBytes))
        (self.bytes, last, notBefore) = (bytes, now, now)
    }

    mutating func noteJournal(_ count: Int) { bytes += UInt64(count) }

    mutating func noteBegin(_ now: MonotonicTime) { (bytes, last) = (0, now) }

    mutating func noteFailure(_ now: MonotonicTime) { notBefore = now.adding(milliseconds: Self.rest) }

    /// `hasNews`: something was written since the last one.
    func isDue(_ now: MonotonicTime, hasNews: Bool) -> Bool {
        guard hasNews, now >= notBefore else { return false }
        return bytes >= journalBytes || now.since(last) >= interval
    }
}
