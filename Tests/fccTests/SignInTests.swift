import Foundation
import Testing

extension FccTests {
    @Suite("Signing in and out")
    struct SignInTests {
        private let fcc: Fcc

        init() throws { fcc = try Fcc() }

        @Test func `Signing up sends the name and asks for nothing on the line`() throws {
            let server = try ScriptedServer { c in
                try c.greet()
                let tag = try c.expect("SIGNUP name=ada ada@example.test")
                try c.say("ASK \(tag) password - type it")
                try c.expect("  blanks and all ")
                try c.say("OK \(tag) user=ada token=t-1")
            }
            let file = fcc.home.appendingPathComponent("password")
            try Data("  blanks and all \r\nsecond line\n".utf8).write(to: file)
            let run = try fcc.run(
                "signup",
                "--name",
                "ada",
                "ada@example.test",
                "--password-file",
                file.path,
                "--json",
                "--server",
                server.address,
                "--fingerprint",
                server.fingerprint
            )
            #expect(run.code == 0, "\(run.err)")
            #expect(run.out == "{\"kind\":\"ok\",\"user\":\"ada\"}\n")
            #expect(fcc.profileText().contains("t-1"))
            #expect(server.stop().isEmpty)
        }

        @Test func `A wrong password is the server's refusal`() throws {
            let server = try ScriptedServer { c in
                try c.greet()
                let tag = try c.expect("AUTH ada")
                try c.say("ASK \(tag) password - type it")
                try c.expect("Wrong1234")
                try c.say("ERR \(tag) BAD-AUTH retry=no - no such name and password")
            }
            fcc.environment["FCC_PASSWORD"] = "Wrong1234"
            let run = try fcc.run("login", "ada", "--server", server.address, "--fingerprint", server.fingerprint)
            #expect(run.code == 1)
            #expect(run.err.contains("fcc: BAD-AUTH: no such name and password"))
            #expect(!fcc.profileText().contains("token"))
            #expect(server.stop().isEmpty)
        }

        @Test func `Without a terminal a password must come from elsewhere`() throws {
            let server = try ScriptedServer { c in
                if let line = try c.hear() { throw ScriptedConnection.Unexpected(description: line) }
            }
            let run = try fcc.run("login", "ada", "--server", server.address, "--fingerprint", server.fingerprint)
            #expect(run.code == 2)
            #expect(run.err.contains("FCC_PASSWORD"))
            #expect(server.stop().isEmpty)
        }

        @Test func `Signing out ends the session and forgets the token, not the server`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try c.say("OK \(try c.expect("LOGOUT"))")
            }
            try fcc.signIn(at: server)
            let run = try fcc.run("logout")
            #expect(run.code == 0, "\(run.err)")
            #expect(!fcc.profileText().contains("secret"))
            #expect(fcc.profileText().contains(server.fingerprint))
            #expect(try fcc.run("whoami").code == 5)
            #expect(server.stop().isEmpty)
        }

        @Test func `A token that is dead is not signed in, and is forgotten by signing out`() throws {
            let server = try ScriptedServer { c in
                try c.greet()
                try c.say("ERR \(try c.expect("AUTH token=secret")) BAD-AUTH retry=no - no such token")
            }
            try fcc.signIn(at: server)
            let run = try fcc.run("convs")
            #expect(run.code == 5)
            #expect(run.err.contains("fcc login"))
            #expect(try fcc.run("logout").code == 0)
            #expect(!fcc.profileText().contains("secret"))
            #expect(server.stop().isEmpty)
        }

        @Test func `Profiles are apart from each other`() throws {
            let server = try ScriptedServer { c in try c.untilGone() }
            try fcc.signIn(at: server)
            #expect(try fcc.run("--profile", "bot", "whoami").code == 5)
            #expect(server.stop().isEmpty)
        }

        @Test func `A damaged profile is named`() throws {
            try FileManager.default.createDirectory(
                at: fcc.home.appendingPathComponent("fcc"),
                withIntermediateDirectories: true
            )
            try Data("{".utf8).write(to: fcc.profile())
            let run = try fcc.run("whoami")
            #expect(run.code == 2)
            #expect(run.err.contains("default.json"))
        }

        @Test func `Nobody there is no connection`() throws {
            fcc.environment["FCC_PASSWORD"] = "Secret123"
            #expect(try fcc.run("login", "ada", "--server", "127.0.0.1:1").code == 3)
        }

        @Test func `Words that would become another request are wrong usage`() throws {
            fcc.environment["FCC_PASSWORD"] = "Secret123"
            let run = try fcc.run("login", "ada\nLOGOUT", "--server", "127.0.0.1:1")
            #expect(run.code == 2)
        }
    }
}
