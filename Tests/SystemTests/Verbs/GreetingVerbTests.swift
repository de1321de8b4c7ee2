import ChatTesting
import Testing

@Suite("HELLO, HELP, PING and LIMITS")
struct GreetingVerbTests {
    /// Verbs that this server knows.
    static let built = [
        "HELLO", "HELP", "PING", "BYE", "LIMITS", "SIGNUP", "AUTH", "LOGOUT", "WHOAMI", "CREATE", "JOIN", "LEAVE",
        "INVITE", "CONVS",
        "LIST", "MEMBERS", "SEND", "HISTORY", "SUB", "UNSUB", "SUBS",
        "PASSWD", "PUT-BLOB", "BLOB", "BLOBS", "DEL-BLOB", "SEARCH", "PUT-ITEM", "ITEM", "ITEMS", "DEL-ITEM",
    ]
    /// Verbs of the control socket, and such as there are none.
    static let elsewhere = ["ADMIN", "FROB"]

    @Test(arguments: [1, 2])
    func `HELLO takes the client's name and language, before and after signing in`(loops: Int) throws {
        let scene = try Scene(loops)
        try scene.daemon.client().ok("HELLO client=test/1 lang=en")
        let ann = try scene.user()
        try ann.ok("HELLO")
        try ann.ok(#"HELLO client="a test" lang=ar"#)
        try ann.expectRefusal("HELLO frob=1", "BAD-ARG", field: "frob")
    }

    @Test(arguments: [1, 2])
    func `HELP has a row for every verb that is there, and none for one that is not`(loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        let reply = try client.ok("HELP")
        #expect(reply["n"] == String(reply.rows.count))
        #expect(reply.rows.allSatisfy { $0.kind == "help" && $0["verb"] != nil && $0.text?.isEmpty == false })
        let named = Set(reply.rows.compactMap { $0["verb"]?.uppercased().split(separator: " ").first.map(String.init) })
        for verb in Self.built { #expect(named.contains(verb), "HELP lacks \(verb)") }
        #expect(named.isDisjoint(with: Self.elsewhere))
    }

    @Test(arguments: [1, 2])
    func `HELP for one verb tells of that verb, whatever its case`(loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        for verb in Self.built {
            let rows = try client.rows("HELP \(verb.lowercased())")
            #expect(!rows.isEmpty && rows.allSatisfy { $0.kind == "help" }, "\(verb)")
        }
        #expect(try client.request("HELP FROB").final.isRefusal)
    }

    @Test(arguments: [1, 2])
    func `PING answers its word`(loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        #expect(try client.ok("PING a.b:c-d")["pong"] == "a.b:c-d")
        try client.ok("PING")
        #expect(try client.ok("PING wörter")["pong"] == "wörter")
        #expect(try client.ok("PING a\"b")["pong"] == "a\"b")
    }

    @Test(arguments: [1, 2])
    func `LIMITS shows the numbers that can bite, with their use`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        _ = try scene.room(of: ann)
        let reply = try ann.ok("LIMITS")
        #expect(reply["n"] == String(reply.rows.count))
        #expect(reply.rows.allSatisfy { $0.kind == "limit" && $0["key"] != nil && $0["value"] != nil })
        let values = Dictionary(uniqueKeysWithValues: reply.rows.map { ($0["key"] ?? "", $0["value"] ?? "") })
        #expect(values["limits.text"] == "4000" && values["limits.line"] == "16384")
    }

    @Test(arguments: elsewhere, [1, 2])
    func `a verb that is not there is BAD-VERB, signed in or not`(verb: String, loops: Int) throws {
        let scene = try Scene(loops)
        try scene.daemon.client().expectRefusal("\(verb) x", "BAD-VERB")
        try scene.guest().expectRefusal("\(verb) #lobby 1 x", "BAD-VERB")
    }

    @Test(
        arguments: [
            "WHOAMI", "CREATE #x", "JOIN #lobby", "LEAVE #lobby", "INVITE #lobby ann", "CONVS", "LIST",
            "MEMBERS #lobby", "SEND #lobby hi",
            "HISTORY #lobby", "SUB #lobby", "SUB all=yes", "UNSUB #lobby", "SUBS", "PASSWD Secret456",
            "HISTORY #lobby", "SUB #lobby", "SUB all=yes", "UNSUB #lobby", "SUBS", "PUT-BLOB size=0 type=a/b",
            "BLOB b_AAAAAAAAAAAAAAAAAAAAAA",
        ],
        [1, 2]
    )
    func `before signing in everything about people and conversations is NEED-AUTH`(
        request: String,
        loops: Int
    ) throws {
        try Scene(loops).daemon.client().expectRefusal(request, "NEED-AUTH")
    }
}
