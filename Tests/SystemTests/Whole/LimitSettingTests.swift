import ChatTesting
import Testing

@Suite("Limits set by the operator")
struct LimitSettingTests {
    private func daemon(_ settings: String...) throws -> RunningDaemon { try RunningDaemon(.init(settings: settings)) }

    @Test func `a conversation over those one may own or be in is LIMIT, and leaving makes room`() throws {
        let daemon = try daemon("limits.conversations-owned=2", "limits.conversations-joined=3")
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        for name in ["#a1", "#a2"] { try ann.ok("CREATE \(name)") }
        try ann.expectRefusal("CREATE #a3", "LIMIT")
        for name in ["#b1", "#b2"] { try ben.ok("CREATE \(name)") }
        try ben.ok("JOIN #a1")
        try ben.expectRefusal("JOIN #a2", "LIMIT")
        try ben.ok("LEAVE #a1")
        try ben.ok("JOIN #a2")
        try ann.ok("LEAVE #a1")
        try ann.ok("CREATE #a3")
    }

    @Test func `a subscription over those of a connection is LIMIT, moving one is not`() throws {
        let daemon = try daemon("limits.subscriptions=2")
        let ann = try daemon.user("ann")
        for name in ["#a1", "#a2", "#a3"] { try ann.ok("CREATE \(name)") }
        try ann.ok("SUB #a1")
        try ann.ok("SUB #a2")
        try ann.expectRefusal("SUB #a3", "LIMIT")
        try ann.ok("SUB since=0 #a1")
        try ann.ok("UNSUB #a1")
        try ann.ok("SUB #a3")
        try daemon.another(of: ann).ok("SUB #a1")
    }

    @Test func `of sessions over the limit the oldest ends`() throws {
        let daemon = try daemon("limits.sessions=2")
        let ann = try daemon.user("ann")
        let tokens = try (0..<2).map { _ in try daemon.client().ok("AUTH ann Secret123")["token"] ?? "" }
        try daemon.client().expectRefusal("AUTH token=\(ann.token)", "BAD-AUTH")
        for token in tokens { try daemon.client().ok("AUTH token=\(token)") }
    }

    @Test func `of nonces over the limit the oldest is forgotten, also after kill -9`() throws {
        let daemon = try daemon("limits.nonces=3")
        let ann = try daemon.user("ann")
        for number in 0..<4 { try ann.ok("SEND nonce=n\(number) #lobby \(number)") }
        try daemon.restart()
        let again = try daemon.another(of: ann)
        #expect(try again.ok("SEND nonce=n1 #lobby 1")["dup"] == "yes")
        #expect(try again.ok("SEND nonce=n0 #lobby 0")["dup"] == nil)
    }

    @Test func `with sign-up by invitation no address signs up without a code, nor with a made-up one`() throws {
        let daemon = try daemon("auth.signup=invite")
        let client = try daemon.client()
        for option in ["", "invite=nonsense "] {
            let line = try client.refusal("SIGNUP \(option)name=ann ann@example.test Secret123")
            #expect(["DENIED", "BAD-ARG", "NOT-FOUND", "BAD-AUTH"].contains(line.code), "\(line)")
        }
        try client.expectRefusal("AUTH ann Secret123", "BAD-AUTH")
    }

    @Test func `the rule of three classes takes shorter passwords and refuses longer simple ones`() throws {
        let daemon = try daemon("auth.password-rule=classes6")
        let client = try daemon.client()
        for password in ["Abc12", "abcdefgh1", "ABCDEFGH1", "Abcdefghi"] {
            try client.expectRefusal("SIGNUP name=ann ann@example.test \(password)", "BAD-ARG", field: "password")
        }
        try client.ok("SIGNUP name=ann ann@example.test Abcd12")
    }
}
