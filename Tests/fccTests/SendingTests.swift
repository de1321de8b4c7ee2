import Foundation
import Testing

extension FccTests {
    @Suite("Sending")
    struct SendingTests {
        private let fcc: Fcc

        init() throws { fcc = try Fcc() }

        @Test func `A message is sent with a nonce and nothing is printed`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                let (tag, text) = try c.request()
                guard text.hasPrefix("SEND nonce="), text.hasSuffix(" reply=7 #lobby hi  مرحبا") else {
                    throw ScriptedConnection.Unexpected(description: text)
                }
                try c.say("OK \(tag) conv=#lobby seq=42 ts=2026-01-05T12:00:00.000Z")
            }
            try fcc.signIn(at: server)
            let run = try fcc.run("send", "#lobby", "hi  مرحبا", "--reply", "7")
            #expect(run.code == 0, "\(run.err)")
            #expect(run.out.isEmpty && run.err.isEmpty)
            #expect(server.stop().isEmpty)
        }

        @Test func `A refusal is exit code 1 with the server's code, its controls spelled out`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try c.say("ERR \(try c.request().tag) NOT-FOUND retry=no field=conv - no \u{1b}[2J such thing")
            }
            try fcc.signIn(at: server)
            let run = try fcc.run("send", "#nowhere", "x")
            #expect(run.code == 1)
            #expect(run.err == "fcc: NOT-FOUND: no \\u{1b}[2J such thing (conv)\n")
            #expect(server.stop().isEmpty)
        }

        @Test func `A place goes without a text`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                let (tag, text) = try c.request()
                guard text.hasSuffix(" geo=-52.5,13.4 #lobby") else {
                    throw ScriptedConnection.Unexpected(description: text)
                }
                try c.say("OK \(tag) conv=#lobby seq=42 ts=2026-01-05T12:00:00.000Z")
            }
            try fcc.signIn(at: server)
            let run = try fcc.run("send", "#lobby", "--geo=-52.5,13.4", "--json")
            #expect(run.code == 0, "\(run.err)")
            #expect(run.out == "{\"kind\":\"ok\",\"conv\":\"#lobby\",\"seq\":42,\"ts\":\"2026-01-05T12:00:00.000Z\"}\n")
            #expect(server.stop().isEmpty)
        }

        @Test func `After a lost connection what has no answer is sent again with the same nonce`() throws {
            let nonces = Nonces()
            let server = try ScriptedServer(
                { c in
                    try c.welcome()
                    for number in 1...200 {
                        let (tag, text) = try c.request()
                        nonces.note(text)
                        if number == 100 { return }  // cut in the middle: 36 or more under way are lost
                        try c.say("OK \(tag) conv=#lobby seq=\(number) ts=2026-01-05T12:00:00.000Z")
                    }
                },
                { c in
                    try c.welcome()
                    while true {
                        guard let line = try c.hear() else { return }
                        let parts = line.split(separator: " ", maxSplits: 1)
                        nonces.note(String(parts[1]))
                        try c.say("OK \(parts[0]) conv=#lobby seq=1 ts=2026-01-05T12:00:00.000Z dup=yes")
                    }
                }
            )
            try fcc.signIn(at: server)
            let lines = (1...200).map { "line \($0)" }
            let run = try fcc.run("send", "#lobby", "-", input: lines.joined(separator: "\n\n"))
            #expect(run.code == 0, "\(run.err)")
            #expect(Set(nonces.texts.values) == Set(lines), "none is lost, blank lines are none")
            #expect(nonces.texts.count == 200, "each has one nonce, also when it is sent twice")
            #expect(nonces.heard > 200, "some were sent twice")
            #expect(server.stop().isEmpty)
        }

        @Test func `The first refusal ends it and says what was sent`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                while let line = try c.hear() {
                    let tag = line.split(separator: " ")[0]
                    if line.hasSuffix("bad") {
                        try c.say("ERR \(tag) TOO-LONG retry=no field=text limit=2 got=3 - too long")
                    } else {
                        try c.say("OK \(tag) conv=#lobby seq=1 ts=2026-01-05T12:00:00.000Z")
                    }
                }
            }
            try fcc.signIn(at: server)
            let run = try fcc.run("send", "#lobby", "-", input: "one\ntwo\nbad\n")
            #expect(run.code == 1)
            #expect(run.err.contains("TOO-LONG"))
            #expect(run.err.contains("message 3 was refused; 2 sent"))
            #expect(server.stop().isEmpty)
        }

        @Test func `Controls and broken UTF-8 in the input become one safe request`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                let (tag, text) = try c.request()
                guard text.hasSuffix(" text=\"\\u001b[31mred \u{FFFD}\" #lobby") else {
                    throw ScriptedConnection.Unexpected(description: text)
                }
                try c.say("OK \(tag) conv=#lobby seq=1 ts=2026-01-05T12:00:00.000Z")
            }
            try fcc.signIn(at: server)
            let started = try fcc.start("send", "#lobby", "-")
            started.input.fileHandleForWriting.write(Data(Array("\u{1b}[31mred ".utf8) + [0xFF, 0x0A]))
            try started.input.fileHandleForWriting.close()
            #expect(started.finish().code == 0)
            #expect(server.stop().isEmpty)
        }
    }
}
