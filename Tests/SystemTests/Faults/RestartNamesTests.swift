import ChatTesting
import Testing

/// What is accepted must be read back at the next start: one name that is not would keep the daemon from starting.
@Suite("No name keeps the daemon from starting again")
struct RestartNamesTests {
    @Test(arguments: [1, 2])
    func `an invited guest that did nothing yet is known after a restart`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let ann = try daemon.user("ann")
        let guest = try daemon.client()
        let token = try guest.ok("AUTH anonymous=yes")
        try ann.ok("CREATE private=yes #c1")
        try ann.ok("INVITE #c1 \(token["user"] ?? "")")
        try daemon.restart()
        let again = try daemon.client()
        #expect(try again.ok("AUTH token=\(token["token"] ?? "")")["user"] == token["user"])
        try again.ok("JOIN #c1")
    }

    @Test(arguments: [1, 2])
    func `a guest that was written to and did nothing yet is known after a restart`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let ann = try daemon.user("ann")
        let guest = try daemon.client()
        let token = try guest.ok("AUTH anonymous=yes")
        try ann.ok("SEND @\(token["user"] ?? "") hello")
        try daemon.restart()
        let again = try daemon.client()
        #expect(try again.ok("AUTH token=\(token["token"] ?? "")")["user"] == token["user"])
        #expect(try again.rows("HISTORY @ann").map(\.text) == ["hello"])
    }

    @Test(arguments: ["aaa\u{d4e}", "\u{e33}abc", "aaa\u{111c2}", "a\u{1f3fb}b", "\u{1160}abc"])
    func `signs that make one character with a comma or a number sign do no harm`(name: String) throws {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        let other = try daemon.client()
        if try other.request("SIGNUP name=\(name) other@example.test Secret123").isOK {
            try ann.ok("SEND @\(name) hello")
        }
        let isMade = try ann.request("CREATE #\(name)").isOK
        try daemon.restart()
        let again = try daemon.another(of: ann)
        if isMade { try again.ok("SEND #\(name) still here") }
        #expect(try again.ok("WHOAMI")["user"] == "ann")
    }

    @Test(arguments: ["\u{1f3fb}room", "\u{1f3ff}abc", "\u{200c}abc", "\u{301}abc", "\u{3099}abc"])
    func `a name does not begin with what joins the sign before it`(name: String) throws {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        try ann.expectRefusal("CREATE #\(name)", "BAD-ARG", field: "conv")
        try daemon.client().expectRefusal("SIGNUP name=\(name) x@example.test Secret123", "BAD-ARG", field: "name")
    }
}
