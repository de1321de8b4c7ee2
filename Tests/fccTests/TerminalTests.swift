import Foundation
import Glibc
import SystemIO
import Testing

extension FccTests {
    @Suite("At a terminal")
    struct TerminalTests {
        private let fcc: Fcc

        init() throws { fcc = try Fcc() }

        private static let login: ScriptedServer.Script = { c in
            // A connection made to judge the certificate alone may be gone before the greeting, or after it.
            do { try c.greet() } catch is ScriptedConnection.Gone { return }
            guard let line = try c.hear() else { return }
            let tag = line.split(separator: " ")[0]
            try c.say("ASK \(tag) password - type it")
            try c.expect("Secret 123")
            try c.say("OK \(tag) user=ada token=secret unread=0")
        }

        @Test func `First contact shows the fingerprint and asks, and a password is not echoed`() throws {
            let server = try ScriptedServer(Self.login)
            let terminal = try PseudoTerminal()
            let process = try terminal.start(fcc, ["login", "ada", "--server", server.address])
            #expect(try terminal.read(until: "(yes/no) ").contains(server.fingerprint))
            terminal.type("perhaps\n")
            _ = try terminal.read(until: "(yes/no) ")
            terminal.type("yes\n")
            _ = try terminal.read(until: "Password: ")
            terminal.type("Secret 123\n")
            let rest = try terminal.read(until: "signed in as ada")
            #expect(!rest.contains("Secret"))
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            #expect(terminal.echoes, "the terminal is as before")
            #expect(fcc.profileText().contains(server.fingerprint))
            #expect(server.stop().isEmpty)
        }

        @Test func `No is no, and nothing is remembered`() throws {
            let server = try ScriptedServer(Self.login)
            let terminal = try PseudoTerminal()
            let process = try terminal.start(fcc, ["login", "ada", "--server", server.address])
            _ = try terminal.read(until: "(yes/no) ")
            terminal.type("no\n")
            process.waitUntilExit()
            #expect(process.terminationStatus == 4)
            #expect(fcc.profileText().isEmpty)
            #expect(server.stop().isEmpty)
        }

        @Test func `A new password is asked for twice, and two different ones are refused`() throws {
            let server = try ScriptedServer(Self.login)
            let terminal = try PseudoTerminal()
            let arguments = ["signup", "a@b.test", "--server", server.address, "--fingerprint", server.fingerprint]
            let process = try terminal.start(fcc, arguments)
            _ = try terminal.read(until: "Password: ")
            terminal.type("Secret 123\n")
            _ = try terminal.read(until: "Again: ")
            terminal.type("Secret 124\n")
            _ = try terminal.read(until: "differ")
            process.waitUntilExit()
            #expect(process.terminationStatus == 2)
            #expect(server.stop().isEmpty)
        }

        @Test func `An interrupt at the password leaves the terminal with its echo`() throws {
            let server = try ScriptedServer(Self.login)
            let terminal = try PseudoTerminal()
            let arguments = ["login", "ada", "--server", server.address, "--fingerprint", server.fingerprint]
            let process = try terminal.start(fcc, arguments)
            _ = try terminal.read(until: "Password: ")
            #expect(!terminal.echoes)
            kill(process.processIdentifier, SIGINT)
            process.waitUntilExit()
            #expect(process.terminationStatus == 2)
            #expect(terminal.echoes)
            #expect(server.stop().isEmpty)
        }

        @Test func `Raw lines are made safe for a terminal`() throws {
            let server = try ScriptedServer { c in
                try c.say("HI proto=1 \u{1b}[2J\u{202E}\u{9b}1m\tx")
                try c.say("BYE OK - bye")
            }
            let terminal = try PseudoTerminal()
            let arguments = ["raw", "--server", server.address, "--fingerprint", server.fingerprint]
            let process = try terminal.start(fcc, arguments)
            #expect(try terminal.read(until: "bye").contains("HI proto=1 \\u{1b}[2J\\u{202e}\\u{9b}1m\tx"))
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            #expect(server.stop().isEmpty)
        }
    }
}
