import Synchronization
import SystemIO

/// The engine on a thread of its own, where there are CPUs enough.
///
/// `@unchecked Sendable`: the host is handed to the new thread before it starts and touched by nobody else until the
/// thread was joined.
final class EngineThread: @unchecked Sendable {
    private let host: EngineHost
    private let switchboard: Switchboard
    private var thread: SystemIO.Thread?

    /// - Throws: `Errno` when there is no descriptor left.
    init(_ host: EngineHost, _ switchboard: Switchboard) throws(Errno) {
        (self.host, self.switchboard) = (host, switchboard)
        let poller = Handover(try Poller())
        try poller.value.add(switchboard.engine.wakeUp.number, .input, token: 0)
        thread = SystemIO.Thread(name: "engine") { [self] in self.host.run(poller.value) }
    }

    /// Ends the thread once the loops have ended; the host is the caller's again.
    func join() {
        switchboard.loopsHaveEnded.store(true, ordering: .relaxed)
        switchboard.engine.wakeUp.ring()
        thread?.join()
    }

    /// `@unchecked Sendable`: made by one thread, used by the other, never by both.
    private struct Handover: @unchecked Sendable {
        let value: Poller
        init(_ value: Poller) { self.value = value }
    }
}
