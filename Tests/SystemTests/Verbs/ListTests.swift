import ChatTesting
import Testing

@Suite("CONVS, LIST and MEMBERS")
struct ListTests {
    @Test(arguments: [1, 2])
    func `CONVS lists mine, newest activity first, with what a list needs`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let first = try scene.room(of: ann, ben)
        let second = try scene.room(of: ann, isPrivate: true, ben)
        for text in ["one", "two"] { try ann.ok("SEND \(first) \(text)") }
        try ann.ok("SEND @\(ben.user) \(String(repeating: "é", count: 100))")
        let last = try ann.ok("SEND \(first) three")
        let reply = try ben.ok("CONVS")
        let rows = reply.rows
        #expect(reply["n"] == String(rows.count) && reply["more"] == "no" && rows.allSatisfy { $0.kind == "conv" })
        let pair =
            "@" + [ann.user, ben.user].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: ",")
        #expect(rows.compactMap { $0["conv"] }.filter { $0 != "#lobby" } == [first, pair, second])
        let row = try #require(rows.first { $0["conv"] == first })
        #expect(row["last-seq"] == String(last.seq) && row["last-ts"] == last["ts"] && row["last-kind"] == "msg")
        #expect(row["preview"] == "three" && row["unread"] == "3" && row["role"] == "member")
        #expect(rows.first { $0["conv"] == pair }?["preview"] == String(repeating: "é", count: 80))
        let quiet = try #require(rows.first { $0["conv"] == second })
        #expect(quiet["last-kind"] == "join" && quiet["unread"] == "0")
        #expect(rows.contains { $0["conv"] == "#lobby" })
    }

    @Test(arguments: [1, 2])
    func `own messages are never unread, and sending reads what was there`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        func unread(_ client: TestClient) throws -> String? {
            try client.rows("CONVS").first { $0["conv"] == room }?["unread"]
        }
        for number in 0..<4 { try ann.ok("SEND \(room) \(number)") }
        #expect(try unread(ann) == "0")
        #expect(try unread(ben) == "4")
        try ben.ok("SEND \(room) answer")
        #expect(try unread(ben) == "0")
        #expect(try unread(ann) == "1")
    }

    @Test(arguments: [1, 2])
    func `unread counts from one's joining`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann)
        for number in 0..<4 { try ann.ok("SEND \(room) \(number)") }
        try ben.ok("JOIN \(room)")
        #expect(try ben.rows("CONVS").first { $0["conv"] == room }?["unread"] == "0")
    }

    @Test(arguments: [1, 2])
    func `CONVS pages with after= and limit=`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let rooms = try (0..<5).map { _ in try scene.room(of: ann) }
        let whole = try ann.rows("CONVS").compactMap { $0["conv"] }
        var paged: [String] = []
        var after = ""
        for _ in 0..<10 {
            let page = try ann.ok("CONVS \(after)limit=2")
            paged += page.rows.compactMap { $0["conv"] }
            #expect(page["n"] == String(page.rows.count) && page.rows.count <= 2)
            guard page["more"] == "yes", let last = paged.last else { break }
            after = "after=\(last) "
        }
        // Others write in the lobby meanwhile, so that its place may change.
        #expect(paged.filter { $0 != "#lobby" } == whole.filter { $0 != "#lobby" } && Set(rooms).isSubset(of: paged))
    }

    @Test(arguments: [1, 2])
    func `LIST shows public conversations by prefix, and no private ones`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let stem = scene.roomName("Zoo")
        for suffix in ["-a", "-b", "-c"] { try ann.ok("CREATE \(stem)\(suffix)") }
        try ann.ok("CREATE private=yes \(stem)-p")
        let reply = try ben.ok("LIST \(stem)-")
        #expect(reply.rows.map { $0["conv"] } == ["-a", "-b", "-c"].map { stem + $0 })
        #expect(reply["n"] == "3" && reply["more"] == "no" && reply.rows.allSatisfy { $0.kind == "conv" })
        #expect(try ben.rows("LIST \(stem.lowercased())-").count == 3)
        #expect(try ben.rows("LIST limit=200").allSatisfy { $0["conv"]?.hasSuffix("-p") == false })
        #expect(try ben.ok("LIST #nothing-begins-like-this")["n"] == "0")
    }

    @Test(arguments: [1, 2])
    func `LIST pages with after= and limit=`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let stem = scene.roomName("page")
        for suffix in ["-a", "-b", "-c"] { try ann.ok("CREATE \(stem)\(suffix)") }
        let first = try ann.ok("LIST limit=2 \(stem)-")
        #expect(first.rows.map { $0["conv"] } == ["\(stem)-a", "\(stem)-b"] && first["more"] == "yes")
        let second = try ann.ok("LIST after=\(stem)-b limit=2 \(stem)-")
        #expect(second.rows.map { $0["conv"] } == ["\(stem)-c"] && second["more"] == "no")
    }

    @Test(arguments: [1, 2])
    func `MEMBERS of a public conversation is for any account, of a private one for members`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben, eve) = (try scene.user(), try scene.user("ben"), try scene.user("eve"))
        let (open, closed) = (try scene.room(of: ann, ben), try scene.room(of: ann, isPrivate: true, ben))
        for (client, room) in [(ann, open), (eve, open), (ben, closed)] {
            let reply = try client.ok("MEMBERS \(room)")
            #expect(Set(reply.rows.compactMap { $0["user"] }) == [ann.user, ben.user])
            #expect(reply["n"] == "2" && reply["more"] == "no" && reply.rows.allSatisfy { $0.kind == "member" })
        }
        try eve.expectRefusal("MEMBERS \(closed)", "NOT-FOUND")
    }

    @Test(arguments: [1, 2])
    func `MEMBERS pages with after= and limit=`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben, cat) = (try scene.user(), try scene.user("ben"), try scene.user("cat"))
        let room = try scene.room(of: ann, ben, cat)
        let whole = try ann.rows("MEMBERS \(room)").compactMap { $0["user"] }
        let first = try ann.ok("MEMBERS limit=2 \(room)")
        #expect(first.rows.compactMap { $0["user"] } == Array(whole.prefix(2)) && first["more"] == "yes")
        let second = try ann.ok("MEMBERS after=\(whole[1]) \(room)")
        #expect(second.rows.compactMap { $0["user"] } == [whole[2]] && second["more"] == "no")
    }

    @Test(
        arguments: [
            ("CONVS limit=201", "limit"), ("CONVS limit=x", "limit"), ("LIST limit=201", "limit"),
            ("LIST frob=1", "frob"),
            ("LIST limit=05", "limit"), ("MEMBERS limit=201 #lobby", "limit"), ("MEMBERS frob=1 #lobby", "frob"),
        ],
        [1, 2]
    )
    func `a bad option is BAD-ARG`(option: (text: String, field: String), loops: Int) throws {
        try Scene(loops).user().expectRefusal(option.text, "BAD-ARG", field: option.field)
    }
}
