/// Counts of durations in steps that grow with them: 64 to every power of two, so that any percentile is right to 1.6 %.
struct LatencyHistogram {
    private var counts: [UInt32] = Array(repeating: 0, count: 64 * 60)
    private(set) var count: UInt64 = 0
    /// The longest, exact, in nanoseconds.
    private(set) var maximum: UInt64 = 0

    /// O(1), allocates nothing.
    mutating func add(_ nanoseconds: UInt64) {
        counts[Self.step(of: nanoseconds)] &+= 1
        count += 1
        if nanoseconds > maximum { maximum = nanoseconds }
    }

    /// The duration in nanoseconds that a share of all does not exceed; `share` is 0...1. 0 when there are none.
    func percentile(_ share: Double) -> UInt64 {
        let wanted = UInt64((Double(count) * share).rounded(.up))
        var seen: UInt64 = 0
        for (step, here) in counts.enumerated() {
            seen += UInt64(here)
            if here > 0 && seen >= wanted { return min(Self.end(of: step), maximum) }
        }
        return maximum
    }

    private static func step(of value: UInt64) -> Int {
        if value < 64 { return Int(value) }
        let power = 63 - value.leadingZeroBitCount
        return min((power - 5) * 64 + Int(value >> UInt64(power - 6) & 63), 64 * 60 - 1)
    }

    /// The greatest duration that falls into a step.
    private static func end(of step: Int) -> UInt64 {
        if step < 64 { return UInt64(step) }
        let shift = UInt64(step / 64 - 1)
        // The end of the last step is the greatest number there is: 2^64 - 1.
        return (UInt64(64 + step % 64) + 1) << shift &- 1
    }
}
