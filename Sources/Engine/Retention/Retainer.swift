import ChatModel

/// The engine's books about lines that go: by age, and from memory.
struct Retainer {
    /// A conversation of which something has gone, and the seq that was its next one at the last tick.
    struct Pending {
        let number: ConversationNumber
        let next: Seq
    }

    var clock: AgeClock
    /// When the oldest event that is kept may have grown too old, on the monotonic clock, by conversation number − 1.
    var due = ContiguousArray<Int64>()
    /// Conversations in which it may have, now; the next one last.
    var aged: [ConversationNumber] = []
    /// Conversations with lines that are gone and still there.
    var pending: [Pending] = []
    /// Of those, what can go now: all below the seq; the next one last.
    var ripe: [(number: ConversationNumber, limit: Seq)] = []

    init(_ clock: AgeClock) { self.clock = clock }

    /// Whether there is something to do in this turn.
    var hasWork: Bool { !aged.isEmpty || !ripe.isEmpty }

    /// Everything has to be looked at again.
    mutating func lookAtAll() { for index in due.indices { due[index] = 0 } }
}
