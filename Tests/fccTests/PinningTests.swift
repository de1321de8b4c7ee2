import ChatClient
import Foundation
import Testing

extension FccTests {
    @Suite("Certificate pinning")
    struct PinningTests {
        private let fcc: Fcc

        init() throws {
            fcc = try Fcc()
            fcc.environment["FCC_PASSWORD"] = "Secret123"
        }

        private static let login: ScriptedServer.Script = { c in
            try c.greet()
            let tag = try c.expect("AUTH ada")
            try c.say("ASK \(tag) password - type it")
            try c.expect("Secret123")
            try c.say("OK \(tag) user=ada token=secret unread=0")
        }

        @Test func `Without a terminal an unknown certificate is refused with words how to accept it`() throws {
            let server = try ScriptedServer { c in
                if let line = try c.hear() { throw ScriptedConnection.Unexpected(description: line) }
            }
            let run = try fcc.run("--server", server.address, "login", "ada")
            #expect(run.code == 4)
            #expect(run.err.contains("--fingerprint \(server.fingerprint)"))
            #expect(run.out.isEmpty)
            #expect(fcc.profileText().isEmpty)
            #expect(server.stop().isEmpty, "nothing is sent")
        }

        @Test func `A named fingerprint is accepted in any form and remembered for its owner alone`() throws {
            let server = try ScriptedServer(Self.login)
            let bare = server.fingerprint.lowercased().replacingOccurrences(of: ":", with: "")
            let run = try fcc.run("login", "--fingerprint", bare, "ada", "--server", server.address)
            #expect(run.code == 0, "\(run.err)")
            #expect(run.out == "signed in as ada at \(server.address)\n")
            #expect(fcc.profileText().contains(server.fingerprint))
            let file = try FileManager.default.attributesOfItem(atPath: fcc.profile().path)
            #expect(file[.posixPermissions] as? Int == 0o600)
            let folder = try FileManager.default.attributesOfItem(
                atPath: fcc.profile().deletingLastPathComponent().path
            )
            #expect(folder[.posixPermissions] as? Int == 0o700)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: fcc.profile().deletingLastPathComponent().path
            )
            #expect(names == ["default.json"], "no temporary file is left")
            #expect(server.stop().isEmpty)
        }

        @Test func `Another certificate than the named one is refused`() throws {
            let server = try ScriptedServer { c in try c.untilGone() }
            let other = String(repeating: "AB:", count: 31) + "CD"
            let run = try fcc.run("login", "--fingerprint", other, "ada", "--server", server.address)
            #expect(run.code == 4)
            #expect(run.err.contains(server.fingerprint))
            #expect(server.stop().isEmpty)
        }

        @Test func `A changed certificate is refused loudly and nothing is sent`() throws {
            let server = try ScriptedServer { c in
                if let line = try c.hear() { throw ScriptedConnection.Unexpected(description: "heard \(line)") }
            }
            let known = String(repeating: "AB:", count: 31) + "CD"
            try fcc.signIn(at: server, pin: known)
            let run = try fcc.run("send", "#lobby", "hi")
            #expect(run.code == 4)
            #expect(run.err.contains("HAS CHANGED"))
            #expect(run.err.contains(known) && run.err.contains(server.fingerprint))
            #expect(fcc.profileText().contains(known), "the old pin stays")
            #expect(server.stop().isEmpty)
        }

        @Test func `A changed certificate can be accepted by naming it`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try c.say("OK \(try c.expect("WHOAMI")) user=ada display=\"Ada L.\" guest=no")
            }
            try fcc.signIn(at: server, pin: String(repeating: "AB:", count: 31) + "CD")
            let run = try fcc.run("whoami", "--fingerprint", server.fingerprint)
            #expect(run.code == 0, "\(run.err)")
            #expect(run.out == "ada (Ada L.) at \(server.address)\n")
            #expect(fcc.profileText().contains(server.fingerprint))
            #expect(server.stop().isEmpty)
        }

        @Test func `The token goes to no other server`() throws {
            let server = try ScriptedServer { c in try c.untilGone() }
            try fcc.signIn(at: server)
            let other = try ScriptedServer { c in try c.untilGone() }
            let run = try fcc.run("--server", other.address, "--fingerprint", other.fingerprint, "whoami")
            #expect(run.code == 5)
            #expect(other.servedCount == 0)
            #expect(server.stop().isEmpty && other.stop().isEmpty)
        }
    }
}
