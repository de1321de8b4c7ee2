import Foundation
import Glibc
import Testing

extension FccTests {
    /// Names and texts of others must not drive the terminal: whatever the server lets through, wherever it is shown.
    @Suite("Hostile names and texts")
    struct HostileTextTests {
        private let fcc: Fcc
        private let terminal: PseudoTerminal

        init() throws {
            fcc = try Fcc()
            fcc.environment["LANG"] = "C.UTF-8"
            terminal = try PseudoTerminal()
        }

        private static let evil = [
            "\u{1b}]0;x\u{07}", "\u{1b}[2J", "\u{1b}]52;c;AAAA\u{07}", "\u{1b}[?1003h", "\u{1b}Pq\u{1b}\\\\",
            "\u{9b}31m",
            "\r", "\u{08}", String(repeating: "\u{07}", count: 100), "\u{202e}", "\u{2066}", "\u{200b}", "\u{feff}",
            "e" + String(repeating: "\u{301}", count: 5_000),
        ].joined(separator: " ")

        private static let message =
            ##"msg conv="#a\##(evil)" seq=1 ts=2026-01-05T12:03:04.567Z by="bob\##(evil)" kind="x-\##(evil)" blob=b_1 "##
            + #"name="\#(evil)" type="\#(evil)" size=3 text="\#(evil)""#

        private static let lobby = message.replacingOccurrences(of: "conv=\"#a\(evil)\"", with: "conv=#lobby")

        /// What is left of `screen` without the few sequences that are the program's own.
        private func foreign(_ screen: String) -> [String] {
            var rest = screen
            // Our own bell stands before a line is drawn, and nowhere else.
            for own in ["\u{07}\r\u{1b}[J", "\u{1b}[?2004h", "\u{1b}[?2004l", "\u{1b}[J", "\r", "\n"] {
                rest = rest.replacingOccurrences(of: own, with: " ")
            }
            rest = rest.replacing(/\u{1b}\[[0-9]+C/, with: " ")
            let isolates: Set<UInt32> = [0x2068, 0x2069]
            return rest.unicodeScalars.filter {
                let isControl = $0.value < 0x20 || (0x7F..<0xA0).contains($0.value)
                let isBidi = (0x202A...0x202E).contains($0.value) || (0x2066...0x2067).contains($0.value)
                return isControl || isBidi || [0x200B, 0xFEFF].contains($0.value) && !isolates.contains($0.value)
            }.map { String($0.value, radix: 16) }
        }

        @Test(arguments: [80, 20, 7] as [UInt16])
        func `Live, in the history, in lists, notes and errors of the chat, in any window`(_ columns: UInt16) throws {
            let evil = Self.evil
            let server = try ScriptedServer { c in
                try c.welcome()
                try ChatTests.open(c, history: [Self.lobby])
                try c.say("EV " + Self.lobby.replacingOccurrences(of: "seq=1", with: "seq=2"))
                try c.say("EV " + Self.message)
                try c.say(##"EV conv conv="#x\##(evil)" state=invited by="\##(evil)""##)
                try c.say(#"EV topic conv=#lobby seq=3 by=bob title="\#(evil)""#)
                try c.say(#"EV react conv=#lobby seq=4 by=bob id=2 emoji="\#(evil)""#)
                try c.say(#"EV \#(evil.filter { $0 != " " }) conv=#lobby seq=5"#)
                var (tag, request) = try c.request()
                while request.hasPrefix("SEEN ") {
                    try c.say("OK \(tag) unread=0")
                    (tag, request) = try c.request()
                }
                try c.say("ERR \(tag) DENIED retry=no - \(evil)")
                try c.say("BYE BAD-AUTH - end \(evil) over")
            }
            try fcc.signIn(at: server)
            terminal.resize(columns: columns)
            let before = terminal.state
            let process = try terminal.start(fcc, [])
            var screen = try terminal.read(until: "invites")
            terminal.type("/convs\rx\r")
            screen += try terminal.read(until: "over")
            terminal.finish(process)
            #expect(process.terminationStatus == 5)
            #expect(foreign(screen).isEmpty)
            #expect(screen.contains("\\u{1b}[2J") && screen.contains("\\u{202e}") && screen.contains("(+4992 marks)"))
            #expect(screen.utf8.count < 200_000)
            #expect(terminal.state == before)
            #expect(server.stop().isEmpty)
        }

        @Test func `In tail, history and convs, on a terminal and in a file`() throws {
            let commands = [["tail", "#lobby"], ["history", "#lobby"], ["convs"], ["history", "--json", "#lobby"]]
            for command in commands {
                let server = try ScriptedServer { c in
                    try c.welcome()
                    let (tag, request) = try c.request()
                    if request.hasPrefix("SUB") {
                        try c.say("OK \(tag) conv=#lobby next=1")
                        try c.say("EV " + Self.lobby)
                        try c.say("EV leave conv=#lobby seq=2 by=ada")
                    } else if request.hasPrefix("HISTORY") {
                        try c.say("ROW \(tag) " + Self.lobby)
                        try c.say("OK \(tag) n=1 more=no")
                    } else {
                        try c.say(
                            ##"ROW \##(tag) conv conv="#x\##(Self.evil)" preview="\##(Self.evil)" last-ts="\##(Self.evil)""##
                        )
                        try c.say("OK \(tag) n=1 more=no")
                    }
                    try c.untilGone()
                }
                try fcc.signIn(at: server)
                let file = try fcc.start(command, input: "").finish()
                let isJSON = command.contains("--json")
                #expect(file.out.contains(isJSON ? "\\u001b[2J" : "\\u{1b}[2J"), "\(command)")
                #expect(
                    foreign(file.out + file.err).filter { !isJSON || !["200b", "feff"].contains($0) }.isEmpty,
                    "\(command)"
                )
                let process = try terminal.start(fcc, command)
                terminal.finish(process)
                _ = server.stop()
            }
        }

        @Test func `In the greeting, and in the refusal of a command`() throws {
            let evil = Self.evil
            let server = try ScriptedServer { c in try c.say("BYE BUSY - \(evil)") }
            try fcc.signIn(at: server)
            let run = try fcc.run("whoami")
            #expect(run.code == 3 && foreign(run.err).isEmpty && run.err.contains("\\u{1b}[2J"))
            #expect(server.stop().isEmpty)
        }
    }
}
