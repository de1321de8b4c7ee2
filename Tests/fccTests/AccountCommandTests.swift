import ChatTesting
import Foundation
import Testing

extension FccTests {
    @Suite("One's account, at a real server")
    struct AccountCommandTests {
        private let fcc: Fcc
        private let daemon: RunningDaemon
        private let ada: TestClient

        init() throws {
            fcc = try Fcc()
            daemon = try SharedDaemon.with(loops: 2)
            ada = try daemon.user(SharedDaemon.name("ada"))
            try fcc.signIn(ada, at: daemon)
        }

        /// Whether this password signs in.
        private func opens(_ who: String, _ password: String) throws -> Bool {
            try daemon.client().request("AUTH \(who) \(password)").isOK
        }

        @Test func `A profile is shown and changed, with a picture from a file, and fields are taken away`() throws {
            try fcc.succeed("profile", "--display", "Ada L. 🎈", "--phone", "12345", "--bio", "hello")
            let bob = try daemon.user(SharedDaemon.name("bob"))
            #expect(try bob.ok("PROFILE \(ada.user)")["display"] == "Ada L. 🎈")
            let own = try fcc.succeed("profile")
            #expect(own.hasPrefix("user: \(ada.user)\ndisplay: Ada L. 🎈\nbio: hello\n"), "\(own)")
            #expect(own.contains("\nphone: 12345\n") && own.contains("\nemail: \(ada.user)@example.test\n"))
            try fcc.succeed("profile", "--bio", "")
            #expect(try ada.ok("PROFILE")["bio"] == nil)
            let picture = fcc.home.appendingPathComponent("me.png")
            // The smallest PNG: one grey pixel.
            let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
            try #require(Data(base64Encoded: png)).write(to: picture)
            try fcc.succeed("profile", "--avatar", picture.path)
            let blob = try #require(try ada.ok("PROFILE")["avatar"])
            try fcc.succeed("profile", "--avatar", "")
            #expect(try ada.ok("PROFILE")["avatar"] == nil)
            try fcc.succeed("profile", "--avatar", blob)
            let rows = try Fcc.objects(try fcc.succeed("users", ada.user, "--json"))
            try #require(rows.count == 1)
            #expect(rows[0]["avatar"] as? String == blob)
            #expect(rows[0]["email"] == nil && rows[0]["phone"] == nil)
        }

        @Test func `A password is changed and opens, the old one does not, and an address is changed with it`() throws {
            let (old, new) = (try fcc.file("old", "Secret123\n"), try fcc.file("new", "a better one\n"))
            let wrong = try fcc.run("passwd", "--password-file", new, "--new-password-file", new)
            #expect(wrong.code == 1 && wrong.err.hasPrefix("fcc: BAD-AUTH"), "\(wrong.err)")
            try fcc.succeed("passwd", "--password-file", old, "--new-password-file", new)
            #expect(try opens(ada.user, "a better one") && !opens(ada.user, "Secret123"))
            fcc.environment["FCC_PASSWORD"] = "a better one"
            try fcc.succeed("email", "new-\(ada.user)@example.test")
            #expect(try opens("new-\(ada.user)@example.test", "a better one"))
            #expect(try fcc.run("passwd").code == 2, "no terminal for the new one")
        }

