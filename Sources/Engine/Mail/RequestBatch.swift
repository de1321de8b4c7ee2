import Bytes
import ChatModel
import Wire

/// One line of a client, understood.
package struct Request: Sendable {
    package let connection: ConnectionKey
    package let tag: Tag
    package let command: Command
    package init(connection: ConnectionKey, tag: Tag, command: Command) {
        (self.connection, self.tag, self.command) = (connection, tag, command)
    }

    /// What stands in the place of one that was taken out.
    static var spent: Request {
        Request(connection: ConnectionKey(loop: 0, slot: 0, generation: 0), tag: .none, command: .bye)
    }
}

/// The requests a loop read in one turn, with the bytes of their texts.
///
/// `@unchecked Sendable`: handed over whole. The loop fills it, posts it and does not touch it until it comes back by
/// mail; the engine reads it in between.
package final class RequestBatch: @unchecked Sendable {
    package var arena = ByteBuffer()
    package var requests = ContiguousArray<Request>()
    package init() {}

    /// Makes it ready for the next turn, keeping its memory unless a burst made it large.
    package func clear() {
        requests.removeAll(keepingCapacity: true)
        if arena.capacity > 1 << 20 { arena.release() } else { arena.clear() }
    }
}
