import ChatTesting
import Testing

/// A daemon that runs at full speed and whose allocations are counted; strace may be attached to it.
final class CountedDaemon {
    private let allocations: AllocationCounter
    let daemon: RunningDaemon

    init() throws {
        allocations = try AllocationCounter()
        daemon = try ReleasedDaemon.run(wrapper: allocations.wrapper)
        try #require(allocations.own > 0, "the library `counts` is not loaded: \(daemon.errors)")
    }

    /// Allocations of our own while `work` goes on.
    func allocations(during work: () throws -> Void) rethrows -> Double {
        let before = allocations.own
        try work()
        return Double(allocations.own - before)
    }
}
