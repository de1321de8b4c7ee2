import Bytes
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

    @Test func `the end of an upload and of its links are read back, and the key that signs`() throws {
        let world = World()
        let ada = try world.signUp("ada")
        let ids = (0..<3).map { BlobID(high: 5, low: $0) }
        for id in ids {
            let hash = ContentHash(a: 1, b: 2, c: 3, d: 4)
            let record = BlobRecord(
                id: id,
                owner: ada,
                name: "n",
                type: "a/b",
                size: 1,
                hash: hash,
                created: world.now
            )
            world.apply([.ledger(.blob(record))])
        }
        let key = Array(0..<32 as Range<UInt8>)
        world.apply([
            .ledger(.endLinks(ada, ids[1], generation: 1)), .ledger(.endLinks(ada, ids[1], generation: 2)),
            .ledger(.endLinks(ada, ids[2], generation: .max)), .ledger(.endBlob(ada, ids[0])), .ledger(.linkKey(key)),
        ])
        let replayed = try Self.replayed(world)
        #expect(replayed.allBlobs.map(\.id) == [ids[1], ids[2]])
        #expect(replayed.allBlobs.map(\.linkGeneration) == [2, .max] && replayed.linkKey == key)
        #expect(replayed.account(ada)?.blobBytes == 8192)
        var out = ByteBuffer()
        ServerSnapshot(replayed).encode(into: &out)
        #expect(try ServerSnapshot(decoding: out.readable).linkKey == key)
        let account = try #require(replayed.account(ada))
        let restored = try Self.restored(account, uploads: replayed.uploads(of: account))
        #expect(restored.map(\.linkGeneration) == [2, .max])
    }

    private static func replayed(_ world: World) throws -> State {
        var scribe = Scribe()
        let state = State(limits: Limits())
        for change in world.changes {
            scribe.write(change, state)
            state.apply(change)
        }
        return try scribe.replayed(Limits())
    }

    /// The uploads of an account out of a shard of a snapshot.
    private static func restored(_ account: Account, uploads: [BlobRecord]) throws -> [BlobRecord] {
        var out = ByteBuffer()
        AccountCodec.begin(&out)
        AccountCodec.encode(account, at: 9, oldest: MonotonicTime(milliseconds: 0), uploads: uploads, into: &out)
        AccountCodec.end(&out)
        var found: [BlobRecord] = []
        try AccountCodec.decode(out.readable) { (slot, _) throws(JSONFault) in
            if case .account(let snapshot) = slot { found += snapshot.uploads }
        }
        return found
    }

    @Test(arguments: [
        "L end-blob account=0 id=b_AAAAAAAAAAAAAAAAAAAAAA", "L end-blob account=1 id=b_A", "L end-blob account=1",
        "L end-links account=1 id=b_AAAAAAAAAAAAAAAAAAAAAA",
        "L end-links account=1 id=b_AAAAAAAAAAAAAAAAAAAAAA generation=-1",
        "L link-key key=00", "L link-key",
    ])
    func `an unsound end is refused`(record: String) {
        #expect(throws: RecordFault.self) { try JournalPayload.decode(record) }
    }

    @Test func `a snapshot with a key of another length is refused`() throws {
        var out = ByteBuffer()
        ServerSnapshot(State(limits: Limits())).encode(into: &out)
        let sound = String(decoding: out.readable, as: UTF8.self)
        for key in ["00", String(repeating: "0", count: 66), "x"] {
            let hostile = sound.replacing("\"interval\"", with: "\"link-key\":\"\(key)\",\"interval\"")
            #expect(throws: JSONFault.self) {
                try Array(hostile.utf8).withUnsafeBytes { _ = try ServerSnapshot(decoding: $0) }
            }
        }
    }

    @Test func `what a snapshot no longer has is not brought back by the records before it`() throws {
        let world = World()
        let ada = try world.signUp("ada")
        let record = BlobRecord(
            id: BlobID(high: 1, low: 1),
            owner: ada,
            name: "n",
            type: "a/b",
            size: 1,
            hash: ContentHash(a: 1, b: 2, c: 3, d: 4),
            created: world.now
        )
        let account = try #require(world.state.account(ada))
        let snapshot = AccountSnapshot(
            record: account.record,
            sessions: [],
            conversations: [],
            invitations: [],
            nonces: []
        )
        let state = State(limits: Limits())
        #expect(state.restore(.account(snapshot), validFrom: 10))
        state.position = 7
        state.apply(.ledger(.blob(record)))
        state.position = 8
        state.apply(.ledger(.endBlob(ada, record.id)))
        #expect(state.allBlobs.isEmpty && !state.hasBlob(with: record.hash))
        state.position = 12
        state.apply(.ledger(.blob(record)))
        #expect(state.allBlobs.count == 1)
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
