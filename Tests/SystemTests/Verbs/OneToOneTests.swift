import ChatTesting
import Testing

@Suite("1:1")
struct OneToOneTests {
    private func pair(_ a: TestClient, _ b: TestClient) -> String {
        "@" + [a.user, b.user].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: ",")
    }

    @Test(arguments: [1, 2])
    func `it has one canonical name for both, and answers to every way of writing it`(loops: Int) throws {
        let scene = try Scene(loops)
        let (zed, ben) = (try scene.user("zed"), try scene.user("Ben"))
        let name = pair(zed, ben)
        #expect(try zed.ok("SEND @\(ben.user) one")["conv"] == name)
        #expect(try ben.ok("SEND @\(zed.user.uppercased()) two")["conv"] == name)
        #expect(try ben.ok("SEND \(name) three")["conv"] == name)
        #expect(try zed.rows("HISTORY @\(ben.user)").map(\.text) == ["one", "two", "three"])
        #expect(try ben.ok("SUB \(name)")["conv"] == name)
    }

    @Test(arguments: [1, 2])
    func `before the first message it can be read and is empty`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        #expect(try ann.ok("HISTORY @\(ben.user)")["n"] == "0")
        let reply = try ann.ok("SUB @\(ben.user)")
        #expect(reply["next"] == "1" && reply["conv"] == pair(ann, ben))
        #expect(try ben.rows("CONVS").allSatisfy { $0["conv"] == "#lobby" })
        let sent = try ben.ok("SEND @\(ann.user) hello")
        #expect(sent.seq == 2)
        #expect(try ann.event("create")?.seq == 1)
        let message = try #require(try ann.event("msg"))
        #expect(message.seq == 2 && message["by"] == ben.user && message["conv"] == pair(ann, ben))
    }

    @Test(arguments: [1, 2])
    func `two who open it at once get the same one`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        try ann.send("@x SEND @\(ben.user) from-ann\n")
        try ben.send("@x SEND @\(ann.user) from-ben\n")
        let seqs = [try ann.reply(to: "x").seq, try ben.reply(to: "x").seq]
        #expect(seqs.sorted() == [2, 3])
        #expect(Set(try ann.allTexts(of: "@\(ben.user)")) == ["from-ann", "from-ben"])
    }

    @Test(arguments: [1, 2])
    func `with oneself it is BAD-ARG, with nobody NOT-FOUND`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        for request in ["SEND @\(ann.user) x", "SUB @\(ann.user.uppercased())", "HISTORY @\(ann.user)"] {
            try ann.expectRefusal(request, "BAD-ARG")
        }
        for request in ["SEND @nobody-has-this x", "SUB @nobody-has-this", "HISTORY @nobody-has-this"] {
            try ann.expectRefusal(request, "NOT-FOUND")
        }
    }

    @Test(arguments: [1, 2])
    func `a third cannot tell it from one that does not exist`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben, eve) = (try scene.user(), try scene.user("ben"), try scene.user("eve"))
        try ann.ok("SEND @\(ben.user) secret")
        for verb in ["SEND %@ x", "HISTORY %@", "SUB since=0 %@", "MEMBERS %@", "JOIN %@"] {
            let hidden = try eve.request(verb.replacing("%@", with: pair(ann, ben)))
            let missing = try eve.request(verb.replacing("%@", with: "@\(ann.user),nobody-has-this"))
            #expect(
                hidden.final.isRefusal && hidden.code == missing.code && hidden.final.human == missing.final.human,
                "\(hidden)"
            )
        }
    }

    @Test(arguments: [1, 2])
    func `both find it in CONVS, newest first, with the other's text as preview`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        try ann.ok("SEND @\(ben.user) just you")
        for client in [ann, ben] {
            let row = try #require(try client.rows("CONVS").first { $0["conv"] == pair(ann, ben) })
            #expect(row["preview"] == "just you" && row["last-seq"] == "2")
        }
        #expect(try ben.event("conv", ["conv": pair(ann, ben)]) != nil)
    }
}
