/// Lets one line a second through and counts the others.
struct IncidentLimiter {
    private var quietUntil: UInt64 = 0
    private var suppressed = 0

    /// The line to log, nil when one was logged less than a second ago.
    mutating func line(_ text: @autoclosure () -> String, atMilliseconds now: UInt64) -> String? {
        if now < quietUntil {
            suppressed += 1
            return nil
        }
        defer { (quietUntil, suppressed) = (now + 1000, 0) }
        return suppressed == 0 ? text() : "\(text()) (and \(suppressed) more since the last line)"
    }
}
