import Foundation
import Glibc
import Testing

extension FccTests {
    @Suite("Files")
    struct FileTransferTests {
        private let fcc: Fcc
        private let folder: URL
        private static let picture =
            Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(repeating: 7, count: 300_000)

        init() throws {
            fcc = try Fcc()
            folder = fcc.home.appendingPathComponent("files")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }

        private func file(_ name: String, _ data: Data = picture) throws -> String {
            let url = folder.appendingPathComponent(name)
            try data.write(to: url)
            return url.path
        }

        /// Takes a PUT-BLOB whole and answers it.
        private static func take(_ c: ScriptedConnection, _ expected: String) throws {
            let tag = try c.expect("PUT-BLOB size=\(picture.count) type=image/png \(expected)")
            guard try c.hear(bytes: picture.count) == Array(picture) else {
                throw ScriptedConnection.Unexpected(description: "other bytes")
            }
            try c.say("EV msg conv=#lobby seq=1 by=bob text=\"between\"")
            try c.say("OK \(tag) blob=b_1 sha256=00 url=https://127.0.0.1:1/blobs/b_1/cat.png")
        }

        @Test func `Put uploads a file and prints its id and address`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try Self.take(c, "name=cat.png")
                try c.untilGone()
            }
            try fcc.signIn(at: server)
            let run = try fcc.run("put", try file("cat.png"))
            #expect(run.code == 0 && run.err.isEmpty, "\(run)")
            #expect(run.out == "b_1 https://127.0.0.1:1/blobs/b_1/cat.png\n")
            #expect(server.stop().isEmpty)
        }

        @Test func `Send with a file uploads it for the conversation, then sends it with its caption`() throws {
            let server = try ScriptedServer(
                { c in
                    try c.welcome()
                    try Self.take(c, "name=\"my cat.png\" conv=#lobby")
                    try c.untilGone()
                },
                { c in
                    try c.welcome()
                    let (tag, text) = try c.request()
                    guard text.hasPrefix("SEND nonce="), text.hasSuffix(" blob=b_1 #lobby our cat") else {
                        throw ScriptedConnection.Unexpected(description: text)
                    }
                    try c.say("OK \(tag) conv=#lobby seq=2 ts=2026-01-05T12:00:00.000Z")
                }
            )
            try fcc.signIn(at: server)
            let run = try fcc.run("send", "#lobby", "--file", try file("my cat.png"), "--caption", "our cat")
            #expect(run.code == 0 && run.out.isEmpty && run.err.isEmpty)
            #expect(server.stop().isEmpty)
        }

        @Test func `A refused upload tells why, and what is no file is not begun`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                if let line = try c.hear() { try c.say("ERR \(line.split(separator: " ")[0]) QUOTA retry=no - full") }
                try c.untilGone()
            }
            try fcc.signIn(at: server)
            let run = try fcc.run("put", try file("cat.png"))
            #expect(run.code == 1 && run.err.contains("QUOTA: full"))
            for path in [folder.path, folder.path + "/none", try file("empty", Data())] {
                let run = try fcc.run("put", path)
                #expect(run.code == 2 && run.out.isEmpty, "\(path)")
            }
            _ = server.stop()
        }

        @Test func `More than the server takes is not sent`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try c.untilGone()
            }
            try fcc.signIn(at: server)
            let path = try file("big.bin", Data())
            #expect(truncate(path, 26_214_401) == 0)
            let run = try fcc.run("put", path)
            #expect(run.code == 1 && run.err.contains("TOO-BIG"))
            #expect(server.stop().isEmpty)
        }

        /// Both ports of a server in one: the first connection is greeted, the second speaks HTTP.
        private func serve(_ head: String, _ body: String, hears: String = "GET /blobs/b_1 HTTP/1.1") throws
            -> ScriptedServer
        {
            let port = PortBox()
            let server = try ScriptedServer(
                { c in
                    try c.say("HI server=x proto=1 log=L blobs=https://127.0.0.1:\(port.value)")
                },
                { c in
                    var lines: [String] = []
                    while let line = try c.hear(), line != "\r" { lines.append(String(line.dropLast())) }
                    guard lines.first == hears, lines.contains("Authorization: Bearer secret") else {
                        throw ScriptedConnection.Unexpected(description: "\(lines)")
                    }
                    try c.say("\(head)\r\n\r\n\(body)", end: "")
                }
            )
            port.value = server.port
            try fcc.signIn(at: server)
            return server
        }

        private func get(_ arguments: String...) throws -> Fcc.Run {
            let started = try fcc.start(["get"] + arguments, input: "", folder: folder)
            return started.finish()
        }

        private func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        }

        @Test func `Get saves under the harmless name the server proposes`() throws {
            let server = try serve(
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Disposition: attachment; filename=\"../../.evil.txt\"",
                "hello"
            )
            let run = try get("b_1")
            #expect(run.code == 0 && run.out == "evil.txt\n", "\(run)")
            #expect(try String(contentsOfFile: folder.path + "/evil.txt", encoding: .utf8) == "hello")
            #expect(try names() == ["evil.txt"])
            #expect(server.stop().isEmpty)
        }

        @Test func `Get overwrites nothing`() throws {
            _ = try file("cat.png", Data("mine".utf8))
            let server = try serve("HTTP/1.1 200 OK\r\nContent-Length: 5", "other")
            let run = try get("b_1", "-o", "cat.png")
            #expect(run.code == 2 && run.err.contains("exists"))
            #expect(try String(contentsOfFile: folder.path + "/cat.png", encoding: .utf8) == "mine")
            _ = server.stop()
        }

        @Test func `Half an answer leaves nothing behind`() throws {
            let server = try serve("HTTP/1.1 200 OK\r\nContent-Length: 500", "half")
            let run = try get("b_1")
            #expect(try run.code == 3 && names().isEmpty)
            #expect(server.stop().isEmpty)
        }

        @Test func `Refusals have their exit codes`() throws {
            for (head, code) in [
                ("HTTP/1.1 404 Not Found", 1), ("HTTP/1.1 401 Unauthorized", 5), ("HTTP/1.1 503 X", 1), ("junk", 3),
            ] {
                let server = try serve(head + "\r\nContent-Length: 0", "")
                let run = try get("b_1")
                #expect(try run.code == Int32(code) && names().isEmpty, "\(head) \(run)")
                _ = server.stop()
            }
        }

        @Test func `Standard output takes it too`() throws {
            let server = try serve("HTTP/1.1 200 OK\r\nContent-Length: 5", "hello")
            #expect(try get("b_1", "-o", "-").out == "hello")
            #expect(server.stop().isEmpty)
        }

        @Test func `The token goes to no other server`() throws {
            let server = try serve("HTTP/1.1 200 OK\r\nContent-Length: 0", "")
            let run = try get("https://127.0.0.1:1/blobs/b_1")
            #expect(run.code == 2 && run.err.contains("no blob of this server"))
            _ = server.stop()
        }

        @Test func `A blob port with another certificate gets no token`() throws {
            let port = PortBox()
            let server = try ScriptedServer(
                changesCertificate: true,
                { c in
                    try c.say("HI server=x proto=1 log=L blobs=https://127.0.0.1:\(port.value)")
                },
                { c in if let line = try c.hear() { throw ScriptedConnection.Unexpected(description: line) } }
            )
            port.value = server.port
            try fcc.signIn(at: server)
            #expect(try get("b_1").code == 4)
            #expect(server.stop().isEmpty)
        }

        @Test func `A bar is drawn on a terminal, and cleared away`() throws {
            let server = try ScriptedServer { c in
                try c.welcome()
                try Self.take(c, "name=cat.png")
                try c.untilGone()
            }
            try fcc.signIn(at: server)
            let terminal = try PseudoTerminal()
            terminal.resize(columns: 80)
            let process = try terminal.start(fcc, ["put", try file("cat.png")])
            let screen = try terminal.read(until: "b_1 https")
            terminal.finish(process)
            #expect(screen.contains("cat.png 100% [####"))
            #expect(screen.contains("\r\u{1b}[Kb_1"))
            #expect(server.stop().isEmpty)
        }
    }
}
