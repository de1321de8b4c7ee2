/// Messages from any thread to one: appended under a lock, taken all at once, in the order of posting.
///
/// The receiver is woken only when it sleeps, so that a busy receiver costs its senders one lock a batch and no system
/// call. The receiver calls `sleep` before it waits and `take` when it has woken.
public final class Mailbox<Message: Sendable>: Sendable {
    @usableFromInline struct Box {
        @usableFromInline var messages = ContiguousArray<Message>()
        @usableFromInline var sleeping = false
        /// Rings that were decided and whose effect on the descriptor has not been taken back.
        @usableFromInline var rings: UInt64 = 0
    }

    @usableFromInline let box = Lock(Box())
    /// Rung when mail has come for a sleeping receiver.
    public let wakeUp: WakeUp

    /// - Throws: `Errno` when there is no descriptor left.
    package init() throws(Errno) { wakeUp = try WakeUp() }

    @inlinable public func post(_ message: Message) { ring(enqueue(message)) }

    /// The first half of posting; what it returns goes to `ring`, perhaps after the receiver has taken the message.
    @inlinable func enqueue(_ message: Message) -> Bool {
        box.withLock { (box: inout Box) -> Bool in
            box.messages.append(message)
            return Self.mustRing(&box)
        }
    }

    /// Posts all of `messages` in one go and leaves the array empty, with its memory.
    @inlinable public func post(all messages: inout ContiguousArray<Message>) {
        if messages.isEmpty { return }
        ring(
            box.withLock { (box: inout Box) -> Bool in
                // The memory of the two goes round; nothing is copied where nothing waits.
                if box.messages.isEmpty {
                    swap(&box.messages, &messages)
                } else {
                    box.messages.append(contentsOf: messages)
                }
                return Self.mustRing(&box)
            }
        )
        messages.removeAll(keepingCapacity: true)
    }

    /// Moves all waiting messages into `batch`, which must be empty; its memory serves the next ones.
    @inlinable public func take(into batch: inout ContiguousArray<Message>) {
        let rings = box.withLock { (box: inout Box) -> UInt64 in
            swap(&box.messages, &batch)
            box.sleeping = false
            return box.rings
        }
        if rings == 0 { return }
        // A sender may be between its post and its ring; that ring is taken back the next time.
        let heard = wakeUp.silence()
        box.withLock { (box: inout Box) in box.rings -= min(heard, box.rings) }
    }

    /// Announces that the receiver is about to wait; false when there is mail already and it must not.
    @inlinable public func sleep() -> Bool {
        box.withLock { (box: inout Box) -> Bool in
            box.sleeping = box.messages.isEmpty
            return box.sleeping
        }
    }

    /// Says that the receiver is awake, woken by something else, and will `take` before it sleeps again: nobody needs to ring.
    @inlinable public func wake() { box.withLock { (box: inout Box) in box.sleeping = false } }

    @inlinable static func mustRing(_ box: inout Box) -> Bool {
        guard box.sleeping else { return false }
        box.sleeping = false
        box.rings += 1
        return true
    }

    @inlinable func ring(_ must: Bool) { if must { wakeUp.ring() } }
}
