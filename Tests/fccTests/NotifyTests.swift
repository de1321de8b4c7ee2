import ChatTesting
import Foundation
import Glibc
import Testing

extension FccTests {
    @Suite("A command for each message")
    struct NotifyTests {
        private let fcc: Fcc
        /// What the command writes to.
        private let log: String

        init() throws {
            fcc = try Fcc()
            log = fcc.home.appendingPathComponent("log").path
        }

        /// A command that appends what it was given to the log.
        private func appending(_ script: String) -> [String] { ["--", "sh", "-c", "{ \(script); } >> '\(log)'"] }

        private func lines() -> [String] { readWhole(log).split(separator: "\n").map(String.init) }

        private func end(_ started: Fcc.Started) -> Fcc.Run {
            kill(started.process.processIdentifier, SIGINT)
            return started.finish()
        }

        @Test func `It runs for messages of others from now on, with the message as an object and in its environment`()
            throws
        {
            let daemon = try SharedDaemon.with(loops: 2)
            let (ada, bob) = (try daemon.user(SharedDaemon.name("ada")), try daemon.user(SharedDaemon.name("bob")))
            try fcc.signIn(ada, at: daemon)
            let (room, noise) = ("#" + SharedDaemon.name("room"), "#" + SharedDaemon.name("noise"))
            for name in [room, noise] {
                try ada.ok("CREATE \(name)")
                try bob.ok("JOIN \(name)")
            }
            try bob.ok("SEND \(room) before")
            fcc.environment["FCC_PASSWORD"] = "Secret123"
            let script = #"cat; echo "$FCC_CONV,$FCC_BY,$FCC_SEQ,$FCC_TEXT,${FCC_TS%%T*},$FCC_PASSWORD""#
            let options = ["notify", "--all", "--mute", noise.uppercased(), "--mute", "#lobby"]
            let started = try fcc.start(options + appending(script))
            #expect(started.errorLine() == "fcc: running sh for messages to \(ada.user)")
            try ada.ok("SEND \(room) my own")
            try bob.ok("SEND \(noise) not this")
            let text = "$(touch x) `id`; \" '\\ مرحبا"
            let sent = try bob.ok("SEND \(room) \(text)")
            try bob.ok("EDIT \(room) \(sent.seq) other")
            try bob.ok("SEND @\(ada.user) psst")
            #expect(holds(within: 10) { lines().count == 4 }, "\(lines())")
            let run = end(started)
            #expect(run.code == 0 && run.out.isEmpty && run.err.isEmpty, "\(run.err)")
            let all = lines()
            try #require(all.count == 4)
            let object = try #require(try Fcc.objects(all[0]).first)
            #expect(object["kind"] as? String == "msg" && object["text"] as? String == text)
            #expect(object["seq"] as? Int == sent.seq && object["by"] as? String == bob.user)
            let day = try #require(sent["ts"]).prefix(10)
            #expect(all[1] == "\(room),\(bob.user),\(sent.seq),\(text),\(day),")
            #expect(all[3].contains(",psst,"))
        }

        @Test func `After a lost connection it goes on, and repeats nothing`() throws {
            let server = try ScriptedServer(
                { c in
                    try c.welcome()
                    let tag = try c.expect("SUB #lobby")
                    try c.say("OK \(tag) conv=#lobby next=5")
                    try c.message(5, "one")
                },
                { c in
                    try c.welcome()
                    try c.say("OK \(try c.expect("SUB since=5 #lobby")) conv=#lobby next=7")
                    try c.message(5, "one")
                    try c.message(6, "two")
                    try c.untilGone()
                }
            )
            try fcc.signIn(at: server)
            let started = try fcc.start(["notify", "#lobby"] + appending("echo $FCC_SEQ"))
            #expect(holds(within: 15) { lines() == ["5", "6"] }, "\(lines())")
            #expect(end(started).code == 0)
            #expect(lines() == ["5", "6"])
            #expect(server.stop().isEmpty)
        }

        @Test func `One runs at a time, a hundred wait, and the oldest of more are dropped with a word`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try c.say("OK \(try c.expect("SUB #lobby")) conv=#lobby next=1")
                for seq in 1...103 { try c.message(seq, "m") }
                try c.untilGone()
            }
            try fcc.signIn(at: server)
            let gate = fcc.home.appendingPathComponent("gate").path
            let script = "while ! test -e '\(gate)'; do sleep 0.01; done; echo $FCC_SEQ"
            let started = try fcc.start(["notify", "#lobby"] + appending(script))
            #expect(started.errorLine().hasPrefix("fcc: running sh"))
            #expect(started.errorLine() == "fcc: 100 messages wait for the command; the oldest are dropped")
            _ = try fcc.file("gate", "")
            #expect(started.errorLine() == "fcc: 2 messages were dropped")
            #expect(holds(within: 15) { lines().count == 101 }, "\(lines())")
            #expect(end(started).code == 0)
            #expect(lines() == (["1"] + (4...103).map { "\($0)" }))
            #expect(server.stop().isEmpty)
        }

        @Test func `A command that fails, or reads nothing of a long message, is told of, and the next one runs`()
            throws
        {
            let server = try ScriptedServer { c in
                try c.welcome()
                try c.say("OK \(try c.expect("SUB #lobby")) conv=#lobby next=1")
                try c.message(1, String(repeating: "long ", count: 40_000))
                try c.message(2, "short")
                try c.untilGone()
            }
            try fcc.signIn(at: server)
            let started = try fcc.start(["notify", "#lobby"] + appending("echo $FCC_SEQ; exit 3"))
            _ = started.errorLine()
            #expect(started.errorLine() == "fcc: sh ended with 3")
            #expect(started.errorLine() == "fcc: sh ended with 3")
            #expect(end(started).code == 0)
            #expect(lines() == ["1", "2"])
            #expect(server.stop().isEmpty)
        }

        @Test func `A long message comes whole`() throws {
            let text = String(repeating: "long ", count: 40_000)
            let server = try ScriptedServer { c in
                try c.welcome()
                try c.say("OK \(try c.expect("SUB #lobby")) conv=#lobby next=1")
                try c.message(1, text)
                try c.untilGone()
            }
            try fcc.signIn(at: server)
            let started = try fcc.start(["notify", "#lobby"] + appending("cat"))
            #expect(holds(within: 10) { readWhole(log).hasSuffix("}\n") })
            #expect(end(started).code == 0)
            #expect(try Fcc.objects(readWhole(log)).first?["text"] as? String == text)
            #expect(server.stop().isEmpty)
        }

        @Test func `A command that is not there ends it as wrong usage`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try c.say("OK \(try c.expect("SUB #lobby")) conv=#lobby next=1")
                try c.message(1, "m")
                try c.untilGone()
            }
            try fcc.signIn(at: server)
            let run = try fcc.run("notify", "--quiet", "#lobby", "--", "/nonexistent/command")
            #expect(run.code == 2 && run.err.contains("/nonexistent/command cannot be started"), "\(run.err)")
            #expect(server.stop().isEmpty)
        }
    }
}
