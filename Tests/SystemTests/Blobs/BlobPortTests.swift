import ChatTesting
import Testing

@Suite("The blob port speaks HTTP/1.1, strictly")
struct BlobPortTests {
    @Test(arguments: [1, 2])
    func `whole, in parts, by condition and by HEAD`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let bytes = noise(300_000)
        let put = try ann.upload(bytes, type: "audio/ogg")
        let (place, tag) = (path(of: put["url"]), "\"\(sha256(bytes))\"")
        let daemon = scene.daemon
        #expect(try daemon.fetch(place, token: ann.token).body == bytes)
        let head = try daemon.fetch(place, method: "HEAD", token: ann.token)
        #expect(head.status == 200 && head["content-length"] == "300000" && head.body.isEmpty)
        for range in [0..<1, 0..<300_000, 131_071..<131_073, 299_990..<300_000, 5..<262_200] {
            let part = try daemon.fetch(
                place,
                token: ann.token,
                "Range: bytes=\(range.lowerBound)-\(range.upperBound - 1)"
            )
            #expect(part.status == 206 && part.body == Array(bytes[range]))
            #expect(part["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/300000")
        }
        #expect(try daemon.fetch(place, token: ann.token, "Range: bytes=-7").body == Array(bytes.suffix(7)))
        let beyond = try daemon.fetch(place, token: ann.token, "Range: bytes=300000-")
        #expect(beyond.status == 416 && beyond["content-range"] == "bytes */300000")
        #expect(try daemon.fetch(place, token: ann.token, "Range: bytes=0-1,5-6").status == 200)
        let known = try daemon.fetch(place, token: ann.token, "If-None-Match: \(tag)")
        #expect(known.status == 304 && known["etag"] == tag && known.body.isEmpty)
        #expect(try daemon.fetch(place, token: ann.token, "If-Range: \(tag)", "Range: bytes=0-3").status == 206)
        #expect(try daemon.fetch(place, token: ann.token, "If-Range: \"x\"", "Range: bytes=0-3").status == 200)
        #expect(try daemon.fetch(place, token: ann.token, "If-Match: \"x\"").status == 412)
        let empty = path(of: try ann.upload([])["url"])
        #expect(try daemon.fetch(empty, token: ann.token).status == 200)
        #expect(try daemon.fetch(empty, token: ann.token, "Range: bytes=0-").status == 416)
    }

    @Test(arguments: [1, 2])
    func `a connection is kept, and requests sent at once are answered in order`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let files = try (0..<3).map { number -> (String, [UInt8]) in
            let bytes = noise(100_000 * number + 3, seed: UInt64(number))
            return (path(of: try ann.upload(bytes)["url"]), bytes)
        }
        let client = try scene.daemon.http()
        var all = ""
        for round in 0..<30 {
            let (path, _) = files[round % 3]
            all +=
                "GET \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(ann.token)\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\n\r\n"
            all +=
                "HEAD \(path) HTTP/1.1\r\nHost: a\r\n\r\nPUT /health HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
        }
        try client.send(
            all + "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\n\r\n"
        )
        for round in 0..<30 {
            #expect(try client.answer().body == files[round % 3].1, "round \(round)")
            #expect(String(decoding: try client.answer().body, as: UTF8.self) == "ok\n")
            let head = try client.answer(hasBody: false)
            #expect(head.status == 401 && head["www-authenticate"]?.hasPrefix("Bearer") == true)
            let refused = try client.answer()
            #expect(refused.status == 405 && refused["allow"] == "GET, HEAD, OPTIONS")
        }
        #expect(try client.answer()["connection"] == "close")
        #expect(try client.rest().isEmpty)
    }

    @Test(arguments: [1, 2])
    func `byte by byte comes to the same`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let place = path(of: try ann.upload(Array("hello".utf8))["url"])
        let client = try scene.daemon.http()
        let text = "GET \(place) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(ann.token)\r\n\r\n"
        for byte in Array((text + text).utf8) { try client.send([byte]) }
        for _ in 0..<2 { #expect(try client.answer().body == Array("hello".utf8)) }
        try client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
        client.halfClose()
        #expect(try client.answer().status == 200)
        #expect(try client.rest().isEmpty)
    }

    @Test(arguments: [
        ("GET /health HTTP/1.1\n\n", 400), ("GET /health HTTP/1.1\r\n\r\n", 400),
        ("GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET /health HTTP/1.1\r\nHost : a\r\n\r\n", 400),
        ("GET /health HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n", 400),
        ("GET /health HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx", 400),
        ("GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("PUT /health HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", 405),
        ("PATCH /blobs/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz", 405),
        ("PUT /blobs/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz", 401),
        ("PUT /blobs/x HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\nhello", 401),
        ("PUT /blobs/x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n", 401),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505), ("GET /health HTTP/3.0\r\nHost: a\r\n\r\n", 505),
        ("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        ("GET https://b/health HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /health HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n", 417),
        ("GET /" + String(repeating: "a", count: 9000) + " HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("GET /health HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 20_000) + "\r\n\r\n", 431),
        ("\u{16}\u{3}\u{1}", 0),
    ])
    func `what is ambiguous is refused once, with the right status`(text: String, status: Int) throws {
        let scene = try Scene(2)
        let client = try scene.daemon.http()
        try client.send(text)
        client.halfClose()
        if status == 0 { return #expect(try client.answer().status == 400) }
        let answer = try client.answer()
        #expect(answer.status == status && answer["x-content-type-options"] == "nosniff")
        if status != 501 { #expect(try client.rest().isEmpty) }
        #expect(try scene.daemon.fetch("/health").status == 200)
    }

    @Test func `broken requests get exactly one answer each, or the end, and never harm the server`() throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=2"]))
        var random = SeededRandom(seed: 34)
        let seed = Array(
            "GET /blobs/b_AAAAAAAAAAAAAAAAAAAAAA/x HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-1\r\nAuthorization: Bearer x\r\n\r\n"
                .utf8
        )
        for round in 0..<300 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                if Bool.random(using: &random) {
                    bytes[at] = UInt8.random(in: 0...255, using: &random)
                } else {
                    bytes.remove(at: at)
                }
            }
            let client = try daemon.http()
            try client.send(bytes)
            client.halfClose()
            let rest = String(decoding: try client.rest(), as: UTF8.self)
            let answers = rest.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: false).dropFirst()
            #expect(answers.count <= 1, "round \(round): \(bytes) -> \(rest)")
            #expect(answers.allSatisfy { ["4", "5"].contains($0.prefix(1)) }, "round \(round)")
        }
        #expect(try daemon.isAlive && daemon.fetch("/health").status == 200)
    }

    @Test func `plain text at this port gets one plain answer`() throws {
        let client = try HTTPClient(port: try SharedDaemon.with(loops: 2).blobsPort, isSecure: false)
        try client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.answer().status == 400)
        #expect(try client.rest().isEmpty)
    }

    @Test func `a head that does not end in 30 seconds is given up, and content that trickles, however steadily`()
        throws
    {
        let daemon = try SharedDaemon.with(loops: 2)
        let token = try daemon.user(SharedDaemon.name("ann")).token
        let (slow, silent, trickle) = (try daemon.http(), try daemon.http(), try daemon.http())
        (slow.patience, silent.patience, trickle.patience) = (45, 45, 45)
        try slow.send("GET /health HTTP/1.1\r\nHost: a\r\nX: ")
        let put = "PUT /blobs/x HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\nContent-Length: 100000\r\n\r\n"
        try trickle.send(put)
        let start = monotonicSeconds()
        while monotonicSeconds() - start < 26 {
            try slow.send("x")
            try trickle.send("x")
            pauseThread(0.9)
        }
        #expect(try slow.answer().status == 408 && trickle.answer().status == 408)
        #expect(try slow.rest().isEmpty && silent.rest().isEmpty && trickle.rest().isEmpty)
        #expect((26...40).contains(monotonicSeconds() - start))
    }
}
