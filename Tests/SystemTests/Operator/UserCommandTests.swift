import ChatTesting
import Foundation
import Testing

@Suite("fcd user and fcd invite beside a running daemon", .timeLimit(.minutes(10)))
struct UserCommandTests {
    private func fcd(_ daemon: RunningDaemon, _ words: String...) throws -> FcdRun {
        try FcdRun(words, data: daemon.data)
    }

    private func json(_ run: FcdRun) throws -> [String: String] {
        #expect(run.code == 0 && run.lines.count == 1, "\(run)")
        return try JSONDecoder().decode([String: String].self, from: Data(run.output.utf8))
    }

    @Test func `add makes an account and prints a code, with which its owner sets a password`() throws {
        let daemon = try RunningDaemon()
        let made = try json(try fcd(daemon, "user", "add", "ann", "ann@example.test", "--json"))
        let code = try #require(made["code"])
        #expect(made["user"] == "ann")
        let ann = try daemon.client()
        #expect(try ann.ok("AUTH ann@example.test \(code)")["user"] == "ann")
        #expect(try ann.event("auth")?["state"] == "password-needed")
        try ann.expectRefusal("WHOAMI", "DENIED")
        try ann.ok("PASSWD Secret123")
        try ann.ok("SEND #lobby hello")
        try daemon.restart()
        try daemon.client().ok("AUTH ann Secret123")
        try daemon.client().expectRefusal("AUTH ann \(code)", "BAD-AUTH")
    }

    @Test func `add says the code in plain words as well, and works where nobody can sign up`() throws {
        let daemon = try RunningDaemon(.init(settings: ["auth.signup=closed"]))
        let run = try fcd(daemon, "user", "add", "ann", "ann@example.test")
        #expect(run.code == 0)
        let words = run.output.split { $0.isWhitespace }.map(String.init)
        #expect(try words.contains { try daemon.client().request("AUTH ann \($0)").isOK }, "\(run)")
    }

    @Test func `what is taken or malformed is refused, with the code and the field`() throws {
        let daemon = try RunningDaemon()
        _ = try daemon.user("ann")
        for (name, mail, words) in [
            ("ANN", "new@example.test", "EXISTS (name)"), ("ben", "ANN@example.test", "EXISTS (email)"),
            ("ab", "ab@example.test", "BAD-ARG (name)"), ("ben", "nomail", "BAD-ARG (email)"),
        ] {
            let run = try fcd(daemon, "user", "add", name, mail)
            #expect(run.code == 1 && run.errors.contains(words), "\(name) \(mail): \(run)")
        }
        #expect(try fcd(daemon, "user", "list", "--json").lines.count == 1)
    }

    @Test func `list, disable, enable, reset, promote and delete do what their verbs do`() throws {
        let daemon = try RunningDaemon()
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        let seq = try ben.ok("SEND #lobby oblivion").seq
        #expect(try fcd(daemon, "user", "list").output.contains("ben@example.test"))
        #expect(try fcd(daemon, "user", "disable", "ben").code == 0)
        try daemon.client().expectRefusal("AUTH ben Secret123", "DENIED")
        #expect(try fcd(daemon, "user", "enable", "ben").code == 0)
        try daemon.client().ok("AUTH ben Secret123")
        let code = try #require(try json(try fcd(daemon, "user", "reset", "ben", "--json"))["code"])
        try daemon.client().ok("AUTH ben \(code)")
        #expect(try fcd(daemon, "user", "promote", "ann").code == 0)
        #expect(try ann.roles(in: "#lobby").contains("ann op"))
        #expect(try fcd(daemon, "user", "delete", "ben").code == 0)
        #expect(try ann.message(seq, in: "#lobby")["by"] == "deleted")
        #expect(try !fcd(daemon, "user", "list").output.contains("ben"))
        for action in ["promote", "delete"] {
            let run = try fcd(daemon, "user", action, "nobody-here")
            #expect(run.code == 1 && run.errors.contains("NOT-FOUND"), "\(action): \(run)")
        }
    }

    @Test func `invite prints a code that lets somebody sign up`() throws {
        let daemon = try RunningDaemon(.init(settings: ["auth.signup=invite"]))
        let code = try #require(try json(try fcd(daemon, "invite", "--json"))["code"])
        try daemon.client().ok("SIGNUP invite=\(code) name=ann ann@example.test Secret123")
        let double = try #require(
            try json(try fcd(daemon, "invite", "--uses", "2", "--expires", "1d", "--json"))["code"]
        )
        for name in ["ben", "cat"] {
            try daemon.client().ok("SIGNUP invite=\(double) name=\(name) \(name)@example.test Secret123")
        }
        let plain = try fcd(daemon, "invite")
        #expect(plain.code == 0 && !plain.output.isEmpty)
        let wrong = try fcd(daemon, "invite", "--uses", "0")
        #expect([1, 2].contains(wrong.code) && wrong.errors.contains("uses"), "\(wrong)")
    }

    @Test func `without a daemon they say why not and change nothing`() throws {
        let daemon = try RunningDaemon()
        _ = try daemon.user("ann")
        #expect(daemon.terminate() == 0)
        for words in [
            ["user", "add", "ben", "ben@example.test"], ["user", "promote", "ann"], ["user", "delete", "ann"],
            ["invite"],
        ] {
            let run = try FcdRun(words, data: daemon.data)
            #expect(run.code == 1 && run.errors.contains("no daemon runs on \(daemon.data)"), "\(words): \(run)")
        }
        try daemon.start()
        try daemon.client().ok("AUTH ann Secret123")
    }

    @Test(
        arguments: [
            (["user", "add"], "user add NAME EMAIL"), (["user", "add", "ann"], "user add NAME EMAIL"),
            (["user", "promote"], "user promote USER"), (["user", "delete"], "user delete USER"),
            (["user", "delete", "ann", "ben"], "ben"), (["invite", "ann"], "ann"),
            (["invite", "--use", "2"], "--uses"),
        ]
    )
    func `wrong usage ends with 2 and names what is wrong`(words: [String], named: String) throws {
        let run = try FcdRun(words)
        #expect(run.code == 2 && run.errors.contains(named), "\(run)")
    }
}
