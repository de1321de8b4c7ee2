import ChatClient
import Testing
import Wire

@Suite("Commands of fcc that are one request")
struct RequestCommandTests {
    private func line(_ words: [String]) throws -> String? {
        guard case .request(let command) = try Invocation(words).command else { return nil }
        return command.request.line()
    }

    @Test(
        arguments: [
            (["users"], "USERS"), (["users", "ad"], "USERS ad"), (["list", "gar"], "LIST gar"),
            (["create", "#den"], "CREATE #den"),
            (
                ["create", "--private", "--title", "A \"quiet\" room", "#den"],
                #"CREATE private=yes title="A \"quiet\" room" #den"#
            ),
            (["join", "#den"], "JOIN #den"), (["leave", "#den"], "LEAVE #den"),
            (["invite", "#den", "@bob"], "INVITE #den bob"), (["members", "@bob"], "MEMBERS @bob"),
            (["who", "#den"], "WHO #den"), (["eject", "#den", "bob"], "EJECT #den bob"),
            (["eject", "#den", "bob", "be  nice"], "EJECT #den bob be  nice"),
            (["ban", "#den", "bob", "a\nb"], #"BAN text="a\u000ab" #den bob"#),
            (["unban", "#den", "bob"], "UNBAN #den bob"),
            (["mute", "#den", "bob", "--for", "10m"], "MUTE for=10m #den bob"),
            (["mute", "#den", "bob"], "MUTE #den bob"),
            (["unmute", "#den", "bob"], "UNMUTE #den bob"), (["grant", "op", "#den", "bob"], "GRANT role=op #den bob"),
            (["topic", "#den", "tea at five"], "TOPIC #den tea at five"),
            (["topic", "#den", ""], #"TOPIC text="" #den"#),
            (["drop", "#den"], "DROP #den"), (["edit", "#den", "42", "k=v"], "EDIT #den 42 k=v"),
            (["delete", "#den", "42"], "DELETE #den 42"), (["react", "#den", "42", "👍"], "EMOTE #den 42 👍"),
            (["react", "--off", "#den", "42", "👍"], "EMOTE off=yes #den 42 👍"),
            (["seen", "#den", "42"], "SEEN #den 42"),
            (["profile"], "PROFILE"), (["profile", "@bob"], "PROFILE bob"),
            (["profile", "--display", "Ada L.", "--bio="], #"PROFILE display="Ada L." bio="""#),
            (["passwd"], "PASSWD"), (["email", "a@b.test"], "EMAIL a@b.test"),
            (["link", "--name", "gina", "g@b.test"], "LINK name=gina g@b.test"), (["unregister"], "UNREGISTER"),
            (["sessions"], "SESSIONS"),
            (["token", "--scope", "read,send", "--expires=30d", "ci"], "TOKEN scope=read,send expires=30d ci"),
            (["tokens"], "TOKENS"), (["token-del", "t_1"], "TOKEN-DEL t_1"), (["block", "bob"], "BLOCK bob"),
            (["unblock", "bob"], "UNBLOCK bob"), (["blocks"], "BLOCKS"), (["export"], "EXPORT"),
        ] as [([String], String)]
    )
    func `Words and options become the request`(_ words: [String], _ request: String) throws {
        #expect(try line(words) == request + "\n")
    }

    @Test(arguments: [
        ["create"], ["create", "den"], ["create", "--off", "#den"], ["join", "#a", "#b"], ["join", "#a b"],
        ["edit", "#a", "x", "text"], ["edit", "#a", "1"], ["edit", "#a", "1", "two", "words"],
        ["edit", "#a", "+1", "x"],
        ["delete", "#a", "99999999999999999999"], ["seen", "#a", "-1"], ["react", "#a", "1", "a b"],
        ["invite", "#a", ""],
        ["topic", "#a"], ["grant", "op", "#a"], ["grant", "#a", "bob", "op"], ["profile", "bob", "--bio", "x"],
        ["profile", "bob", "--avatar", "x"], ["token", "a=b"], ["mute", "#a", "bob", "--expires", "1d"],
        ["passwd", "x"],
        ["email"], ["login"], ["login", "ada", "--anonymous"], ["users", "a", "b"],
        ["unregister", "--new-password-file", "x"],
    ])
    func `Wrong usage is refused with words`(_ words: [String]) {
        #expect(throws: UsageFault.self) { try Invocation(words) }
    }

    @Test func `A text of several words is asked for in quotes`() {
        #expect(throws: UsageFault("usage: fcc topic #NAME TEXT (a text of several words goes in quotes)")) {
            try Invocation(["topic", "#a", "tea", "at", "five"])
        }
    }

    @Test func `Signing up takes a profile along, and a guest needs no name`() throws {
        let words = ["signup", "a@b.test", "--phone", "1 2", "--name", "ada", "--invite", "c", "--display", "Ada"]
        let options = [("name", "ada"), ("display", "Ada"), ("phone", "1 2"), ("invite", "c")]
        #expect(
            try Invocation(words).command
                == .signup(email: "a@b.test", options: options.map { Request.Option($0.0, $0.1) })
        )
        #expect(try Invocation(["login", "--anonymous"]).command == .loginAnonymous)
    }

    @Test func `Pages of an export go on where the OK says`() throws {
        guard case .request(let command) = try Invocation(["export"]).command else { return }
        var pager = ListPager(command.request, pages: command.pages)
        #expect(pager.next()?.line() == "EXPORT limit=200\n")
        pager.take(rows: [], end: try #require(ServerLine("OK n=0 more=yes next=1.7")))
        #expect(pager.next()?.line() == "EXPORT limit=200 after=1.7\n")
        pager.take(rows: [], end: try #require(ServerLine("OK n=0 more=yes next=1.7")))
        #expect(pager.next() == nil, "it led nowhere")
    }
}
