/// Messages of a chat on their way, to whatever conversation, each with a nonce: after a lost connection all without an
/// answer are sent again, and the server doubles nothing (protocol.md, SEND).
struct SendQueue {
    private struct Message {
        let number: UInt64
        let request: Request
        var isSent = false
    }

    private let noncePrefix: String
    private var waiting: [Message] = []
    private var added: UInt64 = 0

    init(noncePrefix: String = "") { self.noncePrefix = noncePrefix }

    /// Messages without an answer.
    var count: Int { waiting.count }

    /// Adds a message, with `reply=` and the like as options.
    mutating func add(to conversation: String, text: String?, options: [Request.Option] = []) throws(Request.Fault) {
        let nonce = Request.Option("nonce", "\(noncePrefix)-\(added + 1)")
        let request = try Request("SEND", options: [nonce] + options, arguments: [conversation], rest: text)
        added += 1
        waiting.append(Message(number: added, request: request))
    }

    /// What was not sent on this connection yet; it counts as sent from now on.
    mutating func takeUnsent() -> [(number: UInt64, request: Request)] {
        var unsent: [(number: UInt64, request: Request)] = []
        for at in waiting.indices where !waiting[at].isSent {
            waiting[at].isSent = true
            unsent.append((waiting[at].number, waiting[at].request))
        }
        return unsent
    }

    /// The message `number` has its answer.
    /// - Returns: its text, when it has one.
    mutating func answered(_ number: UInt64) -> String? {
        guard let at = waiting.firstIndex(where: { $0.number == number }) else { return nil }
        return waiting.remove(at: at).request.rest
    }

    mutating func connectionLost() { for at in waiting.indices { waiting[at].isSent = false } }
}
