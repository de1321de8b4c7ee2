import ChatCore
import ChatModel
import ChatTesting
import Testing

@Suite("Blobs: rights and quota") struct BlobTests {
    let world = World()

    private func put(_ low: UInt64, by owner: AccountNumber, size: UInt64 = 10, type: String = "image/png") -> BlobID {
        let record = BlobRecord(
            id: BlobID(high: 1, low: low),
            owner: owner,
            name: "n",
            type: type,
            size: size,
            hash: ContentHash(a: 1, b: 2, c: 3, d: 4),
            created: world.now
        )
        world.apply([.ledger(.blob(record))])
        return record.id
    }

    private func mayRead(_ id: BlobID, _ account: AccountNumber) -> Bool {
        (try? world.state.findBlob(id, account)) != nil
    }

    @Test func `each cell of who may read: owner, member, other account, guest, one who left, a later member`() throws {
        let (ada, bob, eve) = (try world.signUp("ada"), try world.signUp("bob"), try world.signUp("eve"))
        let guest = try world.guest(word: 7)
        try world.create("den", by: ada, isPrivate: true)
        try world.invite("bob", to: "den", by: ada)
        try world.join("den", bob)
        let id = put(1, by: ada)
        #expect([ada, bob, eve, guest].map { mayRead(id, $0) } == [true, false, false, false])
        try world.send(to: .named("den"), by: ada, text: nil, blob: id)
        #expect([ada, bob, eve, guest].map { mayRead(id, $0) } == [true, true, false, false])
        try world.invite("eve", to: "den", by: ada)
        #expect(!mayRead(id, eve), "an invitation shows nothing")
        try world.join("den", eve)
        #expect(!mayRead(id, eve), "it was sent before the joining")
        try world.leave("den", bob)
        #expect(!mayRead(id, bob))
        try world.send(to: .direct("guest-7"), by: ada, blob: id)
        #expect(mayRead(id, guest) && world.state.referenceCount(of: id) == 2)
        #expect(!mayRead(BlobID(high: 1, low: 2), ada))
    }

    @Test func `of a dropped conversation nothing is read, of the lobby everybody reads`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        try world.create("den", by: ada, isPrivate: true)
        let (one, two) = (put(1, by: bob), put(2, by: bob))
        try world.send(to: .direct("ada"), by: bob, blob: one)
        try world.send(to: .named("den"), by: ada, blob: one)
        try world.send(to: .named("lobby"), by: bob, blob: two)
        try world.leave("den", ada)
        #expect(mayRead(one, ada), "the 1:1 still has it")
        let eve = try world.signUp("eve")
        #expect(mayRead(two, eve) && !mayRead(one, eve))
    }

    @Test func `sending one needs the right to read it, after the right to the conversation and the nonce`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let id = put(1, by: ada)
        #expect(try refused { try world.send(to: .named("lobby"), by: bob, blob: id) } == "NOT-FOUND blob")
        try world.send(to: .named("lobby"), by: bob, nonce: 5)
        #expect(try world.send(to: .named("lobby"), by: bob, nonce: 5, blob: id).isRepeat)
        #expect(try refused { try world.send(to: .named("lobby"), by: ada, text: "  ", blob: id) } == "BAD-ARG text")
    }

    @Test func `the kind tells pictures from files`() throws {
        let ada = try world.signUp("ada")
        for (low, (type, kind)) in [("image/webp", "photo"), ("image/svg+xml", "file"), ("text/plain", "file")]
            .enumerated()
        {
            let id = put(UInt64(low), by: ada, type: type)
            guard case .message(let event) = try world.send(to: .named("lobby"), by: ada, text: nil, blob: id),
                case .message(let message) = event.kind
            else { throw Refusal.notFound }
            #expect(message.kind == kind && message.blob?.id == id)
        }
    }

    @Test func `uploads are bounded by size and quota, an empty one counts as a block`() throws {
        let ada = try world.signUp("ada")
        (world.state.limits.blob, world.state.limits.quota) = (5000, 10_000)
        func check(_ size: UInt64) throws -> String? {
            do throws(Refusal) {
                try world.state.checkUpload(
                    PutBlob(size: size, type: "a/b", name: "n", target: nil, hash: nil),
                    by: ada
                )
                return nil
            } catch { return error.code.rawValue }
        }
        #expect(try check(5000) == nil && check(5001) == "TOO-BIG" && check(.max) == "TOO-BIG")
        _ = put(1, by: ada, size: 0)
        _ = put(2, by: ada, size: 5000)
        #expect(world.state.account(ada)?.blobBytes == 9096)
        #expect(try check(0) == "QUOTA" && check(904) == "QUOTA")
    }

    @Test func `a second record of the same id changes nothing`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let id = put(1, by: ada)
        _ = put(1, by: bob, size: 99)
        #expect(world.state.blob(id)?.owner == ada && world.state.account(bob)?.blobBytes == 0)
        #expect(world.state.allBlobs.map(\.id) == [id])
    }
}
