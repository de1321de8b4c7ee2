/// When each message of a fixed rate is due. Computed from the count, so that no rounding adds up.
struct DueTimes {
    private let start: UInt64
    private let perSecond: Double
    private var count: UInt64 = 0

    /// nil for modes that send by window.
    init?(start: UInt64, mode: BenchMode) {
        guard case .rate(let perSecond, _, _) = mode else { return nil }
        (self.start, self.perSecond) = (start, perSecond)
    }

    /// Nanoseconds on the monotonic clock when the next message is due.
    var next: UInt64 { start + UInt64(Double(count) * 1e9 / perSecond) }

    mutating func advance() { count += 1 }
}
