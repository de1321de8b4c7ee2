import ChatModel
import ChatTesting
import Engine
import Testing
import Wire

@Suite("Blobs in the engine") struct BlobTests {
    private static let content = ContentHash(a: 1, b: 2, c: 3, d: 4)

    /// The end of an upload of 10 bytes.
    private func store(_ stage: Stage, _ key: ConnectionKey, content: ContentHash = content) {
        let put = PutBlob(size: 10, type: "image/png", name: "n.png", target: nil, hash: nil)
        let upload = StoredUpload(connection: key, tag: Wire.Tag.none, request: put, outcome: .success(content))
        stage.handle(.blobStored(upload))
    }

    private func answers(_ stage: Stage, _ loop: Int) -> [String] {
        stage.mail[loop].compactMap { mail in
            guard case .blobAnswered(_, let answer) = mail else { return nil }
            if case .readable(let record) = answer { return "readable \(record.name)" }
            return "\(answer)"
        }
    }

    private func token(_ name: String) -> TokenHash { SeededRandomness.hash(of: name) }

    @Test(arguments: [1, 2]) func `OK waits for the record, and the file is told to be kept`(loops: Int) throws {
        let stage = Stage(loops: loops)
        let ada = stage.signUp("ada", loop: loops - 1)
        _ = stage.takeReplies(ada)
        store(stage, ada)
        #expect(stage.takeReplies(ada) == [] && stage.engine.settledBlobs.map(\.isKept) == [true])
        stage.sync()
        let reply = try #require(stage.takeReplies(ada).first)
        #expect(reply.hasPrefix("OK blob=b_") && reply.field("sha256") == Self.content.hex)
        let id = reply.field("blob")
        #expect(
            stage.ask(ada, "BLOB \(id)").first?.hasPrefix("OK blob=\(id) name=n.png type=image/png size=10 ") == true
        )
    }

    @Test func `whether bytes may come is said when all decided before is durable`() {
        let stage = Stage()
        let ada = stage.signUp("ada")
        func mayBegin() -> Bool {
            stage.mail[0].contains { if case .reply(_, _, .uploadMayBegin) = $0 { true } else { false } }
        }
        stage.say(ada, "SEND #lobby hi")
        stage.say(ada, "PUT-BLOB size=1 type=a/b")
        #expect(!mayBegin())
        stage.sync()
        #expect(mayBegin())
    }

    @Test func `uploads under way count against the quota, until they are stored or their connection has gone`() {
        var limits = Limits()
        limits.quota = 10_000
        let stage = Stage(limits: limits)
        let (one, two) = (stage.signUp("ada"), stage.signIn("ada"))
        #expect(stage.ask(one, "PUT-BLOB size=6000 type=a/b") == [])
        #expect(stage.ask(two, "PUT-BLOB size=6000 type=a/b").first?.hasPrefix("ERR QUOTA") == true)
        store(stage, one)
        #expect(stage.ask(two, "PUT-BLOB size=5000 type=a/b") == [], "10 bytes were stored, which count as 4096")
        #expect(stage.ask(one, "PUT-BLOB size=5000 type=a/b").first?.hasPrefix("ERR QUOTA") == true)
        stage.disconnect(two)
        #expect(stage.ask(one, "PUT-BLOB size=5000 type=a/b") == [])
    }

    @Test func `an upload whose connection or session has gone is not kept`() {
        let stage = Stage()
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob"))
        stage.disconnect(ada)
        store(stage, ada)
        _ = stage.ask(bob, "LOGOUT")
        store(stage, bob)
        #expect(stage.engine.settledBlobs.map(\.isKept) == [false, false])
        #expect(stage.takeReplies(bob).first?.hasPrefix("ERR NEED-AUTH") == true)
    }

    @Test func `a refused upload of bytes that another one has keeps the file`() {
        let stage = Stage()
        let (ada, bob) = (stage.signUp("ada"), stage.signUp("bob"))
        store(stage, ada)
        stage.disconnect(bob)
        store(stage, bob)
        store(stage, bob, content: ContentHash(a: 0, b: 0, c: 0, d: 1))
        #expect(stage.engine.settledBlobs.map(\.isKept) == [true, true, false])
    }

    @Test func `the answer to the blob port waits for what it shows, and tells no more than it must`() throws {
        let stage = Stage()
        let ada = stage.signUp("ada")
        let signedIn = stage.ask(stage.connect(), "AUTH ada correct horse")
        let secret = try #require(signedIn.first?.field("token"))
        store(stage, ada)
        stage.sync()
        let shown = try #require(stage.takeReplies(ada).last?.field("blob"))
        let id = try #require(BlobID(shown.utf8))
        let port = ConnectionKey(loop: 0, slot: 99, generation: 1)
        stage.say(ada, "SEND #lobby hi")
        for (id, token) in [(id, secret), (id, "none"), (BlobID(high: 0, low: 0), secret), (nil, secret)] {
            stage.handle(.blobAsked(port, .read(id, self.token(token))))
        }
        #expect(answers(stage, 0) == [])
        stage.sync()
        #expect(answers(stage, 0) == ["readable n.png", "badToken", "notFound", "notFound"])
    }

    @Test func `after the journal has failed, health says so, and who waits hears it`() throws {
        let stage = Stage()
        let ada = stage.signUp("ada")
        let port = ConnectionKey(loop: 0, slot: 99, generation: 1)
        stage.handle(.blobAsked(port, .health))
        store(stage, ada)
        stage.handle(.blobAsked(port, .health))
        try stage.failJournal()
        stage.handle(.blobAsked(port, .health))
        #expect(answers(stage, 0) == ["healthy", "readOnly", "readOnly"])
        #expect(stage.takeReplies(ada).last?.hasPrefix("ERR INTERNAL") == true)
        store(stage, ada)
        stage.say(ada, "PUT-BLOB size=1 type=a/b")
        #expect(stage.takeReplies(ada).filter { $0.hasPrefix("ERR INTERNAL") }.count == 2)
    }
}
