/// Messages on their way: sent in a pipeline, each with a nonce, so that after a lost connection everything without an
/// answer is sent again and the server doubles nothing (protocol.md, SEND).
package struct Outbox {
    /// Sendings under way at most; more input waits.
    package static let window = 64

    private struct Message {
        let request: Request
        var isSent = false
    }

    private let conversation: String
    private let options: [Request.Option]
    private let noncePrefix: String
    private var waiting: [UInt64: Message] = [:]
    /// Numbers of the messages in `waiting`, oldest first.
    private var order: [UInt64] = []
    private var added: UInt64 = 0
    /// Messages the server has on disk.
    package private(set) var acknowledged: UInt64 = 0

    /// - Parameters:
    ///   - noncePrefix: random, at most 40 bytes, another for every run of the program.
    ///   - options: `reply=` and the like, for each message.
    package init(conversation: String, options: [Request.Option] = [], noncePrefix: String) {
        (self.conversation, self.options, self.noncePrefix) = (conversation, options, noncePrefix)
    }

    /// Whether another message may be added.
    package var takesMore: Bool { order.count < Self.window }
    /// Whether every message has its answer.
    package var isEmpty: Bool { order.isEmpty }

    /// Adds a message; nil text for one that consists of its options.
    /// - Returns: its number, from 1.
    @discardableResult
    package mutating func add(_ text: String?) throws(Request.Fault) -> UInt64 {
        let nonce = Request.Option("nonce", "\(noncePrefix)-\(added + 1)")
        let request = try Request("SEND", options: [nonce] + options, arguments: [conversation], rest: text)
        added += 1
        order.append(added)
        waiting[added] = Message(request: request)
        return added
    }

    /// The messages not sent on this connection yet, which count as sent from now on.
    package mutating func takeUnsent() -> [(number: UInt64, request: Request)] {
        var unsent: [(number: UInt64, request: Request)] = []
        for number in order {
            guard let message = waiting[number], !message.isSent else { continue }
            waiting[number]?.isSent = true
            unsent.append((number, message.request))
        }
        return unsent
    }

    /// The server answered message `number`.
    package mutating func answered(_ number: UInt64, accepted: Bool) {
        guard waiting.removeValue(forKey: number) != nil else { return }
        order.removeAll { $0 == number }
        if accepted { acknowledged += 1 }
    }

    /// After a lost connection nothing under way counts as sent.
    package mutating func connectionLost() { for number in order { waiting[number]?.isSent = false } }
}
