import ChatModel
import SystemIO

extension Timestamp {
    /// What the clock on the wall says.
    static var wallClock: Timestamp { Timestamp(milliseconds: Clock.milliseconds) }
}

extension MonotonicTime {
    static var now: MonotonicTime { MonotonicTime(milliseconds: Clock.monotonicMilliseconds) }
}
