import ChatCore
import ChatModel
import ChatTesting
import Testing

@Suite("How long an upload stays") struct BlobLifeTests {
    let world = World()
    private let ada, bob: AccountNumber

    init() throws {
        (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
    }

    @discardableResult
    private func put(_ low: UInt64, by owner: AccountNumber, content: UInt64 = 1) -> BlobID {
        let record = BlobRecord(
            id: BlobID(high: 1, low: low),
            owner: owner,
            name: "n\(low)",
            type: "image/png",
            size: 5000,
            hash: ContentHash(a: content, b: 2, c: 3, d: 4),
            created: world.now
        )
        world.apply([.ledger(.blob(record))])
        return record.id
    }

    private func mayRead(_ id: BlobID, _ account: AccountNumber) -> Bool {
        (try? world.state.findBlob(id, account)) != nil
    }

    private func avatar(_ id: BlobID?, of account: AccountNumber) {
        let profile = Profile(display: "d", phone: nil, bio: nil, avatar: id)
        world.apply([.ledger(.profile(account, profile))])
    }

    private func send(_ id: BlobID, to target: ConversationTarget, by account: AccountNumber) throws -> Seq {
        try world.send(to: target, by: account, blob: id).seq
    }

    /// Ends what has lost its last message, as the engine does.
    private func endOrphans() -> [BlobID] {
        let orphans = world.state.takeOrphans(limit: 100)
        world.apply(orphans.map { .ledger(.endBlob($0.owner, $0.id)) })
        return orphans.map(\.id)
    }

    private var direct: ConversationNumber { ConversationNumber(2) }

    @Test func `sent with two messages it lives until the last is gone, then its quota is given back`() throws {
        let id = put(1, by: ada)
        let seqs = [try send(id, to: .direct("bob"), by: ada), try send(id, to: .direct("bob"), by: ada)]
        #expect(world.state.endOfBlob(id, with: seqs[0], in: direct).isEmpty)
        world.state.dropReference(to: id, direct, seqs[0])
        #expect(endOrphans() == [] && mayRead(id, bob))
        #expect(world.state.endOfBlob(id, with: seqs[1], in: direct).count == 1)
        world.state.dropReference(to: id, direct, seqs[1])
        #expect(endOrphans() == [id] && !mayRead(id, ada))
        let account = try #require(world.state.account(ada))
        #expect(account.blobBytes == 0 && world.state.uploads(of: account).isEmpty && !world.state.hasBlobs)
        #expect(world.state.conversation(direct).blobMessages == 0)
    }

    @Test func `a picture counts as use; taken away it is unused, and ends after its time, not before`() throws {
        let id = put(1, by: ada)
        avatar(id, of: ada)
        let seq = try send(id, to: .direct("bob"), by: ada)
        #expect(world.state.endOfBlob(id, with: seq, in: direct).isEmpty)
        world.state.dropReference(to: id, direct, seq)
        #expect(endOrphans() == [] && mayRead(id, bob))
        world.pass(milliseconds: 100_000)
        #expect(world.state.takeUnused(since: world.state.monotonic, span: 10).isEmpty)
        avatar(nil, of: ada)
        #expect(mayRead(id, ada) && !mayRead(id, bob))
        let since = world.state.monotonic
        world.pass(milliseconds: 1)
        #expect(world.state.takeUnused(since: since.adding(milliseconds: -1), span: 10).isEmpty)
        #expect(world.state.takeUnused(since: since, span: 10).map(\.id) == [id])
    }

    @Test func `unused is counted from the upload, or from the start, and what was used meanwhile is left`() throws {
        let (one, two, three) = (put(1, by: ada), put(2, by: ada), put(3, by: bob))
        _ = try send(two, to: .direct("bob"), by: ada)
        world.pass(milliseconds: 5000)
        world.state.noteRecovered(world.state.monotonic, wall: world.now)
        let start = world.state.monotonic
        #expect(world.state.takeUnused(since: start.adding(milliseconds: -1), span: 10).isEmpty)
        #expect(world.state.takeUnused(since: start, span: 1).map(\.id) == [one], "as many as were asked for")
        #expect(world.state.takeUnused(since: start, span: 10).map(\.id) == [three])
    }

    @Test func `what is deleted is gone for all and from the profile, and its message stays`() throws {
        let id = put(1, by: ada)
        avatar(id, of: ada)
        _ = try send(id, to: .direct("bob"), by: ada)
        world.apply([.ledger(.endBlob(ada, id))])
        #expect(!mayRead(id, ada) && !mayRead(id, bob) && world.state.account(ada)?.avatar == nil)
        #expect(world.state.conversation(direct).keptMessages == 1)
        #expect(try refused { _ = try world.state.findOwnBlob(id, ada) } == "NOT-FOUND")
        world.apply([.ledger(.endBlob(ada, id))])
        #expect(world.state.account(ada)?.blobBytes == 0)
    }

    @Test func `in a dropped conversation it is gone at once, links to what lives on elsewhere as well`() throws {
        try world.create("den", by: ada, isPrivate: true)
        let (one, two, three) = (put(1, by: ada), put(2, by: ada), put(3, by: ada))
        for id in [one, two, three] { _ = try send(id, to: .named("den"), by: ada) }
        _ = try send(two, to: .direct("bob"), by: ada)
        avatar(three, of: ada)
        let decision = try world.state.decideDrop(.named("den"), by: ada, now: world.now)
        let links = decision.changes.flatMap { world.state.linksEnded(by: $0) }
        #expect(links.count == 2, "of those that live on")
        world.apply(decision)
        world.apply(links)
        #expect([one, two, three].map { mayRead($0, ada) } == [false, true, true])
        #expect(world.state.linkedBlob(one) == nil && world.state.linkedBlob(two)?.linkGeneration == 1)
        #expect(endOrphans() == [one])
        #expect(world.state.account(ada)?.blobBytes == 10_000)
    }

    @Test func `bytes that two uploads have are known until the second ends`() {
        let content = ContentHash(a: 7, b: 2, c: 3, d: 4)
        let (one, two) = (put(1, by: ada, content: 7), put(2, by: bob, content: 7))
        #expect(world.state.contents(endedBy: .endBlob(ada, one)) == [content])
        world.apply([.ledger(.endBlob(ada, one))])
        #expect(world.state.hasBlob(with: content))
        world.apply([.ledger(.endBlob(bob, two))])
        #expect(!world.state.hasBlob(with: content) && world.state.allBlobs.isEmpty)
    }

    @Test func `an idle guest goes with its uploads`() throws {
        let guest = try world.guest(word: 7)
        world.apply(world.state.changesBefore(actionOf: guest))
        let id = put(1, by: guest)
        world.pass(milliseconds: 1000)
        let (found, _) = world.state.guests(notSeenSince: world.state.monotonic, after: nil, span: 100)
        #expect(found == [guest])
        world.apply(world.state.decideExpire(guest, now: world.now))
        #expect(world.state.blob(id) == nil && !world.state.hasBlobs)
    }

    @Test func `many come and go, and the list of those that are left stays in order`() throws {
        let account = try #require(world.state.account(ada))
        for low in 0..<200 as Range<UInt64> {
            put(low, by: ada)
            if low % 10 != 0 { world.apply([.ledger(.endBlob(ada, BlobID(high: 1, low: low)))]) }
        }
        let kept = stride(from: UInt64(0), to: 200, by: 10).map { BlobID(high: 1, low: $0) }
        #expect(world.state.uploads(of: account).map(\.id) == kept && account.blobBytes == 20 * 5000)
    }

    @Test(arguments: [false, true])
    func `what was sent and has no line any more ends at a start, but not after a repair`(isRepair: Bool) throws {
        let id = put(1, by: ada)
        _ = try send(id, to: .direct("bob"), by: ada)
        world.state.forgetReferences()
        if isRepair { world.state.spareBlobs() }
        world.state.noteRecovered(world.state.monotonic, wall: world.now)
        #expect(endOrphans() == (isRepair ? [] : [id]))
        #expect(world.state.takeUnused(since: world.state.monotonic, span: 9).map(\.id) == (isRepair ? [id] : []))
    }

    @Test func `that it was sent is written down with its owner, and not where that is written down already`() throws {
        let id = put(1, by: ada)
        try world.send(to: .direct("bob"), by: ada)
        world.state.position = 70
        _ = try send(id, to: .direct("bob"), by: ada)
        let marks = world.state.snapshotMarks.accounts(shard: 0)
        #expect(world.state.blob(id)?.isSent == true && marks == 70)
    }

    @Test func `BLOBS pages through them`() throws {
        for low in 0..<5 as Range<UInt64> { put(low, by: ada) }
        put(9, by: bob)
        var names: [String] = []
        var after: String?
        repeat {
            let reply = try world.state.decideBlobs(of: ada, Page(after: after, limit: 2))
            names += reply.values("name")
            #expect(reply.values("used") == ["25000"])
            after = reply.values("more") == ["yes"] ? reply.values("blob").last : nil
        } while after != nil
        #expect(names == ["n0", "n1", "n2", "n3", "n4"])
        let theirs = BlobID(high: 1, low: 9).text
        for after in ["x", "b_AAAAAAAAAAAAAAAAAAAAAA", theirs] {
            #expect(
                try refused { _ = try world.state.decideBlobs(of: ada, Page(after: after, limit: 2)) }
                    == "NOT-FOUND after"
            )
        }
    }
}
