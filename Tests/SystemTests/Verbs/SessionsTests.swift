import ChatTesting
import Testing

@Suite("SESSIONS")
struct SessionsTests {
    @Test(arguments: [1, 2])
    func `it lists every session of one's own once, however many connections it has`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let second = try scene.daemon.client()
        try second.ok("AUTH \(ann.user) Secret123")
        _ = try scene.daemon.another(of: ann)
        let reply = try ann.ok("SESSIONS")
        #expect(reply["n"] == "2" && reply.rows.count == 2 && reply.rows.allSatisfy { $0.kind == "session" })
        #expect(Set(reply.rows.compactMap { $0["id"] }).count == 2)
        #expect(Set(try second.rows("SESSIONS").compactMap { $0["id"] }) == Set(reply.rows.compactMap { $0["id"] }))
        #expect(try ben.rows("SESSIONS").count == 1)
    }

    @Test(arguments: [1, 2])
    func `it shows no token`(loops: Int) throws {
        let ann = try Scene(loops).user()
        #expect(try ann.rows("SESSIONS").allSatisfy { !$0.raw.contains(ann.token) })
    }

    @Test(arguments: [1, 2])
    func `a session that was ended is listed no more`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let second = try scene.daemon.client()
        try second.ok("AUTH \(ann.user) Secret123")
        try second.ok("LOGOUT")
        #expect(try ann.rows("SESSIONS").count == 1)
    }

    @Test(arguments: [1, 2])
    func `a TOKEN is no session`(loops: Int) throws {
        let ann = try Scene(loops).user()
        try ann.ok("TOKEN bot")
        #expect(try ann.rows("SESSIONS").count == 1)
    }
}
