import ChatModel

/// The newest nonces of one account and the messages they made (protocol.md, SEND).
package struct NonceMemory: Sendable {
    package struct Sent: Sendable {
        package let conversation: ConversationNumber
        package let seq: Seq
        package let time: Timestamp
    }

    private var sent: [UInt64: Sent] = [:]
    /// Hashes in the order of use, a ring once it is full.
    private var order = ContiguousArray<UInt64>()
    private var oldest = 0

    package init() {}

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
