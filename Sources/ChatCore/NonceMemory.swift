import ChatModel

/// The newest nonces of one account and the messages they made (protocol.md, SEND).
package struct NonceMemory: Sendable {
    package struct Sent: Sendable, Equatable {
        package let conversation: ConversationNumber
        package let seq: Seq
        package let time: Timestamp

        package init(conversation: ConversationNumber, seq: Seq, time: Timestamp) {
            (self.conversation, self.seq, self.time) = (conversation, seq, time)
        }
    }

    /// The same, and when it was noted, in as little room.
    private struct Slot: Sendable {
        let conversation: ConversationNumber
        /// Seconds of the monotonic clock.
        let noted: UInt32
        let seq: Seq
        let time: Timestamp

        init(_ sent: Sent, _ now: MonotonicTime) {
            (conversation, seq, time) = (sent.conversation, sent.seq, sent.time)
            noted = UInt32(clamping: (now.milliseconds + 999) / 1000)
        }

        var sent: Sent { Sent(conversation: conversation, seq: seq, time: time) }

        func isNoted(since moment: MonotonicTime) -> Bool { Int64(noted) * 1000 >= moment.milliseconds }
    }

    private var slots: [UInt64: Slot] = [:]
    /// Hashes in the order of use, a ring once it is full.
    private var order = ContiguousArray<UInt64>()
    private var oldest = 0

    package init() {}

    package struct Entry: Sendable, Equatable {
        package let hash: UInt64
        package let sent: Sent
        package init(hash: UInt64, sent: Sent) { (self.hash, self.sent) = (hash, sent) }
    }

    package var count: Int { order.count }

    /// Hands every nonce noted since `moment` and its message to `body`, the oldest first. O(n).
    package func forEach(since moment: MonotonicTime, _ body: (Entry) -> Void) {
        for index in order.indices {
            let hash = order[(oldest + index) % order.count]
            guard let slot = slots[hash], slot.isNoted(since: moment) else { continue }
            body(Entry(hash: hash, sent: slot.sent))
        }
    }

    /// The message of a nonce noted since `moment`.
    package func find(_ hash: UInt64, since moment: MonotonicTime) -> Sent? {
        guard let slot = slots[hash], slot.isNoted(since: moment) else { return nil }
        return slot.sent
    }

    /// Notes a nonce; above `limits.nonces` the oldest gives way.
    package mutating func note(_ hash: UInt64, _ message: Sent, now: MonotonicTime, limits: Limits) {
        if slots.updateValue(Slot(message, now), forKey: hash) != nil { forgetPlace(of: hash) }
        if order.count < max(1, limits.nonces) { return order.append(hash) }
        slots[order[oldest]] = nil
        order[oldest] = hash
        oldest = (oldest + 1) % order.count
    }

    /// A nonce that ran out and is used anew stands among the newest again. O(n).
    private mutating func forgetPlace(of hash: UInt64) {
        order = ContiguousArray(order[oldest...] + order[..<oldest])
        oldest = 0
        if let at = order.firstIndex(of: hash) { order.remove(at: at) }
    }
}
