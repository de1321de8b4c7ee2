import ChatClient
import Testing

@Suite("Messages on their way")
struct OutboxTests {
    @Test func `Each message has a nonce of its own, the same after a lost connection`() throws {
        var outbox = Outbox(conversation: "#a", noncePrefix: "p")
        try outbox.add("one")
        try outbox.add("two")
        let first = outbox.takeUnsent().map { $0.request.line() }
        #expect(first == ["SEND nonce=p-1 #a one\n", "SEND nonce=p-2 #a two\n"])
        #expect(outbox.takeUnsent().isEmpty)
        outbox.answered(1, accepted: true)
        outbox.connectionLost()
        #expect(outbox.takeUnsent().map { $0.request.line() } == ["SEND nonce=p-2 #a two\n"])
        outbox.answered(2, accepted: false)
        outbox.answered(2, accepted: true)
        #expect(outbox.isEmpty)
        #expect(outbox.acknowledged == 1)
    }

    @Test func `Only so many are under way`() throws {
        var outbox = Outbox(conversation: "#a", noncePrefix: "p")
        for _ in 0..<Outbox.window { try outbox.add("x") }
        #expect(!outbox.takesMore)
        outbox.answered(1, accepted: true)
        #expect(outbox.takesMore)
    }

    @Test func `A message may consist of its options`() throws {
        var outbox = Outbox(conversation: "#a", options: [.init("geo", "52.5,13.4")], noncePrefix: "p")
        try outbox.add(nil)
        #expect(outbox.takeUnsent().map { $0.request.line() } == ["SEND nonce=p-1 geo=52.5,13.4 #a\n"])
    }
}
