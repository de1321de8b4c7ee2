import ChatCore
import ChatModel
import ChatTesting
import Engine
import Testing

@Suite("Signed links") struct BlobLinkTests {
    private let stage: Stage
    private let ada, bob, desk: ConnectionKey
    private let id: String

    /// An upload of ada's that bob may read by a message in `#den`.
    init() throws {
        stage = Stage()
        (ada, bob, desk) = (stage.signUp("ada"), stage.signUp("bob"), stage.operatorConnection())
        _ = stage.ask(ada, "CREATE #den")
        _ = stage.ask(bob, "JOIN #den")
        id = try stage.upload(ada)
        _ = stage.ask(ada, "SEND blob=\(id) #den look")
    }

    private func link(_ key: ConnectionKey, _ time: String = "1h") throws -> SignedLink {
        let reply = try #require(stage.ask(key, "BLOB link=\(time) \(id)").first)
        return try Self.link(reply.field("url"), try #require(BlobID(id.utf8)))
    }

    private static func link(_ url: String, _ id: BlobID) throws -> SignedLink {
        let parts = url.split(whereSeparator: { "?&=".contains($0) })
        let at = try #require(parts.firstIndex(of: "exp"))
        return SignedLink(
            blob: id,
            expires: try #require(UInt64(parts[at + 1])),
            signature: try #require(LinkSignature(hex: parts[at + 3]))
        )
    }

    private func isGood(_ link: SignedLink) -> Bool { stage.port(.follow(link, nil)) == id }

    @Test func `who may read makes one, and it shows the file to anybody until its time is over`() throws {
        let link = try link(bob, "1s")
        #expect(isGood(link))
        stage.now += 999
        #expect(isGood(link))
        stage.now += 1001
        #expect(!isGood(link))
        #expect(stage.ask(stage.signUp("eve"), "BLOB link=1h \(id)").first?.hasPrefix("ERR NOT-FOUND") == true)
    }

    @Test func `a changed one shows nothing: another id, another time, another signature, another server's`() throws {
        let link = try link(ada)
        let other = try #require(BlobID(try stage.upload(ada, content: 2).utf8))
        let digits = link.signature.hex
        let flipped = try #require(LinkSignature(hex: (digits.first == "0" ? "1" : "0") + digits.dropFirst()))
        let last = try #require(LinkSignature(hex: digits.dropLast() + (digits.last == "0" ? "1" : "0")))
        for changed in [
            SignedLink(blob: other, expires: link.expires, signature: link.signature),
            SignedLink(blob: link.blob, expires: link.expires + 1, signature: link.signature),
            SignedLink(blob: link.blob, expires: link.expires - 1, signature: link.signature),
            SignedLink(blob: link.blob, expires: link.expires, signature: flipped),
            SignedLink(blob: link.blob, expires: link.expires, signature: last),
        ] {
            #expect(stage.port(.follow(changed, nil)) == "notFound")
        }
        let elsewhere = Stage(seed: 77)
        #expect(elsewhere.port(.follow(link, nil)) == "notFound")
        #expect(LinkSignature(hex: digits.uppercased()) == nil && LinkSignature(hex: digits + "0") == nil)
    }

    @Test func `it lives on after its maker was put out, and after a restart`() throws {
        let link = try link(bob)
        _ = stage.ask(ada, "EJECT #den bob")
        #expect(!stage.mayRead(id, bob) && isGood(link))
        var content = try stage.recovered(through: .max)
        try content.finishRecovery()
        let again = Stage(content: content, seed: 9)
        #expect(again.port(.follow(link, nil)) == id)
    }

    @Test(
        arguments: [
            "ada: DEL-BLOB ID", "desk: ADMIN DEL-BLOB ID", "ada: DELETE #den 3", "desk: ADMIN DELETE #den 3",
            "ada: DROP #den", "desk: ADMIN DROP #den", "ada: BLOB links=no ID", "desk: ADMIN RETAIN max=0 #den",
        ] as [String]
    )
    func `it ends with the upload, its message or conversation, and by links=no; also after a restart`(act: String)
        throws
    {
        let link = try link(bob)
        let request = String(act.split(separator: " ", maxSplits: 1)[1]).replacing("ID", with: id)
        if request.hasPrefix("ADMIN RETAIN") {
            _ = stage.ask(desk, "ADMIN RETAIN max=1 #den")
            _ = stage.ask(ada, "SEND #den pushes it out")
        } else {
            #expect(stage.ask(act.hasPrefix("ada") ? ada : desk, request).last?.hasPrefix("OK") == true)
        }
        #expect(!isGood(link))
        var content = try stage.recovered(through: .max)
        try content.finishRecovery()
        #expect(Stage(content: content, seed: 9).port(.follow(link, nil)) == "notFound")
    }

    @Test func `the end of a conversation ends links also to what lives on elsewhere, and new ones are good`() throws {
        _ = stage.ask(ada, "SEND blob=\(id) @bob too")
        let link = try link(bob)
        _ = stage.ask(ada, "DROP #den")
        #expect(!isGood(link) && stage.mayRead(id, bob))
        let records = try stage.records.suffix(2)
        #expect(records.map(\.kind) == ["drop", "end-links"] && records.first?.together == true)
        #expect(isGood(try self.link(bob)))
    }

    @Test func `erasing its owner ends it`() throws {
        let link = try link(bob)
        stage.unregister(ada)
        #expect(!isGood(link))
    }

    @Test func `only who put it here ends links`() throws {
        let link = try link(bob)
        #expect(stage.ask(bob, "BLOB links=no \(id)").first?.hasPrefix("ERR DENIED") == true)
        let eve = stage.signUp("eve")
        #expect(stage.ask(eve, "BLOB links=no \(id)").first?.hasPrefix("ERR NOT-FOUND") == true && isGood(link))
        #expect(stage.ask(ada, "BLOB links=no \(id)").first?.hasPrefix("OK blob=\(id) ") == true && !isGood(link))
        #expect(stage.mayRead(id, bob))
    }

    @Test func `with a link that is not good the token counts`() throws {
        let link = try link(ada)
        let wrong = SignedLink(blob: link.blob, expires: 1, signature: link.signature)
        let secret = try #require(stage.ask(stage.connect(), "AUTH ada correct horse").first?.field("token"))
        let other = try #require(
            stage.ask(stage.connect(), "SIGNUP name=eve e@e.test correct horse").first?.field("token")
        )
        func ask(_ token: String) -> String { stage.port(.follow(wrong, SeededRandomness.hash(of: token))) }
        #expect(ask(secret) == id && ask(other) == "notFound" && ask("none") == "badToken")
    }

    @Test func `it waits for what it shows`() throws {
        stage.say(bob, "BLOB link=1h \(id)")
        stage.say(ada, "SEND #den hi")
        stage.say(bob, "BLOB link=1h \(id)")
        #expect(stage.takeReplies(bob).count == 1)
        stage.sync()
        #expect(stage.takeReplies(bob).count == 1)
    }
}
