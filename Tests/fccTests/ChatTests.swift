import Foundation
import Glibc
import SystemIO
import Testing

extension FccTests {
    @Suite("The chat on a terminal")
    struct ChatTests {
        private let fcc: Fcc
        private let terminal: PseudoTerminal

        init() throws {
            fcc = try Fcc()
            fcc.environment["TERM"] = "xterm"
            fcc.environment["LANG"] = "C.UTF-8"
            // A crash of the program is to end it, not to begin a talk about it.
            fcc.environment["SWIFT_BACKTRACE"] = "enable=no"
            terminal = try PseudoTerminal()
            terminal.resize(columns: 80)
        }

        /// Answers what the chat asks at its beginning, with these rows of history.
        static func open(_ c: ScriptedConnection, history: [String] = []) throws {
            try c.say("OK \(try c.expect("SUB all=yes")) n=0")
            let list = try c.expect("CONVS limit=200")
            try c.say("ROW \(list) conv conv=#lobby unread=0")
            try c.say("OK \(list) n=1 more=no")
            let page = try c.expect("HISTORY limit=15 #lobby")
            for row in history { try c.say("ROW \(page) " + row) }
            try c.say("OK \(page) n=\(history.count) more=no")
        }

        private func start(_ server: ScriptedServer) throws -> Process {
            try fcc.signIn(at: server)
            return try terminal.start(fcc, [])
        }

        @Test func `It shows the lobby, sends lines, and shows what comes above the line being typed`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try Self.open(c, history: [#"msg conv=#lobby seq=1 ts=2026-01-05T12:03:04.567Z by=bob text="old""#])
                let (tag, text) = try c.request()
                guard text.hasPrefix("SEND nonce="), text.hasSuffix(" #lobby hi مرحبا 你") else {
                    throw ScriptedConnection.Unexpected(description: text)
                }
                try c.say("OK \(tag) conv=#lobby seq=2 ts=2026-01-05T12:03:05.000Z")
                try c.message(3, "while typing")
                try c.untilGone()
            }
            let before = terminal.state
            let process = try start(server)
            _ = try terminal.read(until: "\u{2068}bob\u{2069}: \u{2068}old\u{2069}")
            terminal.type("hi مرحبا 你")
            _ = try terminal.read(until: "\u{2068}hi مرحبا 你\u{2069}")
            terminal.type("\rhalf a line")
            let screen = try terminal.read(until: "while typing") + terminal.read(until: "half a line")
            #expect(screen.contains("half a line"))
            terminal.type("\u{15}/quit\r")
            terminal.finish(process)
            #expect(process.terminationStatus == 0)
            #expect(terminal.state == before)
            #expect(server.stop().isEmpty)
        }

        @Test func `The line being typed outlives the connection, and what was sent meanwhile leaves with the next`()
            throws
        {
            let server = try ScriptedServer(
                { c in
                    try c.welcome()
                    try Self.open(c)
                    try c.message(5, "seen")
                    try c.say("BYE SHUTDOWN - back in a moment")
                },
                { c in
                    try c.welcome()
                    let follow = try c.request()
                    guard follow.text.hasPrefix("SUB all=yes since=") else {
                        throw ScriptedConnection.Unexpected(description: follow.text)
                    }
                    try c.say("OK \(follow.tag) n=0")
                    try c.message(5, "seen")
                    try c.message(6, "missed")
                    try c.say("OK \(try c.expect("CONVS limit=200")) n=0 more=no")
                    try c.untilGone()
                }
            )
            let process = try start(server)
            _ = try terminal.read(until: "#lobby\u{2069}] ")
            terminal.type("typed before")
            let screen = try terminal.read(until: "missed") + terminal.read(until: "typed before")
            #expect(screen.contains("trying again") && screen.contains("connected again"))
            #expect(screen.components(separatedBy: "\u{2068}seen").count == 2, "once")
            kill(process.processIdentifier, SIGTERM)
            terminal.finish(process)
            #expect(server.stop().isEmpty)
        }

