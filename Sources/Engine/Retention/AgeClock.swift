import ChatModel

/// The time by which messages grow old: the wall clock's. But a clock that leaps ahead must stay there for a while before
/// anything goes because of it, so that nothing is lost when it was only set wrong for a moment (protocol.md, What is kept).
struct AgeClock {
    /// Milliseconds that are no leap.
    static let leap: Int64 = 60_000
    /// Milliseconds after which a leap is believed.
    static let patience: Int64 = 600_000

    /// How far the wall clock is ahead of the monotonic one, as far as it is believed.
    private var offset: Int64
    private var aheadSince: MonotonicTime?

    /// - Parameter newest: when the newest event was, if there is any: a clock that was set while the server did not run shows
    ///   only by that.
    init(newest: Timestamp?, wall: Timestamp, monotonic: MonotonicTime) {
        offset = min(wall, newest ?? wall).milliseconds - monotonic.milliseconds
        _ = note(wall: wall, monotonic: monotonic)
    }

    /// Looks at the clocks.
    /// - Returns: whether a leap is believed from now on.
    mutating func note(wall: Timestamp, monotonic: MonotonicTime) -> Bool {
        let shown = wall.milliseconds - monotonic.milliseconds
        let isLeap = shown - offset > Self.leap
        if isLeap, monotonic.since(aheadSince ?? monotonic) < Self.patience {
            aheadSince = aheadSince ?? monotonic
            return false
        }
        (offset, aheadSince) = (shown, nil)
        return isLeap
    }

    func moment(_ monotonic: MonotonicTime) -> Timestamp {
        Timestamp(milliseconds: monotonic.milliseconds + offset)
    }
}
