import ChatTesting
import Testing

@Suite("Sign-up by invitation: ADMIN INVITE", .timeLimit(.minutes(10)))
struct InvitationTests {
    private func daemon(_ loops: Int) throws -> RunningDaemon {
        try RunningDaemon(.init(settings: ["loops=\(loops)", "auth.signup=invite"]))
    }

    private func code(_ daemon: RunningDaemon, _ options: String = "") throws -> String {
        try #require(try daemon.operatorClient().ok("ADMIN INVITE \(options)")["code"])
    }

    private func signUp(_ name: String, _ code: String) -> String {
        "SIGNUP invite=\(code) name=\(name) \(name)@example.test Secret123"
    }

    @Test(arguments: [1, 2])
    func `without a code, or with a wrong one, sign-up is DENIED`(loops: Int) throws {
        let daemon = try daemon(loops)
        let client = try daemon.client()
        try client.expectRefusal("SIGNUP name=ann ann@example.test Secret123", "DENIED", field: "invite")
        try client.expectRefusal(signUp("ann", "nonsense"), "DENIED", field: "invite")
        #expect(try client.ok(signUp("ann", try code(daemon)))["user"] == "ann")
    }

    @Test(arguments: [1, 2])
    func `a code is good for one, or for as many as it says`(loops: Int) throws {
        let daemon = try daemon(loops)
        let single = try code(daemon)
        try daemon.client().ok(signUp("ann", single))
        try daemon.client().expectRefusal(signUp("ben", single), "DENIED", field: "invite")
        let triple = try code(daemon, "uses=3")
        for name in ["cat", "dan", "eve"] { try daemon.client().ok(signUp(name, triple)) }
        try daemon.client().expectRefusal(signUp("fay", triple), "DENIED", field: "invite")
    }

    @Test(arguments: [1, 2])
    func `a refused sign-up uses nothing up`(loops: Int) throws {
        let daemon = try daemon(loops)
        let code = try code(daemon)
        let client = try daemon.client()
        try client.expectRefusal("SIGNUP invite=\(code) name=ab ab@example.test Secret123", "BAD-ARG", field: "name")
        try client.expectRefusal("SIGNUP invite=\(code) name=ann ann@x.test short", "BAD-ARG", field: "password")
        try client.ok(signUp("ann", code))
    }

    @Test(arguments: [1, 2])
    func `of ten that use one code at once exactly one gets in`(loops: Int) throws {
        let daemon = try daemon(loops)
        let code = try code(daemon)
        let clients = try (0..<10).map { _ in try daemon.client() }
        for (number, client) in clients.enumerated() { try client.send("@x \(signUp("user\(number)", code))\n") }
        let replies = try clients.map { try $0.reply(to: "x") }
        #expect(replies.count { $0.isOK } == 1 && replies.count { $0.code == "DENIED" } == 9)
    }

    @Test(arguments: [1, 2])
    func `a code ends with its time, by default after seven days`(loops: Int) throws {
        let daemon = try daemon(loops)
        let usual = try daemon.operatorClient().ok("ADMIN INVITE")
        let week = try #require(seconds(from: daemon.client().hi?["time"], to: usual["expires"]))
        #expect(abs(week - 7 * 86_400) < 60)
        let short = try daemon.operatorClient().ok("ADMIN INVITE expires=1s")
        #expect(
            try holds(within: 10, every: 0.1) {
                seconds(from: short["expires"], to: try daemon.client().hi?["time"]).map { $0 > 0 } ?? false
            }
        )
        try daemon.client().expectRefusal(signUp("ann", short["code"] ?? ""), "DENIED", field: "invite")
        try daemon.client().ok(signUp("ann", try #require(usual["code"])))
    }

    @Test func `codes and what is left of them are there after kill -9 and after a snapshot`() throws {
        let daemon = try daemon(2)
        let (used, double) = (try code(daemon), try code(daemon, "uses=3"))
        for (name, code) in [("ann", used), ("ben", double)] { try daemon.client().ok(signUp(name, code)) }
        for name in ["cat", "dan"] {
            if name == "dan" { try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30) }
            try daemon.restart()
            try daemon.client().expectRefusal(signUp("fay", used), "DENIED", field: "invite")
            try daemon.client().ok(signUp(name, double))
        }
        try daemon.client().expectRefusal(signUp("eve", double), "DENIED", field: "invite")
    }

    @Test(arguments: [1, 2])
    func `a guest does not get round it by LINK`(loops: Int) throws {
        let daemon = try daemon(loops)
        let guest = try daemon.client()
        try guest.ok("AUTH anonymous=yes")
        try guest.expectRefusal("LINK name=gina gina@example.test Secret123", "DENIED")
    }

    @Test func `where sign-up is open a code is not looked at`() throws {
        let name = SharedDaemon.name("ann")
        try SharedDaemon.with(loops: 2).client().ok(signUp(name, "nonsense"))
    }

    @Test(
        arguments: [
            ("uses=0", "uses"), ("uses=x", "uses"), ("uses=01", "uses"), ("expires=7", "expires"),
            ("expires=soon", "expires"), ("frob=1", "frob"), ("word", nil),
        ] as [(String, String?)]
    )
    func `a wrong request is BAD-ARG and names what is wrong`(options: String, field: String?) throws {
        try SharedDaemon.with(loops: 2).operatorClient().expectRefusal(
            "ADMIN INVITE \(options)",
            "BAD-ARG",
            field: field
        )
    }
}