        @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGSEGV, SIGABRT, SIGILL, SIGBUS, SIGQUIT])
        func `The terminal is whole after every end`(_ signal: Int32) throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try Self.open(c)
                try c.message(1, "ready")
                try c.untilGone()
            }
            let before = terminal.state
            let process = try start(server)
            _ = try terminal.read(until: "ready")
            #expect(!terminal.echoes)
            kill(process.processIdentifier, signal)
            let rest = terminal.finish(process)
            let isQuiet = [SIGTERM, SIGHUP, SIGINT].contains(signal)
            #expect(process.terminationReason == (isQuiet ? .exit : .uncaughtSignal))
            #expect(process.terminationStatus == (isQuiet ? 0 : signal))
            #expect(terminal.state == before)
            #expect(rest.contains("\u{1b}[?2004l\r\u{1b}[J"))
            #expect(server.stop().isEmpty)
        }

        @Test func `Ctrl-D on an empty line ends it, on a full one it does not`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try Self.open(c)
                // The prompt is there before all is said.
                try c.message(1, "ready")
                try c.untilGone()
            }
            let process = try start(server)
            _ = try terminal.read(until: "ready")
            terminal.type("x\u{04}y")
            _ = try terminal.read(until: "xy")
            terminal.type("\u{15}\u{04}")
            terminal.finish(process)
            #expect(process.terminationStatus == 0)
            #expect(server.stop().isEmpty)
        }

        @Test func `History of typed lines and the usual keys work`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try Self.open(c)
                for text in ["/one", "/two"] {
                    let (tag, request) = try c.request()
                    if !request.hasSuffix(text) { throw ScriptedConnection.Unexpected(description: request) }
                    try c.say("OK \(tag) conv=#lobby seq=9 ts=2026-01-05T12:03:05.000Z")
                }
                let (_, third) = try c.request()
                if !third.hasSuffix(" x/oneé") { throw ScriptedConnection.Unexpected(description: third) }
                try c.message(9, "heard it")
                try c.untilGone()
            }
            let process = try start(server)
            _ = try terminal.read(until: "#lobby\u{2069}] ")
            terminal.type("//one\r//two\r")
            terminal.type("\u{1b}[A\u{1b}[A\u{1b}[1~\u{1b}[3~\u{1b}[3~x/\u{1b}[4~é\r")
            _ = try terminal.read(until: "heard it")
            terminal.type("/quit\r")
            terminal.finish(process)
            #expect(server.stop().isEmpty)
        }

        @Test func `A message elsewhere rings, and what was shown in view is told to the server as read`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try Self.open(c)
                try c.message(5, "one")
                try c.message(6, "two")
                try c.say("OK \(try c.expect("SEEN #lobby 6")) unread=0")
                let begin = Clock.monotonicNanoseconds
                try c.message(7, "three")
                try c.say("OK \(try c.expect("SEEN #lobby 7")) unread=0")
                // At most once a second, as the program's clock sees it.
                if Clock.monotonicNanoseconds - begin < 500_000_000 {
                    throw ScriptedConnection.Unexpected(description: "SEEN twice in a second")
                }
                try c.message(4, "psst", conv: "#garden")
                try c.untilGone()
            }
            let process = try start(server)
            #expect(!(try terminal.read(until: "two")).contains("\u{07}"))
            _ = try terminal.read(until: "\u{07}")
            _ = try terminal.read(until: "/switch 2")
            terminal.type("/quit\r")
            terminal.finish(process)
            #expect(server.stop().isEmpty)
        }

        @Test func `Pasted lines are one message`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try Self.open(c)
                let (_, request) = try c.request()
                if !request.contains(#"text="one\u000atwo" #lobby"#) {
                    throw ScriptedConnection.Unexpected(description: request)
                }
                try c.untilGone()
            }
            let process = try start(server)
            _ = try terminal.read(until: "#lobby\u{2069}] ")
            terminal.type("\u{1b}[200~one\rtwo\u{1b}[201~")
            _ = try terminal.read(until: "one⏎two")
            terminal.type("\r")
            terminal.type("/quit\r")
            terminal.finish(process)
            #expect(server.stop().isEmpty)
        }

        @Test func `Without a session it says how to sign in`() throws {
            let process = try terminal.start(fcc, [])
            let text = try terminal.read(until: "fcc signup EMAIL")
            #expect(text.contains("not signed in") && text.contains("fcc login NAME"))
            terminal.finish(process)
            #expect(process.terminationStatus == 5)
        }
    }
}
