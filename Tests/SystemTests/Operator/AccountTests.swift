import ChatTesting
import Testing

@Suite("ADMIN USERS and USER", .timeLimit(.minutes(10)))
struct OperatorAccountTests {
    @Test func `USERS lists accounts with what the operator may see, by prefix and in pages`() throws {
        let daemon = try RunningDaemon()
        for number in 1...5 { _ = try daemon.user("ann\(number)") }
        _ = try daemon.user("ben")
        let admin = try daemon.operatorClient()
        let rows = try admin.rows("ADMIN USERS ANN")
        #expect(rows.map { $0["user"] } == (1...5).map { "ann\($0)" })
        #expect(
            rows.first?.has(["email": "ann1@example.test", "guest": "no", "disabled": "no", "sessions": "1"]) == true
        )
        var (seen, after) = ([String](), "")
        while true {
            let page = try admin.ok("ADMIN USERS \(after)limit=2")
            seen += page.rows.compactMap { $0["user"] }
            guard page["more"] == "yes", let last = seen.last else { break }
            after = "after=\(last) "
        }
        #expect(seen == (1...5).map { "ann\($0)" } + ["ben"])
        #expect(!rows.contains { $0.raw.contains("scrypt") })
    }

    @Test(arguments: [1, 2])
    func `disable ends the sessions and lets nobody in until enable, also after kill -9`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let ann = try daemon.user("ann")
        let other = try daemon.another(of: ann)
        try daemon.operatorClient().ok("ADMIN USER disable ANN")
        for client in [ann, other] {
            #expect(try client.event("auth")?["state"] == "signed-out")
            #expect(client.isEnded(within: 5))
        }
        for _ in 0..<2 {
            try daemon.client().expectRefusal("AUTH ann Secret123", "DENIED")
            try daemon.client().expectRefusal("AUTH ann Wrong1234", "BAD-AUTH")
            try daemon.client().expectRefusal("AUTH token=\(ann.token)", "BAD-AUTH")
            #expect(try daemon.operatorClient().rows("ADMIN USERS ann").first?["disabled"] == "yes")
            try daemon.restart()
        }
        try daemon.operatorClient().ok("ADMIN USER enable ann@example.test")
        try daemon.client().ok("AUTH ann Secret123")
    }

    @Test func `end-sessions ends tokens and connections, and the password goes on`() throws {
        let daemon = try RunningDaemon()
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        try daemon.operatorClient().ok("ADMIN USER end-sessions ann")
        #expect(ann.isEnded(within: 5))
        try daemon.client().expectRefusal("AUTH token=\(ann.token)", "BAD-AUTH")
        try daemon.client().ok("AUTH ann Secret123")
        try ben.ok("PING still")
    }

    @Test(arguments: [1, 2])
    func `reset ends password and sessions, and its code signs in once, to set a password and nothing else`(
        loops: Int
    ) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let ann = try daemon.user("ann")
        let code = try #require(try daemon.operatorClient().ok("ADMIN USER reset ann")["code"])
        #expect(ann.isEnded(within: 5))
        try daemon.client().expectRefusal("AUTH token=\(ann.token)", "BAD-AUTH")
        try daemon.client().expectRefusal("AUTH ann Secret123", "BAD-AUTH")
        try daemon.restart()
        let new = try daemon.client()
        let token = try #require(try new.ok("AUTH ann \(code)")["token"])
        #expect(try new.event("auth")?["state"] == "password-needed")
        for request in ["WHOAMI", "SEND #lobby x", "SUB #lobby", "CONVS", "HISTORY #lobby", "JOIN #x"] {
            try new.expectRefusal(request, "DENIED")
        }
        try new.expectRefusal("AUTH ann \(code)", "CONFLICT")
        try daemon.client().expectRefusal("AUTH ann \(code)", "BAD-AUTH")
        let second = try daemon.client()
        try second.ok("AUTH token=\(token)")
        try second.expectRefusal("WHOAMI", "DENIED")
        try new.expectRefusal("PASSWD short", "BAD-ARG", field: "password")
        try new.expectRefusal("PASSWD ann", "BAD-ARG", field: "password")
        try new.ok("PASSWD key=value and blanks ")
        try new.ok("WHOAMI")
        try new.ok("SEND #lobby back again")
        try daemon.client().ok("AUTH ann key=value and blanks ")
        try daemon.client().expectRefusal("AUTH ann \(code)", "BAD-AUTH")
        try new.expectRefusal("PASSWD Secret456 Secret789", "BAD-AUTH", field: "password")
        try daemon.restart()
        try daemon.client().ok("AUTH ann key=value and blanks ")
        try daemon.client().ok("AUTH token=\(token)")
    }

    @Test func `PASSWD without a password asks, and the answer is taken whole`() throws {
        let daemon = try RunningDaemon()
        _ = try daemon.user("ann")
        let code = try #require(try daemon.operatorClient().ok("ADMIN USER reset ann")["code"])
        let client = try daemon.client()
        try client.ok("AUTH ann \(code)")
        #expect(try client.request("PASSWD").final.word == "ASK")
        try client.send("  with blanks \n")
        while try client.line().word != "OK" {}
        try daemon.client().ok("AUTH ann   with blanks ")
    }

    @Test func `a second reset makes the first code and what came of it void`() throws {
        let daemon = try RunningDaemon()
        _ = try daemon.user("ann")
        let admin = try daemon.operatorClient()
        let first = try #require(try admin.ok("ADMIN USER reset ann")["code"])
        let client = try daemon.client()
        try client.ok("AUTH ann \(first)")
        let second = try #require(try admin.ok("ADMIN USER reset ann")["code"])
        #expect(client.isEnded(within: 5))
        try daemon.client().expectRefusal("AUTH ann \(first)", "BAD-AUTH")
        let new = try daemon.client()
        try new.ok("AUTH ann \(second)")
        try new.ok("LOGOUT")
        try new.expectRefusal("PASSWD Secret456", "NEED-AUTH")
        try new.expectRefusal("AUTH ann \(second)", "BAD-AUTH")
    }

    @Test func `what was disabled, reset and SET is in a snapshot, too`() throws {
        let daemon = try RunningDaemon()
        for name in ["ann", "ben", "cat"] { _ = try daemon.user(name) }
        let admin = try daemon.operatorClient()
        try admin.ok("ADMIN SET limits.text 50")
        try admin.ok("ADMIN USER disable ann")
        let code = try #require(try admin.ok("ADMIN USER reset ben")["code"])
        let spent = try #require(try admin.ok("ADMIN USER reset cat")["code"])
        try daemon.client().ok("AUTH cat \(spent)")
        try admin.ok("ADMIN SNAPSHOT", within: 30)
        try admin.ok("ADMIN SNAPSHOT", within: 30)
        try daemon.restart()
        #expect(try daemon.client().hi?["text"] == "50")
        try daemon.client().expectRefusal("AUTH ann Secret123", "DENIED")
        try daemon.client().expectRefusal("AUTH cat \(spent)", "BAD-AUTH")
        let ben = try daemon.client()
        try ben.ok("AUTH ben \(code)")
        try ben.expectRefusal("WHOAMI", "DENIED")
        try ben.ok("PASSWD Secret456")
        try daemon.operatorClient().ok("ADMIN UNSET limits.text")
        try daemon.operatorClient().ok("ADMIN USER enable ann")
        try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30)
        try daemon.restart()
        #expect(try daemon.client().hi?["text"] == "4000")
        try daemon.client().ok("AUTH ann Secret123")
        try daemon.client().ok("AUTH ben Secret456")
    }

    @Test(arguments: ["disable", "enable", "end-sessions", "reset"])
    func `somebody unknown is NOT-FOUND`(action: String) throws {
        try SharedDaemon.with(loops: 1).operatorClient().expectRefusal(
            "ADMIN USER \(action) nobody-here",
            "NOT-FOUND",
            field: "user"
        )
    }

    @Test func `a guest has no password to reset, and is disabled for good`() throws {
        let scene = try Scene(2)
        let admin = try scene.daemon.operatorClient()
        for isKnown in [false, true] {
            let guest = try scene.guest()
            if isKnown { try guest.ok("SEND #lobby hi") }
            try admin.expectRefusal("ADMIN USER reset \(guest.user)", "CONFLICT", field: "user")
            try admin.ok("ADMIN USER disable \(guest.user)")
            #expect(guest.isEnded(within: 5))
            try scene.daemon.client().expectRefusal("AUTH token=\(guest.token)", "BAD-AUTH")
        }
    }
}
