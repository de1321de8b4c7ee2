import Glibc
import Synchronization
import SystemIO

/// An accepted socket on its way to the loop that will own it.
struct AcceptedSocket: Sendable {
    let descriptor: Int32
    let kind: Int
    let listener: Int
    let isTLS: Bool
    let isUnix: Bool
    /// Monotonic milliseconds.
    let acceptedAt: UInt64
    /// Changes of bans that the accepting loop knew of.
    let banChanges: Int
}

/// Where other loops hand over accepted sockets, and how many connections the loop has. Shared by all loops.
package final class LoopIntake: Sendable {
    let mailbox: Mailbox<AcceptedSocket>
    private let count = Atomic<Int>(0)
    private let slow = Atomic<Int>(0)

    /// - Throws: `Errno` when there is no descriptor left.
    package init() throws(Errno) { mailbox = try Mailbox() }

    deinit {
        var left: ContiguousArray<AcceptedSocket> = []
        mailbox.take(into: &left)
        for socket in left { _ = close(socket.descriptor) }
    }

    /// Connections owned by the loop or under way to it.
    package var connectionCount: Int { count.load(ordering: .relaxed) }

    /// Turns of the loop that took over 20 ms.
    package var longTurns: Int { slow.load(ordering: .relaxed) }

    func noteLongTurn() { slow.add(1, ordering: .relaxed) }
    func gain() { count.add(1, ordering: .relaxed) }
    func lose() { count.subtract(1, ordering: .relaxed) }
}
