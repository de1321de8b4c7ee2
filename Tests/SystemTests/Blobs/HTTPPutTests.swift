import ChatTesting
import Testing

@Suite("A file that is put by HTTP")
struct HTTPPutTests {
    @Test(arguments: [1, 2])
    func `is a blob like one of PUT-BLOB, told by 201, Location and JSON`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let bytes = noise(300_000)
        let place = "/blobs/my%20list.bin?conv=%23\(room.dropFirst())&sha256=\(sha256(bytes))"
        let put = try scene.daemon.exchange(
            "PUT",
            place,
            token: ann.token,
            ["Content-Type: audio/ogg; x=y"],
            body: bytes
        )
        #expect(put.status == 201 && put["content-type"] == "application/json")
        #expect(put.json("sha256") == sha256(bytes) && put["location"] == put.json("url"))
        let id = try #require(put.json("blob"))
        let record = try ann.ok("BLOB \(id)")
        #expect(record["name"] == "my list.bin" && record["type"] == "audio/ogg" && record["size"] == "300000")
        let answer = try scene.daemon.fetch(path(of: put["location"]), token: ann.token)
        #expect(answer.body == bytes && answer["content-type"] == "audio/ogg")
        #expect(try scene.daemon.fetch(path(of: put["location"]), token: ben.token).status == 404)
        try ann.ok("SEND blob=\(id) \(room)")
        #expect(try scene.daemon.fetch(path(of: put["location"]), token: ben.token).body == bytes)
    }

    @Test(arguments: [1, 2])
    func `curl -T does it, also from a pipe`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let directory = TemporaryDirectory()
        let bytes = noise(3_000_000)
        try write(bytes, to: directory.path + "/cat.png")
        let base = "https://127.0.0.1:\(scene.daemon.blobsPort)"
        let curl = "curl -sk -H 'Authorization: Bearer \(ann.token)' -w '%{http_code}'"
        let one = try shell("\(curl) -T \(directory.path)/cat.png \(base)/blobs/", within: 30)
        #expect(one.hasSuffix("201") && one.contains(sha256(bytes)) && one.contains("/cat.png"), "\(one)")
        let two = try shell("\(curl) -T - \(base)/blobs/piped.bin < \(directory.path)/cat.png", within: 30)
        #expect(two.hasSuffix("201") && two.contains(sha256(bytes)), "\(two)")
    }

    @Test(arguments: [
        ("x", "PNG", "image/png"), ("x.txt", "hello", "text/plain"), ("x.png", "hello", "application/octet-stream"),
        ("x.TXT", "hello", "text/plain"), ("x.txt", "PNG", "image/png"), ("x", "hello", "application/octet-stream"),
        ("x.mp4", "", "video/mp4"), ("x.html", "<p>", "text/html"),
    ])
    func `without a type is told by its first bytes, then by its name`(name: String, text: String, type: String) throws
    {
        let scene = try Scene(1)
        let ann = try scene.user()
        let bytes = text == "PNG" ? tinyPicture : Array(text.utf8)
        let put = try scene.daemon.exchange("PUT", "/blobs/\(name)", token: ann.token, body: bytes)
        #expect(put.status == 201)
        #expect(try ann.ok("BLOB \(put.json("blob") ?? "")")["type"] == type)
    }

    @Test(
        arguments: [
            ("/blobs/x?frob=1", [], 400, "BAD-ARG", "frob"), ("/blobs/x?conv=lobby", [], 400, "BAD-ARG", "conv"),
            ("/blobs/x?conv=%23a&conv=%23b", [], 400, "BAD-ARG", "conv"),
            ("/blobs/x?conv=%23none", [], 404, "NOT-FOUND", nil),
            ("/blobs/x?sha256=12", [], 400, "BAD-ARG", "sha256"),
            (
                "/blobs/x?sha256=0000000000000000000000000000000000000000000000000000000000000000", [], 400, "BAD-ARG",
                "sha256"
            ),
            ("/blobs/%00", [], 400, "BAD-ARG", "name"), ("/blobs/%ff", [], 400, "BAD-ARG", "name"),
            ("/blobs/" + String(repeating: "n", count: 256), [], 400, "TOO-LONG", "name"),
            ("/blobs/x", ["Content-Type: image"], 400, "BAD-ARG", "type"),
            ("/blobs/x", ["Content-Type: image/png"], 400, "BAD-ARG", "type"),
            ("/blobs/x", ["Content-Range: bytes 0-4/9"], 400, "BAD-ARG", "content-range"),
            ("/blobs/x", ["Content-Encoding: gzip"], 415, "BAD-ARG", "content-encoding"),
            ("/blobs/x", ["If-Match: *"], 412, "CONFLICT", nil),
            ("/blobs/b_AAAAAAAAAAAAAAAAAAAAAA", [], 405, "BAD-VERB", nil),
        ] as [(String, [String], Int, String, String?)]
    )
    func `is refused by the code and field of the protocol, and nothing is kept`(
        place: String,
        fields: [String],
        status: Int,
        code: String,
        field: String?
    ) throws {
        let scene = try Scene(2)
        let ann = try scene.user()
        let put = try scene.daemon.exchange("PUT", place, token: ann.token, fields, body: Array("hello".utf8))
        #expect(put.status == status && put.json("code") == code && put.json("field") == field, "\(put)")
        #expect(put["x-content-type-options"] == "nosniff" && put["content-type"] == "application/json")
        #expect(try ann.rows("LIMITS").first { $0["key"] == "limits.quota" }?["used"] == "0")
    }

    @Test func `needs a token that may send, one that is good to the end`() throws {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        func put(_ token: String?) throws -> HTTPAnswer {
            try daemon.exchange("PUT", "/blobs/x", token: token, body: [1])
        }
        #expect(try put(nil).status == 401 && put(nil)["www-authenticate"]?.hasPrefix("Bearer") == true)
        #expect(try put("x").status == 401 && put("x").json("code") == "BAD-AUTH")
        let reads = try ann.ok("TOKEN scope=read reader")["token"]
        #expect(try put(reads).status == 403 && put(reads).json("code") == "DENIED")
        #expect(try put(ann.ok("TOKEN scope=send sender")["token"]).status == 201)
        let client = try daemon.http()
        try client.send(
            "PUT /blobs/y HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(ann.token)\r\nContent-Length: 10\r\n\r\nhello"
        )
        let other = try daemon.client()
        try other.ok("AUTH token=\(ann.token)")
        #expect(holds(within: 10) { blobFiles(daemon).contains { $0.contains("incoming") } })
        try other.ok("LOGOUT")
        try client.send("world")
        #expect(try client.answer().status == 401)
        #expect(holds(within: 10) { blobFiles(daemon).count == 1 })
        try daemon.operatorClient().ok("ADMIN USER disable ann")
        #expect(try put(ann.token).status == 401)
    }

    @Test func `has its limits: 413 for the size, 507 for the quota, also when its size is seen only at the end`()
        throws
    {
        let daemon = try RunningDaemon(.init(settings: ["limits.quota=300000", "limits.blob=200000"]))
        let ann = try daemon.user("ann")
        func put(_ count: Int, chunked: Bool = false) throws -> HTTPAnswer {
            if !chunked { return try daemon.exchange("PUT", "/blobs/x", token: ann.token, body: noise(count)) }
            let client = try daemon.http()
            let head =
                "PUT /blobs/x HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(ann.token)\r\nTransfer-Encoding: chunked\r\n\r\n"
            let chunk = Array("\(String(count, radix: 16))\r\n".utf8) + noise(count) + Array("\r\n0\r\n\r\n".utf8)
            try client.send(Array(head.utf8) + chunk)
            return try client.answer()
        }
        for chunked in [false, true] {
            let big = try put(200_001, chunked: chunked)
            #expect(big.status == 413 && big.json("code") == "TOO-BIG" && big.json("limit") == "200000")
        }
        #expect(try put(200_000, chunked: true).status == 201)
        for chunked in [false, true] {
            let full = try put(100_001, chunked: chunked)
            #expect(full.status == 507 && full.json("code") == "QUOTA" && full.json("quota") == "300000")
            #expect(full.json("used") == "200000")
        }
        #expect(try put(100_000, chunked: true).status == 201)
        #expect(holds(within: 10) { blobFiles(daemon).count == 2 })
        #expect(try daemon.fetch("/health").status == 200)
    }

    @Test(arguments: [1, 2])
    func `is on disk before its 201, and survives a kill -9`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let ann = try daemon.user("ann")
        for round in 0..<8 {
            let bytes = noise(10_000 * (round + 1), seed: UInt64(round))
            let put = try daemon.exchange("PUT", "/blobs/f\(round)", token: ann.token, body: bytes)
            #expect(put.status == 201)
            try daemon.restart()
            #expect(try daemon.fetch(path(of: put["location"]), token: ann.token).body == bytes)
        }
        let cut = try daemon.http()
        try cut.send(
            Array(
                "PUT /blobs/x HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(ann.token)\r\nContent-Length: 99999\r\n\r\n"
                    .utf8
            )
                + noise(50_000)
        )
        #expect(holds(within: 10) { blobFiles(daemon).contains { $0.contains("incoming") } })
        cut.close()
        #expect(holds(within: 10) { !blobFiles(daemon).contains { $0.contains("incoming") } })
    }
}
