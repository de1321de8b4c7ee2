import Foundation
import Testing

extension FccTests {
    @Suite("Reading and raw lines")
    struct ReadingTests {
        private let fcc: Fcc

        init() throws { fcc = try Fcc() }

        private static func row(_ seq: Int) -> String {
            "msg conv=#lobby seq=\(seq) ts=2026-01-05T12:03:04.567Z by=bob text=\"m\(seq)\""
        }

        @Test func `History pages back and shows the oldest first`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                var tag = try c.expect("HISTORY limit=200 #lobby")
                for seq in 101...300 { try c.say("ROW \(tag) \(Self.row(seq))") }
                try c.say("OK \(tag) n=200 more=yes")
                tag = try c.expect("HISTORY limit=50 before=101 #lobby")
                for seq in 51...100 { try c.say("ROW \(tag) \(Self.row(seq))") }
                try c.say("OK \(tag) n=50 more=yes")
            }
            try fcc.signIn(at: server)
            let run = try fcc.run("--json", "history", "#lobby", "--last", "250")
            #expect(run.code == 0, "\(run.err)")
            let lines = run.out.split(separator: "\n")
            #expect(lines.count == 250)
            #expect(lines.first?.contains("\"seq\":51,") == true)
            #expect(lines.last?.contains("\"text\":\"m300\"") == true)
            #expect(server.stop().isEmpty)
        }

        @Test func `A search shows what was found, the oldest first`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                let tag = try c.expect("SEARCH limit=3 #lobby tea\u{301} x=1 cup")
                for seq in [9, 4, 2] { try c.say("ROW \(tag) \(Self.row(seq))") }
                try c.say("OK \(tag) n=3 more=yes")
            }
            try fcc.signIn(at: server)
            let run = try fcc.run("search", "#lobby", "tea\u{301} x=1", "cup", "--last", "3")
            #expect(run.code == 0, "\(run.err)")
            #expect(run.out.split(separator: "\n").map { $0.suffix(2) } == ["m2", "m4", "m9"])
            #expect(server.stop().isEmpty)
        }

        @Test func `A reader that takes one line ends it quietly`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                let tag = try c.expect("HISTORY limit=50 #lobby")
                let text = String(repeating: "x", count: 4000)
                for seq in 1...50 { try c.say("ROW \(tag) msg conv=#lobby seq=\(seq) by=bob text=\"\(text)\"") }
                try c.say("OK \(tag) n=50 more=no")
                try c.untilGone()
            }
            try fcc.signIn(at: server)
            let started = try fcc.start("history", "#lobby", input: "")
            #expect(started.line().hasPrefix("bob: xxx"))
            try started.output.fileHandleForReading.close()
            started.process.waitUntilExit()
            #expect(started.process.terminationReason == .exit && started.process.terminationStatus == 0)
            #expect(String(decoding: started.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).isEmpty)
            #expect(server.stop().isEmpty)
        }

        @Test func `Conversations show unread counts and previews`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                let tag = try c.expect("CONVS limit=200")
                try c.say(
                    "ROW \(tag) conv conv=#lobby last-seq=4 last-ts=2026-01-05T12:03:04.567Z last-kind=msg "
                        + "preview=\"hi \\u202ethere\" unread=3 role=member"
                )
                try c.say("OK \(tag) n=1 more=no")
            }
            try fcc.signIn(at: server)
            let run = try fcc.run("convs")
            #expect(run.out == "#lobby  3 new  2026-01-05 12:03  hi \\u{202e}there\n")
            #expect(run.code == 0)
            #expect(server.stop().isEmpty)
        }

        @Test func `Raw lines pass as they are, both ways, and the answers come before the end`() throws {
            let server = try ScriptedServer { c in
                try c.greet()
                for expected in ["PING x", "PING y", "BYE"] {
                    let line = try c.hear()
                    if line != expected { throw ScriptedConnection.Unexpected(description: "\(line ?? "")") }
                    try c.say("OK pong=\(expected)")
                }
                if let more = try c.hear() { throw ScriptedConnection.Unexpected(description: more) }
                try c.say("BYE OK - bye")
            }
            let run = try fcc.run(
                "raw",
                "--server",
                server.address,
                "--fingerprint",
                server.fingerprint,
                input: "PING x\nPING y"
            )
            #expect(run.code == 0, "\(run.err)")
            #expect(run.out.hasPrefix("HI server=fcd/1.0 "))
            #expect(run.out.hasSuffix("\nOK pong=PING x\nOK pong=PING y\nOK pong=BYE\nBYE OK - bye\n"))
            #expect(server.stop().isEmpty)
        }

        @Test func `A server that is none is no connection`() throws {
            let server = try ScriptedServer { c in try c.say("220 mail.example ESMTP") }
            try fcc.signIn(at: server)
            let run = try fcc.run("whoami")
            #expect(run.code == 3)
            #expect(run.err.contains("no FriendlyChat server"))
            #expect(server.stop().isEmpty)
        }

        @Test func `A server that shuts down is no connection`() throws {
            let server = try ScriptedServer { c in try c.say("BYE SHUTDOWN - back soon") }
            try fcc.signIn(at: server)
            let run = try fcc.run("whoami")
            #expect(run.code == 3)
            #expect(run.err.contains("SHUTDOWN: back soon"))
            #expect(server.stop().isEmpty)
        }
    }
}
