import CLinux
import Glibc

/// A timerfd(2): makes a poll return at a moment, to the microsecond. Owned by one loop.
package final class Alarm {
    package let number: Int32

    /// - Throws: `Errno` when there is no descriptor left.
    package init() throws(Errno) { number = try retrying("timerfd_create") { fc_timerfd() } }

    deinit { close(number) }

    /// Becomes readable at `moment` of `Clock.monotonicNanoseconds` and stays so until set anew; 0 is never.
    package func set(_ moment: UInt64) { _ = fc_timerfd_set(number, moment) }
}
