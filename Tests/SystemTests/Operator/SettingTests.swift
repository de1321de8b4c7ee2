import ChatTesting
import Glibc
import Testing

@Suite("ADMIN SET and GET, and the settings at a reload", .timeLimit(.minutes(10)))
struct SettingTests {
    private func value(_ key: String, _ admin: TestClient) throws -> ReceivedLine {
        try #require(try admin.rows("ADMIN GET \(key)").first)
    }

    @Test(arguments: [1, 2])
    func `a SET counts at once, everybody is told, and new connections are greeted with it`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, idle) = (try daemon.user("ann"), try daemon.client())
        let admin = try daemon.operatorClient()
        let reply = try admin.ok("ADMIN SET limits.text 10")
        #expect(reply["key"] == "limits.text" && reply["value"] == "10" && reply["from"] == "SET")
        for client in [ann, idle, admin] {
            #expect(try client.event("config", ["key": "limits.text", "value": "10"]) != nil)
        }
        try ann.expectRefusal("SEND #lobby 12345678901", "TOO-LONG", field: "text")
        #expect(try daemon.client().hi?["text"] == "10")
        try admin.ok("ADMIN SET auth.anonymous off")
        #expect(try daemon.client().hi?["auth"] == "password,token")
        try daemon.client().expectRefusal("AUTH anonymous=yes", "DENIED")
        try admin.ok("ADMIN SET auth.signup closed")
        try daemon.client().expectRefusal("SIGNUP name=ben ben@example.test Secret123", "DENIED")
        try admin.ok("ADMIN SET auth.password-rule classes6")
        try admin.ok("ADMIN SET auth.signup open")
        try daemon.client().ok("SIGNUP name=ben ben@example.test Abcd12")
        try admin.ok("ADMIN SET auth.anonymous on")
        let guest = try daemon.client()
        try guest.ok("AUTH anonymous=yes")
        try guest.expectRefusal("CREATE #x", "DENIED")
        try admin.ok("ADMIN SET auth.anonymous-create on")
        try guest.ok("CREATE #x")
    }

    @Test func `limits.rate switches the back-off of sign-ins off and on`() throws {
        let daemon = try RunningDaemon(.init(settings: ["limits.sign-ins=1"]))
        _ = try daemon.user("ann")
        let admin = try daemon.operatorClient()
        func waits() throws -> Bool {
            let client = try daemon.client()
            return try (0..<8).contains { Int(try client.refusal("AUTH ann Wrong\($0)234")["retry"] ?? "") != nil }
        }
        #expect(try !waits())
        try admin.ok("ADMIN SET limits.rate on")
        #expect(try waits())
        try admin.ok("ADMIN SET limits.rate off")
        try daemon.client().ok("AUTH ann Secret123")
    }

    @Test func `a SET survives kill -9, wins over file and command line, and UNSET takes it back`() throws {
        let file = ConfigurationFile()
        try file.write("{ limits: { text: 100 } }")
        let daemon = try RunningDaemon(.init(arguments: ["--config", file.path]))
        #expect(try value("limits.text", daemon.operatorClient())["from"] == file.path)
        try daemon.operatorClient().ok("ADMIN SET limits.text 50")
        try file.write("{ limits: { text: 200 } }")
        try daemon.restart()
        let admin = try daemon.operatorClient()
        #expect(try value("limits.text", admin).has(["value": "50", "from": "SET", "live": "yes"]))
        #expect(try daemon.client().hi?["text"] == "50")
        try admin.ok("ADMIN SET limits.text 60")
        try daemon.restart()
        #expect(try daemon.client().hi?["text"] == "60")
        let again = try daemon.operatorClient()
        #expect(try again.ok("ADMIN UNSET limits.text")["value"] == "200")
        #expect(try again.event("config", ["key": "limits.text", "value": "200"]) != nil)
        try daemon.restart()
        #expect(try daemon.client().hi?["text"] == "200")
    }

    @Test(arguments: [
        ("limits.text 0", "BAD-ARG", "value"), ("limits.text 10001", "BAD-ARG", "value"),
        ("limits.text many", "BAD-ARG", "value"), ("limits.text 010", "BAD-ARG", "value"),
        ("auth.signup maybe", "BAD-ARG", "value"), ("limits.txt 5", "BAD-ARG", "key"), ("loops 2", "CONFLICT", "key"),
        ("tls.key /x", "CONFLICT", "key"), ("listen.chat 127.0.0.1:0", "CONFLICT", "key"),
    ])
    func `what is out of range, unknown or not live is refused and changes nothing`(
        words: String,
        code: String,
        field: String
    ) throws {
        let admin = try SharedDaemon.with(loops: 2).operatorClient()
        let before = try admin.rows("ADMIN GET").map(\.pairs.description)
        try admin.expectRefusal("ADMIN SET \(words)", code, field: field)
        #expect(try admin.rows("ADMIN GET").map(\.pairs.description) == before)
    }

    @Test func `an unknown setting is answered with the nearest one`() throws {
        let line = try SharedDaemon.with(loops: 1).operatorClient().refusal("ADMIN SET limits.txt 5")
        #expect(line.human?.contains("limits.text") == true)
    }

    @Test func `GET shows every setting with its value and source`() throws {
        let daemon = try RunningDaemon(.init(settings: ["limits.line=2048"]))
        let rows = try daemon.operatorClient().rows("ADMIN GET")
        #expect(rows.count > 40 && rows.allSatisfy { $0.kind == "setting" && $0["from"] != nil && $0["live"] != nil })
        let line = try #require(rows.first { $0["key"] == "limits.line" })
        #expect(line.has(["value": "2048", "from": "--set", "live": "no"]))
    }

    @Test func `at a reload live settings apply and are announced, others are named as waiting for a restart`() throws {
        let file = ConfigurationFile()
        try file.write("{ limits: { text: 100 } }")
        let daemon = try RunningDaemon(.init(arguments: ["--config", file.path]))
        let ann = try daemon.user("ann")
        let admin = try daemon.operatorClient()
        try file.write("{ limits: { text: 120, line: 2048 }, auth: { anonymous: 'off' } }")
        daemon.process?.signal(SIGHUP)
        #expect(try ann.event("config", ["key": "limits.text", "value": "120"]) != nil)
        let hi = try daemon.client().hi
        #expect(hi?["text"] == "120" && hi?["auth"] == "password,token" && hi?["line"] == "16384")
        #expect(holds(within: 5) { daemon.errors.contains("taken at a restart only settings=limits.line") })
        #expect(try value("limits.line", admin).has(["value": "16384", "after-restart": "2048"]))
        try file.write("{}")
        daemon.process?.signal(SIGHUP)
        #expect(try ann.event("config", ["key": "limits.text", "value": "4000"]) != nil)
    }

    @Test func `a SET wins over the file at a reload, too`() throws {
        let file = ConfigurationFile()
        try file.write("{ limits: { text: 100 } }")
        let daemon = try RunningDaemon(.init(arguments: ["--config", file.path]))
        let admin = try daemon.operatorClient()
        try admin.ok("ADMIN SET limits.text 50")
        try file.write("{ limits: { text: 70 }, auth: { signup: 'closed' } }")
        daemon.process?.signal(SIGHUP)
        #expect(try holds(within: 5) { try value("auth.signup", admin)["value"] == "closed" })
        #expect(try value("limits.text", admin)["value"] == "50")
        #expect(try daemon.client().hi?["text"] == "50")
    }
}
