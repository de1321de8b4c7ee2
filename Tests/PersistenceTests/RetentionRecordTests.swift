import Bytes
import ChatCore
import ChatModel
import ChatTesting
import Persistence
import Testing

@Suite("What is kept, written down") struct RetentionRecordTests {
    private let world = World()

    private func room(_ count: Int, _ retention: Retention = Retention()) throws -> Conversation {
        let ada = try world.signUp("ada")
        let number = try world.create("room", by: ada)
        world.apply([.ledger(.retain(number, retention))])
        for _ in 0..<count { try world.send("room", ada) }
        return world.state.conversation(number)
    }

    private func snapshot(_ conversation: Conversation) throws -> ConversationSnapshot {
        var out = ByteBuffer()
        ConversationCodec.begin(&out)
        ConversationCodec.encode(conversation, at: 9, into: &out)
        ConversationCodec.end(&out)
        var found: [ConversationSnapshot] = []
        try ConversationCodec.decode(out.readable) { (snapshot, _) throws(JSONFault) in found.append(snapshot) }
        return try #require(found.first)
    }

    @Test(arguments: [Retention(), Retention(max: 3), Retention(age: 60), Retention(max: .max, age: .max)])
    func `a snapshot says it of a conversation`(retention: Retention) throws {
        let conversation = try room(5, retention)
        let found = try snapshot(conversation)
        #expect(found.retention == retention && found.messages == 5)
        #expect(found.firstSeq == (retention.max == 3 ? 4 : 1) && found.firstSeq == conversation.firstSeq)
    }

    @Test func `a snapshot says it of the server`() throws {
        for retention in [Retention(), Retention(max: 1), Retention(max: 2, age: 3)] {
            world.apply([.ledger(.retainByDefault(retention))])
            var out = ByteBuffer()
            ServerSnapshot(world.state).encode(into: &out)
            #expect(try ServerSnapshot(decoding: out.readable).retention == retention)
        }
    }

    @Test func `nothing that a record says takes away more than there is, or gives anything back`() throws {
        let conversation = try room(5)
        let number = conversation.number
        for first in [3, 2, 0, .max, 1] as [Seq] {
            let before = conversation.firstSeq
            world.apply([.ledger(.trim(number, first: first))])
            #expect(conversation.firstSeq == max(before, min(first, 7)))
        }
        #expect(conversation.keptMessages == 0 && conversation.newestMessage == nil)
        for retention in [Retention(max: 0), Retention(max: .max), Retention(max: 1, age: .max)] {
            world.apply([.ledger(.retain(number, retention)), .ledger(.retain(ConversationNumber(99), retention))])
        }
        let ada = try #require(world.state.account(handleKey: "ada"))
        try world.send("room", ada)
        try world.send("room", ada)
        #expect(conversation.firstSeq == 8 && conversation.keptMessages == 1)
        world.apply([.ledger(.trim(ConversationNumber(0), first: 1)), .ledger(.trim(ConversationNumber(99), first: 1))])
    }

    @Test(arguments: [
        "\"first\":9,\"kept\":10", "\"first\":9,\"kept\":0", "\"first\":18446744073709551615", "\"first\":0",
        "\"first\":4611686018427387905", "\"first\":9,\"kept\":-1",
    ])
    func `lines at a place that cannot be are a fault`(place: String) {
        let text = "{\"format\":2,\"timelines\":[{\"n\":2,\(place),\"lines\":[]}]}"
        #expect(throws: JSONFault.self) {
            try Array(text.utf8).withUnsafeBytes { bytes in
                try LineCodec.decode(
                    bytes,
                    begin: { (_, _, _) throws(JSONFault) in },
                    line: { (_) throws(JSONFault) in }
                )
            }
        }
    }
}
