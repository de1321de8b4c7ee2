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

    private var sent: [UInt64: Sent] = [:]
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

    /// Hands every nonce and its message to `body`, the oldest first. O(n).
    package func forEach(_ body: (Entry) -> Void) {
        for index in order.indices {
            let hash = order[(oldest + index) % order.count]
            if let message = sent[hash] { body(Entry(hash: hash, sent: message)) }
        }
    }

    package func find(_ hash: UInt64, now: Timestamp, limits: Limits) -> Sent? {
        guard let found = sent[hash], now.milliseconds - found.time.milliseconds <= limits.nonceMilliseconds else {
            return nil
        }
        return found
    }

    /// Notes a nonce; above `limits.nonces` the oldest gives way.
    package mutating func note(_ hash: UInt64, _ message: Sent, limits: Limits) {
        if sent.updateValue(message, forKey: hash) != nil { forgetPlace(of: hash) }
        if order.count < max(1, limits.nonces) { return order.append(hash) }
        sent[order[oldest]] = nil
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
