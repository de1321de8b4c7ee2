import ChatTesting
import Testing

@Suite("USERS")
struct UsersTests {
    @Test(arguments: [1, 2])
    func `it lists accounts by prefix in any case, with the public part only`(loops: Int) throws {
        let scene = try Scene(loops)
        let stem = SharedDaemon.name("Dir") + "-"
        let users = try ["b", "a", "c"].map { try scene.daemon.user(stem + $0) }
        try users[0].ok(#"PROFILE display="Second One" phone=5551234"#)
        let reply = try users[1].ok("USERS \(stem.uppercased())")
        #expect(reply.rows.map { $0["user"] } == ["a", "b", "c"].map { stem + $0 } && reply["n"] == "3")
        #expect(reply["more"] == "no" && reply.rows.allSatisfy { $0.kind == "user" })
        #expect(reply.rows[1]["display"] == "Second One" && reply.rows[0]["display"] == stem + "a")
        #expect(reply.rows.allSatisfy { !$0.raw.contains("example.test") && !$0.raw.contains("5551234") })
    }

    @Test(arguments: [1, 2])
    func `it comes in pages that fit together`(loops: Int) throws {
        let scene = try Scene(loops)
        let stem = SharedDaemon.name("page") + "-"
        let users = try (1...5).map { try scene.daemon.user("\(stem)\($0)") }
        var (seen, after) = ([String](), "")
        while true {
            let page = try users[0].ok("USERS \(after)limit=2 \(stem)")
            #expect(page.rows.count <= 2)
            seen += page.rows.compactMap { $0["user"] }
            guard page["more"] == "yes", let last = seen.last, seen.count < 10 else { break }
            after = "after=\(last) "
        }
        #expect(seen == users.map(\.user))
    }

    @Test(arguments: [1, 2])
    func `a prefix that nobody has gives an empty list`(loops: Int) throws {
        let reply = try Scene(loops).user().ok("USERS nobody-begins-like-this")
        #expect(reply["n"] == "0" && reply["more"] == "no")
    }

    @Test(arguments: [1, 2])
    func `guests may look, and are not in it`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, guest) = (try scene.user(), try scene.guest())
        try guest.ok("SEND #lobby hi")
        #expect(try guest.rows("USERS \(ann.user)").first?["user"] == ann.user)
        #expect(try ann.rows("USERS guest-").isEmpty)
    }

    @Test(
        arguments: [("limit=201", "limit"), ("limit=05", "limit"), ("limit=x", "limit"), ("frob=1", "frob")],
        [1, 2]
    )
    func `a bad option is BAD-ARG`(option: (text: String, field: String), loops: Int) throws {
        try Scene(loops).user().expectRefusal("USERS \(option.text)", "BAD-ARG", field: option.field)
    }
}
