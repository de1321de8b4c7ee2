import ChatTesting
import Testing

@Suite("Every verb about people, conversations and messages")
struct PeopleVerbTests {
    private static let requests = [
        "EJECT #lobby ann", "KICK #lobby ann", "BAN #lobby ann", "UNBAN #lobby ann", "MUTE #lobby ann",
        "UNMUTE #lobby ann", "GRANT role=op #lobby ann", "TOPIC #lobby x", "DROP #lobby", "EDIT #lobby 1 x",
        "DELETE #lobby 1", "EMOTE #lobby 1 👍", "REACT #lobby 1 👍", "SEEN #lobby 1", "READ #lobby 1", "TYPING #lobby",
        "AWAY", "WHO #lobby", "SESSIONS", "PASSWD Secret123 Newpass123", "EMAIL a@example.test Secret123",
        "UNREGISTER Secret123", "PROFILE", "PROFILE ann", "USERS", "TOKEN x", "TOKENS", "TOKEN-DEL x", "BLOCK ann",
        "UNBLOCK ann", "BLOCKS", "LINK a@example.test Secret123", "EXPORT",
    ]

    @Test(arguments: requests, [1, 2])
    func `before signing in it is NEED-AUTH`(request: String, loops: Int) throws {
        try Scene(loops).daemon.client().expectRefusal(request, "NEED-AUTH")
    }

    /// A password may look like an option, so these take none, and nothing of one is ever repeated.
    private static let secret = ["PASSWD", "EMAIL", "UNREGISTER"]

    @Test(arguments: requests.filter { request in !secret.contains { request.hasPrefix($0) } }, [1, 2])
    func `an option that it does not have is BAD-ARG`(request: String, loops: Int) throws {
        let verb = request.prefix { $0 != " " }
        let text = "\(verb) frob=1\(request.dropFirst(verb.count))"
        try Scene(loops).user().expectRefusal(text, "BAD-ARG", field: "frob")
    }

    @Test(arguments: requests, [1, 2])
    func `HELP tells of it`(request: String, loops: Int) throws {
        let verb = request.prefix { $0 != " " }
        let rows = try Scene(loops).daemon.client().rows("HELP \(verb)")
        #expect(!rows.isEmpty && rows.allSatisfy { $0.kind == "help" && $0.text?.isEmpty == false })
    }
}