        @Test func `Tokens are shown once, listed and ended, and sessions are too`() throws {
            let token = try fcc.succeed("token", "--scope", "read", "--expires", "30d", "ci")
            let bot = try daemon.client()
            try bot.ok("AUTH token=\(token.dropLast())")
            #expect(try bot.request("SEND #lobby x").code == "DENIED")
            let row = try #require(try Fcc.objects(try fcc.succeed("tokens", "--json")).first)
            #expect(row["label"] as? String == "ci" && row["scope"] as? String == "read")
            try fcc.succeed("token-del", try #require(row["id"] as? String))
            #expect(bot.isEnded())
            let phone = try daemon.client()
            try phone.ok("AUTH \(ada.user) Secret123")
            let sessions = try Fcc.objects(try fcc.succeed("sessions", "--json"))
            #expect(sessions.count == 2)
            let other = try #require(sessions.first { $0["current"] as? String == "no" }?["id"] as? String)
            try fcc.succeed("token-del", other)
            #expect(phone.isEnded())
        }

        @Test func `Somebody is blocked and taken back`() throws {
            let bob = try daemon.user(SharedDaemon.name("bob"))
            try fcc.succeed("block", "@" + bob.user)
            #expect(try fcc.succeed("blocks") == bob.user + "\n")
            #expect(try !bob.request("SEND @\(ada.user) hi").isOK)
            try fcc.succeed("unblock", bob.user)
            #expect(try fcc.succeed("blocks").isEmpty)
            try bob.ok("SEND @\(ada.user) hi")
        }

        @Test func `An export holds everything, over all pages`() throws {
            let room = "#" + SharedDaemon.name("room")
            try ada.ok("CREATE \(room)")
            _ = try ada.pipeline((1...210).map { "SEND \(room) message \($0)" })
            let rows = try Fcc.objects(try fcc.succeed("export", "--json"))
            #expect(rows.first?["user"] as? String == ada.user)
            let texts = rows.filter { $0["kind"] as? String == "msg" }.compactMap { $0["text"] as? String }
            #expect(texts == (1...210).map { "message \($0)" })
            #expect(try fcc.succeed("export").contains("\(room) "))
        }

        @Test func `A guest signs in without a name and becomes an account with the same messages`() throws {
            let guest = ["login", "--anonymous", "--profile", "guest"] + (try Fcc.server(daemon))
            let run = try fcc.start(guest, input: "").finish()
            #expect(run.code == 0 && run.out.contains("signed in as guest-"), "\(run.err)")
            let said = try Fcc.objects(
                try fcc.succeed("--profile", "guest", "--json", "send", "#lobby", "from a guest")
            )
            fcc.environment["FCC_PASSWORD"] = "Secret123"
            let name = SharedDaemon.name("gina")
            try fcc.succeed("--profile", "guest", "link", "--name", name, "\(name)@example.test")
            #expect(try fcc.succeed("--profile", "guest", "whoami").hasPrefix(name))
            #expect(try String(contentsOf: fcc.profile("guest"), encoding: .utf8).contains("\"\(name)\""))
            let seq = try #require(said.first?["seq"] as? Int)
            try fcc.succeed("--profile", "guest", "edit", "#lobby", "\(seq)", "from \(name)")
            #expect(try opens(name, "Secret123"))
        }

        @Test func `Unregistering wants the password, erases the account and forgets the token`() throws {
            fcc.environment["FCC_PASSWORD"] = "Wrong1234"
            #expect(try fcc.run("unregister").code == 1)
            #expect(fcc.profileText().contains(ada.token))
            fcc.environment["FCC_PASSWORD"] = "Secret123"
            #expect(try fcc.succeed("unregister") == "the account is erased\n")
            #expect(!fcc.profileText().contains(ada.token) && fcc.profileText().contains("pin"))
            #expect(try fcc.run("whoami").code == 5)
            #expect(try !opens(ada.user, "Secret123"))
        }

        @Test func `After the operator's code a new password is set at once, or later with passwd`() throws {
            let desk = try daemon.operatorClient()
            let first = try #require(try desk.ok("ADMIN USER reset \(ada.user)")["code"])
            fcc.environment["FCC_PASSWORD"] = first
            let new = try fcc.file("new", "a better one\n")
            let login = ["login", ada.user] + (try Fcc.server(daemon))
            let run = try fcc.start(login + ["--new-password-file", new], input: "").finish()
            #expect(run.code == 0 && run.err.contains("choose a password"), "\(run.err)")
            try fcc.succeed("send", "#lobby", "here again")
            #expect(try opens(ada.user, "a better one"))

            let second = try #require(try desk.ok("ADMIN USER reset \(ada.user)")["code"])
            fcc.environment["FCC_PASSWORD"] = second
            let without = try fcc.start(login, input: "").finish()
            #expect(without.code == 2 && without.err.contains("--new-password-file"), "\(without.err)")
            #expect(try fcc.run("send", "#lobby", "x").code == 1)
            try fcc.succeed("passwd", "--new-password-file", try fcc.file("third", "the third one\n"))
            try fcc.succeed("send", "#lobby", "x")
            #expect(try opens(ada.user, "the third one"))
        }

        @Test func `At a terminal no password is echoed, and the new one is asked for twice`() throws {
            let terminal = try PseudoTerminal()
            let process = try terminal.start(fcc, ["passwd"])
            _ = try terminal.read(until: "Present password: ")
            terminal.type("Secret123\n")
            _ = try terminal.read(until: "New password: ")
            terminal.type("a better one\n")
            _ = try terminal.read(until: "New password again: ")
            terminal.type("a better one\n")
            let rest = terminal.finish(process)
            #expect(process.terminationStatus == 0 && rest.contains("the password is changed"))
            #expect(!rest.contains("better"))
            #expect(try opens(ada.user, "a better one"))
        }
    }
}
