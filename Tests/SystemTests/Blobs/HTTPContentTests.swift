import ChatTesting
import Testing

@Suite("Content of a request, strictly")
struct HTTPContentTests {
    private func head(_ token: String, _ fields: String...) -> String {
        (["PUT /blobs/x HTTP/1.1", "Host: a", "Authorization: Bearer \(token)"] + fields).joined(separator: "\r\n")
            + "\r\n\r\n"
    }

    @Test(arguments: [1, 2])
    func `100 Continue comes when everything about the head is right, and then the answer`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let client = try scene.daemon.http()
        for _ in 0..<2 {
            try client.send(head(ann.token, "Content-Length: 5", "Expect: 100-continue"))
            #expect(try client.answer().status == 100)
            try client.send("hello")
            #expect(try client.answer().status == 201)
        }
    }

    @Test(
        arguments: [
            (401, "x", "Content-Length: 5"), (400, nil, "Content-Length: 5\r\nContent-Type: bad"),
            (413, nil, "Content-Length: 999999999"), (400, nil, "Content-Length: 5\r\nContent-Range: bytes 0-4/5"),
        ] as [(Int, String?, String)]
    )
    func `whoever waits for it and is refused gets the refusal alone, and the connection ends`(
        status: Int,
        token: String?,
        fields: String
    ) throws {
        let scene = try Scene(2)
        let ann = try scene.user()
        let client = try scene.daemon.http()
        try client.send(head(token ?? ann.token, "Expect: 100-continue", fields))
        let answer = try client.answer()
        #expect(answer.status == status && answer["connection"] == "close")
        #expect(try client.rest().isEmpty)
    }

    @Test(arguments: [1, 2])
    func `little refused content is dropped and the connection goes on, much ends it`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let client = try scene.daemon.http()
        let health = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
        for count in [1, 100_000, 1 << 20] {
            try client.send(Array(head("bad", "Content-Length: \(count)").utf8) + noise(count) + Array(health.utf8))
            let refused = try client.answer()
            #expect(refused.status == 401 && refused["connection"] == nil)
            #expect(try client.answer().status == 200, "behind \(count) bytes")
        }
        for fields in ["Content-Length: 1048577", "Transfer-Encoding: chunked"] {
            let other = try scene.daemon.http()
            try other.send(Array(head("bad", fields).utf8) + Array(health.utf8))
            let refused = try other.answer()
            #expect(refused.status == 401 && refused["connection"] == "close")
            #expect(try other.rest().isEmpty, "nothing behind it is taken for a request")
        }
        #expect(try scene.daemon.exchange("PUT", "/blobs/y", token: ann.token, body: [1]).status == 201)
    }

    @Test(arguments: [UInt64(1), 2])
    func `requests with content sent at once are answered in order, however they are cut`(seed: UInt64) throws {
        let scene = try Scene(2)
        let ann = try scene.user()
        var random = SeededRandom(seed: seed)
        var stream: [UInt8] = []
        var expected: [(Int, String)] = []
        for round in 0..<24 {
            let bytes = noise(Int.random(in: 0...40_000, using: &random), seed: UInt64(round))
            switch round % 4 {
            case 0: stream += Array(head(ann.token, "Content-Length: \(bytes.count)").utf8) + bytes
            case 1:
                stream += Array(head(ann.token, "Transfer-Encoding: chunked").utf8)
                for part in [bytes.prefix(bytes.count / 3), bytes.dropFirst(bytes.count / 3)] where !part.isEmpty {
                    stream += Array("\(String(part.count, radix: 16));ext=1\r\n".utf8) + part + Array("\r\n".utf8)
                }
                stream += Array("0\r\nTrailer: x\r\n\r\n".utf8)
            case 2: stream += Array(head("bad", "Content-Length: \(bytes.count)").utf8) + bytes
            default: stream += Array("GET /health HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            }
            expected.append(([201, 201, 401, 200][round % 4], sha256(bytes)))
        }
        let client = try scene.daemon.http()
        while !stream.isEmpty {
            let count = min(
                stream.count,
                Int.random(in: 1...(Bool.random(using: &random) ? 60_000 : 50), using: &random)
            )
            try client.send(stream[..<count])
            stream.removeFirst(count)
        }
        for (round, (status, hash)) in expected.enumerated() {
            let answer = try client.answer()
            #expect(answer.status == status, "round \(round)")
            if status == 201 { #expect(answer.json("sha256") == hash, "round \(round)") }
        }
    }

    @Test(arguments: [("zz\r\n", 400), ("5\nhello", 400), ("5;" + String(repeating: "x", count: 5000), 431)])
    func `content that is none ends the connection with the right status`(body: String, status: Int) throws {
        let scene = try Scene(2)
        let ann = try scene.user()
        let client = try scene.daemon.http()
        try client.send(head(ann.token, "Transfer-Encoding: chunked") + body)
        #expect(try client.answer().status == status)
        #expect(try client.rest().isEmpty)
        let half = try scene.daemon.http()
        try half.send(head(ann.token, "Content-Length: 5") + "hel")
        half.halfClose()
        #expect(try half.answer().status == 400)
        #expect(try ann.rows("LIMITS").first { $0["key"] == "limits.quota" }?["used"] == "0")
    }

    @Test(arguments: [
        ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 204, "OPTIONS"),
        ("OPTIONS /health HTTP/1.1\r\nHost: a\r\n\r\n", 204, "GET, HEAD, OPTIONS"),
        ("OPTIONS /blobs/x HTTP/1.1\r\nHost: a\r\n\r\n", 204, "GET, HEAD, PUT, OPTIONS"),
        ("DELETE /blobs/x HTTP/1.1\r\nHost: a\r\n\r\n", 405, "GET, HEAD, PUT, OPTIONS"),
        ("GET /tus/x HTTP/1.1\r\nHost: a\r\n\r\n", 405, "HEAD, PATCH, DELETE, OPTIONS"),
    ])
    func `a method that is not served, and OPTIONS, tell the ones that are`(
        text: String,
        status: Int,
        allow: String
    ) throws {
        let client = try SharedDaemon.with(loops: 1).http()
        try client.send(text + "GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try client.answer()
        #expect(answer.status == status && answer["allow"] == allow && answer["x-content-type-options"] == "nosniff")
        #expect(try client.answer().status == 200)
    }
}
