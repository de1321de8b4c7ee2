import CLinux
import Glibc

/// An epoll(7) instance, level-triggered; owned by one loop.
package final class Poller {
    package struct Interest: OptionSet, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }
        package static let input = Interest(rawValue: UInt32(FC_IN) | UInt32(FC_RDHUP))
        package static let output = Interest(rawValue: UInt32(FC_OUT))
    }

    private let number: Int32
    private let events: UnsafeMutablePointer<fc_event>
    /// Reports a single wait returns at most.
    package static let capacity = 256

    /// - Throws: `Errno` when there is no descriptor left.
    package init() throws(Errno) {
        number = try retrying("epoll_create1") { fc_epoll_create() }
        events = .allocate(capacity: Self.capacity)
    }

    deinit {
        close(number)
        events.deallocate()
    }

    /// Watches `descriptor`; reports carry `token`.
    package func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(Errno) {
        try retrying("epoll_ctl") { fc_epoll_ctl(number, 1, descriptor, interest.rawValue, token) }
    }

    package func modify(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(Errno) {
        try retrying("epoll_ctl") { fc_epoll_ctl(number, 3, descriptor, interest.rawValue, token) }
    }

    package func remove(_ descriptor: Int32) { _ = fc_epoll_ctl(number, 2, descriptor, 0, 0) }

    /// Waits for reports at most `milliseconds` (-1: without end, 0: not at all). An interrupted wait reports nothing.
    package func wait(milliseconds: Int32) -> Int {
        let n = fc_epoll_wait(number, events, Int32(Self.capacity), milliseconds)
        return n < 0 ? 0 : Int(n)
    }

    /// Report number `index` of the last wait.
    package func report(_ index: Int) -> (token: UInt64, readable: Bool, writable: Bool) {
        let e = events[index]
        let output = UInt32(FC_OUT)
        return (e.token, e.events & ~output != 0, e.events & (output | UInt32(FC_ERR)) != 0)
    }
}
