import CLinux
import Glibc

/// An eventfd(2): makes another thread's epoll_wait return.
public final class WakeUp: Sendable {
    package let number: Int32

    /// - Throws: `Errno` when there is no descriptor left.
    package init() throws(Errno) { number = try retrying("eventfd") { fc_eventfd() } }

    deinit { close(number) }

    /// Makes the descriptor readable. Callable from any thread.
    public func ring() {
        var one: UInt64 = 1
        _ = write(number, &one, 8)
    }

    /// Makes it unreadable again, and says how often it was rung.
    @discardableResult
    public func silence() -> UInt64 {
        var count: UInt64 = 0
        return read(number, &count, 8) == 8 ? count : 0
    }
}
