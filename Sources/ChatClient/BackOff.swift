/// How long to wait before the next try: doubling from a quarter of a second to half a minute, spread by chance so that
/// the clients of a restarted server do not all come at once.
package struct BackOff: Sendable {
    private var next = first
    private static let first = 0.25
    /// Seconds waited at most.
    package static let longest = 30.0

    package init() {}

    /// Seconds to wait now. `chance` is a random number from 0 to 1; the wait is between half and the whole of the step.
    package mutating func wait(chance: Double) -> Double {
        let step = next
        next = min(next * 2, Self.longest)
        return step * (0.5 + 0.5 * min(max(chance, 0), 1))
    }

    /// The same, but at least what the server asked for (`retry=SECONDS`), up to the longest wait.
    package mutating func wait(chance: Double, atLeast seconds: UInt64?) -> Double {
        let own = wait(chance: chance)
        return max(own, min(Double(seconds ?? 0), Self.longest))
    }

    /// Begins anew, after things went well.
    package mutating func reset() { next = Self.first }
}
