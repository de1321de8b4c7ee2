import ChatTesting
import Testing

@Suite("Sessions of an account are bounded")
struct SessionLimitTests {
    @Test(arguments: [1, 2])
    func `a session that gives way to a newer one ends on its connections`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)", "limits.sessions=3"]))
        let first = try daemon.user("ann")
        let later = try (0..<3).map { _ in
            let client = try daemon.client()
            try client.ok("AUTH ann Secret123")
            return client
        }
        #expect(try first.line().raw.hasPrefix("EV auth state=signed-out "))
        let bye = try first.line()
        #expect(bye.word == "BYE" && bye.raw.hasPrefix("BYE BAD-AUTH"))
        for client in later { #expect(try client.ok("WHOAMI")["user"] == "ann") }
        try daemon.client().expectRefusal("AUTH token=\(first.token)", "BAD-AUTH")
    }
}
