import ChatTesting
import TLS
import Testing

/// So many bytes that look like nothing, the same for the same seed.
func noise(_ count: Int, seed: UInt64 = 7) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    let words = (0..<(count + 7) / 8).map { _ in random.next() }
    return words.withUnsafeBytes { Array($0[..<count]) }
}

func sha256(_ bytes: [UInt8]) -> String { bytes.withUnsafeBytes { SHA256Digest.of($0).hex } }

@Suite("PUT-BLOB")
struct PutBlobTests {
    @Test(arguments: [1, 2])
    func `takes exactly its bytes, whatever they are, and the connection goes on`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let lines = Array("PING fake\nBYE\n@x SEND #lobby forged\n\r\n\0\n".utf8)
        for (number, bytes) in [lines, [], [0x0A], noise(300_000), lines + noise(70_000)].enumerated() {
            let reply = try ann.upload(bytes, "name=f\(number)")
            #expect(reply.isOK && reply["sha256"] == sha256(bytes), "\(reply)")
            #expect(reply["blob"]?.wholeMatch(of: /b_[A-Za-z0-9_-]{22}/) != nil)
            #expect(reply["url"]?.hasSuffix("/blobs/\(reply["blob"] ?? "?")/f\(number)") == true)
            let answer = try scene.daemon.fetch(path(of: reply["url"]), token: ann.token)
            #expect(answer.status == 200 && answer.body == bytes)
        }
        try ann.ok("PING after")
    }

    @Test(arguments: [1, 2])
    func `requests behind it are answered after it, in order, and those in front before`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let bytes = noise(150_000)
        var all = Array("@a SEND \(room) one\n@b PING p\n@c PUT-BLOB size=\(bytes.count) type=a/b\n".utf8) + bytes
        all += Array("@d PING q\n@e SEND \(room) two\n@f PUT-BLOB size=3 type=a/b\nabc@g PING r\n@h WHOAMI\n".utf8)
        try ann.send(all)
        for tag in ["a", "b", "c", "d", "e", "f", "g", "h"] { #expect(try ann.reply(to: tag).isOK, "\(tag)") }
        #expect(try ann.allTexts(of: room) == ["one", "two"])
    }

    @Test(arguments: [1, 2])
    func `events go on during the upload`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ann.ok("SUB \(room)")
        let bytes = noise(400_000)
        try ann.send(Array("@u PUT-BLOB size=\(bytes.count) type=a/b\n".utf8) + bytes[..<100_000])
        for number in 0..<5 {
            try ben.ok("SEND \(room) m\(number)")
            #expect(try ann.event("msg")?.text == "m\(number)")
        }
        try ann.send(bytes[100_000...])
        #expect(try ann.reply(to: "u")["sha256"] == sha256(bytes))
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `any cut of the stream gives the same replies`(seed: UInt64) throws {
        let scene = try Scene(2)
        let ann = try scene.user()
        var random = SeededRandom(seed: seed)
        let parts: [[UInt8]] = [
            noise(90_000), Array("hello".utf8), [], tinyPicture, Array("not a picture".utf8), noise(5, seed: 9),
        ]
        let headers = [
            "type=a/b", "type=text/plain sha256=\(sha256(parts[1]))", "type=a/b", "type=image/png", "type=image/png",
            "type=bad",
        ]
        var stream: [UInt8] = []
        for (number, (part, header)) in zip(parts, headers).enumerated() {
            stream +=
                Array("@\(number) PUT-BLOB size=\(part.count) \(header)\r\n".utf8) + part
                + Array("@p\(number) PING x\n".utf8)
        }
        while !stream.isEmpty {
            let most = Bool.random(using: &random) ? 30_000 : 40
            let count = min(stream.count, Int.random(in: 1...most, using: &random))
            try ann.send(stream[..<count])
            stream.removeFirst(count)
        }
        for number in parts.indices {
            let final = try ann.reply(to: "\(number)").final
            if number < 4 {
                #expect(final["sha256"] == sha256(parts[number]))
            } else {
                final.expectRefusal("BAD-ARG", field: "type")
            }
            #expect(try ann.reply(to: "p\(number)").isOK)
        }
    }

    @Test(arguments: [1, 2])
    func `a refused upload's bytes are dropped, and nothing is kept`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, eve) = (try scene.user(), try scene.user("eve"))
        let closed = try scene.room(of: ann, isPrivate: true)
        let open = try scene.room(of: ann)
        let bytes = Array("BYE\nBYE\nBYE\n".utf8) + noise(100_000)
        func refused(_ options: String, _ code: String, field: String?) throws {
            let reply = try eve.upload(bytes, type: "a/b", options)
            reply.final.expectRefusal(code, field: field)
            #expect(try eve.ok("PING on")["pong"] == "on")
        }
        try refused("frob=1", "BAD-ARG", field: "frob")
        try refused("type=a/c", "BAD-ARG", field: "type")
        try refused("sha256=\(String(repeating: "0", count: 64))", "BAD-ARG", field: "sha256")
        try refused("sha256=12", "BAD-ARG", field: "sha256")
        try refused("name=\"\"", "BAD-ARG", field: "name")
        try refused("name=\(String(repeating: "n", count: 4000))", "TOO-LONG", field: "name")
        try refused("conv=\(closed)", "NOT-FOUND", field: nil)
        try refused("conv=\(open)", "DENIED", field: nil)
        try refused("conv=#\(scene.roomName().dropFirst())x", "NOT-FOUND", field: nil)
        try refused("too many words", "BAD-ARG", field: nil)
        try refused("name=\"\u{1}\"", "BAD-LINE", field: nil)
        let reply = try eve.upload(Array("<html>".utf8), type: "image/png")
        reply.final.expectRefusal("BAD-ARG", field: "type")
        let anonymous = try scene.daemon.client()
        try anonymous.upload(bytes).final.expectRefusal("NEED-AUTH")
        try anonymous.ok("PING on")
    }

    @Test(
        arguments: [
            ("image/png", tinyPicture, true), ("image/gif", Array("GIF89a......".utf8), true),
            ("image/jpeg", [0xFF, 0xD8, 0xFF, 0xE0], true),
            ("image/webp", Array("RIFF....WEBPVP8 ".utf8), true), ("image/webp", Array("RIFF....WAVE".utf8), false),
            ("image/png", Array(tinyPicture.dropFirst()), false), ("image/jpeg", tinyPicture, false),
            ("image/gif", [], false),
            ("IMAGE/PNG", Array("x".utf8), false), ("image/svg+xml", Array("x".utf8), true),
            ("text/html", Array("x".utf8), true),
        ] as [(String, [UInt8], Bool)]
    )
    func `a picture must be one`(type: String, bytes: [UInt8], isTaken: Bool) throws {
        let ann = try Scene(1).user()
        let reply = try ann.upload(bytes, type: type)
        if isTaken { #expect(reply.isOK) } else { reply.final.expectRefusal("BAD-ARG", field: "type") }
    }

    @Test(arguments: [1, 2])
    func `the end of input within the bytes keeps nothing and says so`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let ann = try daemon.user("ann")
        let plain = try daemon.another(of: ann, .init(isSecure: false))
        try plain.send(Array("@u PUT-BLOB size=1000 type=a/b\n".utf8) + noise(999))
        plain.halfClose()
        try plain.line().expectRefusal("BAD-ARG", field: "size")
        #expect(plain.isEnded())
        let cut = try daemon.another(of: ann)
        try cut.send(Array("@u PUT-BLOB size=1000000 type=a/b\n".utf8) + noise(200_000))
        #expect(holds(within: 10) { blobFiles(daemon).contains { $0.contains("incoming") } })
        cut.reset()
        #expect(holds(within: 10) { blobFiles(daemon).isEmpty })
        #expect(try ann.rows("LIMITS").first { $0["key"] == "limits.quota" }?["used"] == "0")
    }

    @Test(arguments: [1, 2])
    func `a line too long ends the connection, because bytes follow it`(loops: Int) throws {
        let ann = try Scene(loops).user()
        try ann.send("@u PUT-BLOB size=4 type=a/b name=\(String(repeating: "x", count: 17_000))\nBYE\n")
        try ann.line().expectRefusal("TOO-LONG")
        #expect(try ann.restOfStream().map(\.word) == ["BYE"])
    }

    @Test func `what one has put counts against the quota, an empty one as a block`() throws {
        let daemon = try RunningDaemon(.init(settings: ["limits.quota=300000", "limits.blob=200000"]))
        let ann = try daemon.user("ann")
        #expect(ann.hi?["blob"] == "200000")
        #expect(try ann.upload(noise(150_000)).isOK && ann.upload(noise(140_000)).isOK && ann.upload([]).isOK)
        let full = try ann.upload(noise(10_000)).final
        full.expectRefusal("QUOTA")
        #expect(full["used"] == "294096" && full["quota"] == "300000")
        #expect(try ann.rows("LIMITS").first { $0["key"] == "limits.quota" }?["used"] == "294096")
        #expect(try daemon.user("ben").upload(noise(200_000)).isOK, "each has a quota of his own")
        let big = try ann.expectRefusal("PUT-BLOB size=200001 type=a/b", "TOO-BIG", field: "size")
        #expect(big["limit"] == "200000" && big["got"] == "200001")
        #expect(try ann.restOfStream().filter { $0.word != "EV" }.map(\.code) == ["TOO-BIG"])
    }

    @Test(arguments: [1, 2])
    func `a guest may put a file, which then outlives a restart with its guest`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let guest = try daemon.client()
        let token = try guest.ok("AUTH anonymous=yes")["token"]
        let reply = try guest.upload(tinyPicture, type: "image/png", "name=\"me 汉.png\"")
        try daemon.restart()
        let answer = try daemon.fetch(path(of: reply["url"]), token: token)
        #expect(answer.status == 200 && answer.body == tinyPicture)
    }
}
