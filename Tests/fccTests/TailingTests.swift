import Foundation
import Glibc
import Testing

extension FccTests {
    @Suite("Following conversations")
    struct TailingTests {
        private let fcc: Fcc

        init() throws { fcc = try Fcc() }

        @Test func `It shows messages, resumes after a lost connection and ends quietly on an interrupt`() throws {
            let server = try ScriptedServer(
                { c in
                    try c.welcome()
                    try c.say("OK \(try c.expect("SUB #Lobby")) conv=#lobby next=10")
                    try c.message(10, "first")
                    try c.message(11, "second")
                },
                { c in
                    try c.welcome()
                    try c.say("OK \(try c.expect("SUB since=11 #Lobby")) conv=#lobby next=12")
                    try c.message(11, "second")
                    try c.message(12, "\\u001b[2Jthird \\u202e")
                    try c.say("EV typing conv=#lobby by=bob")
                    try c.untilGone()
                }
            )
            try fcc.signIn(at: server)
            let started = try fcc.start("tail", "#Lobby", "--quiet")
            #expect(started.line() == "2026-01-05 12:03 bob: first")
            #expect(started.line() == "2026-01-05 12:03 bob: second")
            #expect(started.line() == "2026-01-05 12:03 bob: \\u{1b}[2Jthird \\u{202e}")
            kill(started.process.processIdentifier, SIGINT)
            let run = started.finish()
            #expect(run.code == 0)
            #expect(run.out.isEmpty && run.err.isEmpty, "\(run.err)")
            #expect(server.stop().isEmpty)
        }

        @Test func `As JSON each event is one object a line`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try c.say("OK \(try c.expect("SUB last=1 #lobby")) conv=#lobby next=10")
                try c.message(9, "a \\\"b\\\"")
                try c.say("EV join conv=#lobby seq=10 ts=2026-01-05T12:03:04.567Z by=eve")
                try c.untilGone()
            }
            try fcc.signIn(at: server)
            let started = try fcc.start("tail", "#lobby", "--last", "1", "--json")
            let line = started.line()
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(object["kind"] as? String == "msg")
            #expect(object["seq"] as? Int == 9)
            #expect(object["text"] as? String == "a \"b\"")
            #expect(started.line().hasPrefix(##"{"kind":"join","conv":"#lobby","seq":10,"##))
            kill(started.process.processIdentifier, SIGTERM)
            #expect(started.finish().code == 0)
            #expect(server.stop().isEmpty)
        }

        @Test func `When its reader has gone it ends quietly, though nothing more comes`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try c.say("OK \(try c.expect("SUB #lobby")) conv=#lobby next=10")
                try c.message(10, "first")
                try c.untilGone()
            }
            try fcc.signIn(at: server)
            let started = try fcc.start("tail", "#lobby")
            #expect(started.line().hasSuffix("bob: first"))
            try started.output.fileHandleForReading.close()
            started.process.waitUntilExit()
            #expect(started.process.terminationReason == .exit)
            #expect(started.process.terminationStatus == 0)
            #expect(server.stop().isEmpty)
        }

        @Test func `Several conversations are named in each line`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try c.say("OK \(try c.expect("SUB since=3 #a")) conv=#a next=5")
                try c.message(4, "one", conv: "#a")
                try c.say("OK \(try c.expect("SUB since=3 @bob")) conv=@ada,bob next=5")
                try c.message(4, "two", conv: "@ada,bob")
                try c.untilGone()
            }
            try fcc.signIn(at: server)
            let started = try fcc.start("tail", "#a", "@bob", "--since", "3")
            #expect(started.line() == "#a 2026-01-05 12:03 bob: one")
            #expect(started.line() == "@ada,bob 2026-01-05 12:03 bob: two")
            kill(started.process.processIdentifier, SIGINT)
            #expect(started.finish().code == 0)
            #expect(server.stop().isEmpty)
        }

        @Test func `A conversation one may not see is the server's refusal`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try c.say("ERR \(try c.expect("SUB #a")) NOT-FOUND retry=no - there is no such thing")
            }
            try fcc.signIn(at: server)
            let run = try fcc.run("tail", "#a")
            #expect(run.code == 1)
            #expect(run.err.contains("NOT-FOUND"))
            #expect(server.stop().isEmpty)
        }

        @Test func `A session that was ended elsewhere is not signed in`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try c.say("OK \(try c.expect("SUB #a")) conv=#a next=1")
                try c.say("EV auth state=signed-out reason=logout")
                try c.say("BYE BAD-AUTH - signed out elsewhere")
            }
            try fcc.signIn(at: server)
            #expect(try fcc.run("tail", "#a").code == 5)
            #expect(server.stop().isEmpty)
        }

        @Test func `A certificate that changes between two connections ends it`() throws {
            let server = try ScriptedServer(
                changesCertificate: true,
                { c in
                    try c.welcome()
                    try c.say("OK \(try c.expect("SUB #a")) conv=#a next=1")
                },
                { c in if let line = try c.hear() { throw ScriptedConnection.Unexpected(description: line) } }
            )
            try fcc.signIn(at: server)
            let run = try fcc.run("tail", "#a")
            #expect(run.code == 4)
            #expect(run.err.contains("HAS CHANGED"))
            #expect(server.stop().isEmpty, "the token goes to no stranger")
        }
    }
}
