import ChatCore
import ChatModel
import ChatTesting
import Persistence
import Testing

@Suite("Blobs written down") struct BlobRecordTests {
    @Test(arguments: ["cat.png", "", "a b", "\"\r\n blob=b_x", "汉字\u{202E}", " kind=photo text=\""])
    func `records and references are read back, whatever the name`(name: String) throws {
        let world = World()
        var scribe = Scribe()
        let state = State(limits: Limits())
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let record = BlobRecord(
            id: BlobID(high: .max, low: 77),
            owner: ada,
            name: name,
            type: "image/png",
            size: 1 << 40,
            hash: ContentHash(a: 1, b: .max, c: 0, d: 9),
            created: world.now
        )
        world.apply([.ledger(.blob(record))])
        try world.send(to: .direct("bob"), by: ada, text: "hi")
        try world.send(to: .direct("bob"), by: ada, text: nil, blob: record.id)
        try world.send(to: .direct("ada"), by: bob, text: "hi", reply: 3, blob: record.id)
        for change in world.changes {
            scribe.write(change, state)
            state.apply(change)
        }
        let replayed = try scribe.replayed(Limits())
        let found = try replayed.findBlob(record.id, bob)
        #expect((found.name, found.type, found.size) == (name, "image/png", 1 << 40))
        #expect((found.owner, found.hash, found.created) == (ada, record.hash, world.now))
        #expect(replayed.referenceCount(of: record.id) == 2 && replayed.hasBlob(with: record.hash))
        #expect(replayed.account(ada)?.blobBytes == 1 << 40)
    }

    @Test func `a record without a sound field is refused`() throws {
        let sound =
            "L blob id=b_AAAAAAAAAAAAAAAAAAAAAA account=1 name=\"n\" type=a/b size=1 sha256=\(String(repeating: "0", count: 64)) created=2026-11-30T08:36:33.123Z"
        _ = try JournalPayload.decode(sound)
        for part in ["id=b_", "account=1", "name=", "type=", "size=1", "sha256=0", "created=2"] {
            let broken = sound.replacing(part, with: "x" + part)
            #expect(throws: RecordFault.self, "\(part)") { try JournalPayload.decode(broken) }
        }
        for (part, other) in [
            ("size=1", "size=-1"), ("account=1", "account=0"), ("sha256=0", "sha256=g"), ("id=b_A", "id=b_E"),
        ] {
            #expect(throws: RecordFault.self, "\(other)") {
                try JournalPayload.decode(sound.replacing(part, with: other))
            }
        }
    }
}

extension JournalPayload {
    fileprivate static func decode(_ text: String) throws {
        try Array(text.utf8).withUnsafeBytes { _ = try decode($0, State(limits: Limits())) }
    }
}
