import ChatTesting
import Testing

@Suite("EXPORT")
struct ExportTests {
    /// All rows, page by page.
    private func export(_ client: TestClient) throws -> [ReceivedLine] {
        var (all, after) = ([ReceivedLine](), "")
        for _ in 0..<100 {
            let page = try client.ok("EXPORT\(after)")
            #expect(page["n"] == "\(page.rows.count)" && ["yes", "no"].contains(page["more"]), "\(page)")
            all += page.rows
            guard page["more"] == "yes" else { return all }
            after = " after=\(try #require(page["next"]))"
        }
        Issue.record("pages without end")
        return all
    }

    @Test(arguments: [1, 2])
    func `it has the account, its blocks, tokens, conversations and files, and no secret`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ann.ok(#"PROFILE display="Ann A." phone=5551234 bio="about me""#)
        try ann.ok("BLOCK \(ben.user)")
        let token = try #require(try ann.ok("TOKEN my-bot")["token"])
        let blob = try ann.upload(tinyPicture, type: "image/png", "name=cat.png")["blob"] ?? "none"
        let rows = try export(ann)
        #expect(rows.allSatisfy { $0.word == "ROW" })
        let account = try #require(rows.first { $0.kind == "user" })
        #expect(
            account.has([
                "user": ann.user, "display": "Ann A.", "phone": "5551234", "email": "\(ann.user)@example.test",
                "bio": "about me",
            ]),
            "\(account)"
        )
        #expect(rows.contains { $0.kind == "block" && $0["user"] == ben.user })
        #expect(rows.contains { $0.kind == "token" && $0["label"] == "my-bot" })
        #expect(rows.contains { $0.kind == "conv" && $0["conv"] == room && $0["role"] == "owner" })
        #expect(rows.contains { $0.kind == "blob" && $0["blob"] == blob && $0["name"] == "cat.png" })
        for secret in [token, ann.token, "scrypt"] { #expect(rows.allSatisfy { !$0.raw.contains(secret) }) }
    }

    @Test(arguments: [1, 2])
    func `it has every message of one's own as it reads now, and nobody else's`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let seqs = try ["first", "second", "third"].map { try ann.ok("SEND \(room) \($0)").seq }
        try ann.ok("EDIT \(room) \(seqs[1]) edited")
        try ann.ok("DELETE \(room) \(seqs[2])")
        try ann.ok("SEND @\(ben.user) to you")
        try ben.ok("SEND \(room) not mine")
        try ben.ok("SEND @\(ann.user) not mine")
        let rows = try export(ann).filter { $0.kind == "msg" }
        #expect(Set(rows.compactMap(\.text)) == ["first", "edited", "to you"])
        #expect(rows.allSatisfy { $0["by"] == ann.user && $0["conv"] != nil && $0.seq > 0 })
    }

    @Test(arguments: [1, 2])
    func `much of it comes in pages that fit together`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        _ = try ann.pipeline((0..<450).map { "SEND \(room) m\($0)" })
        #expect(try ann.ok("EXPORT")["more"] == "yes")
        let texts = try export(ann).filter { $0.kind == "msg" }.compactMap(\.text)
        #expect(difference(texts, (0..<450).map { "m\($0)" }) == nil)
    }

    @Test(arguments: [1, 2])
    func `a guest may have it, one who has not signed in may not, and what is no place in it is BAD-ARG`(
        loops: Int
    ) throws {
        let scene = try Scene(loops)
        let guest = try scene.guest()
        try guest.ok("SEND #lobby a guest's own words")
        #expect(try export(guest).contains { $0.text == "a guest's own words" })
        try guest.expectRefusal("EXPORT after=nonsense", "BAD-ARG", field: "after")
        try guest.expectRefusal("EXPORT frob=1", "BAD-ARG", field: "frob")
        try scene.daemon.client().expectRefusal("EXPORT", "NEED-AUTH")
    }
}
