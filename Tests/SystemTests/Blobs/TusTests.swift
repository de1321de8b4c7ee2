import ChatTesting
import Testing

@Suite("Uploads in pieces: tus 1.0")
struct TusTests {
    private func tus(_ loops: Int) throws -> (Tus, TestClient) {
        let scene = try Scene(loops)
        let ann = try scene.user()
        return (Tus(daemon: scene.daemon, token: ann.token), ann)
    }

    @Test(arguments: [1, 2])
    func `pieces become a blob whose id is the upload's`(loops: Int) throws {
        let (tus, ann) = try tus(loops)
        let bytes = noise(300_000)
        // filename "big list.bin", filetype "audio/ogg"
        let metadata = "filename YmlnIGxpc3QuYmlu,filetype YXVkaW8vb2dn,is_confidential"
        let made = try tus.ask("POST", "/tus/", ["Upload-Length: 300000", "Upload-Metadata: \(metadata)"])
        #expect(made.status == 201 && made["tus-resumable"] == "1.0.0" && made["upload-expires"] != nil)
        let place = try #require(made["location"])
        let before = try tus.ask("HEAD", place)
        #expect(before.status == 200 && before["upload-offset"] == "0" && before["upload-length"] == "300000")
        #expect(before["cache-control"] == "no-store" && before["upload-metadata"] == metadata)
        #expect(before["x-content-type-options"] == "nosniff")
        var at = 0
        for end in [1, 100_000, 100_000, 299_999] {
            let answer = try tus.patch(place, at: at, bytes[at..<end])
            #expect(answer.status == 204 && answer["upload-offset"] == "\(end)" && answer["upload-expires"] != nil)
            at = end
            #expect(try tus.offset(place) == end)
        }
        let id = String(place.dropFirst("/tus/".count))
        try ann.expectRefusal("BLOB \(id)", "NOT-FOUND")
        #expect(try tus.patch(place, at: at, bytes[at...])["upload-offset"] == "300000")
        let record = try ann.ok("BLOB \(id)")
        #expect(record["name"] == "big list.bin" && record["type"] == "audio/ogg")
        #expect(try tus.daemon.fetch("/blobs/\(id)", token: ann.token).body == bytes)
        #expect(try tus.offset(place) == 300_000, "whoever lost the last answer asks again")
        #expect(try tus.patch(place, at: 300_000, []).status == 204)
        #expect(try tus.patch(place, at: 0, [1]).status == 409 && tus.ask("DELETE", place).status == 409)
    }

    @Test(arguments: [1, 2])
    func `OPTIONS tells version, extensions and limits, without a token`(loops: Int) throws {
        let daemon = try SharedDaemon.with(loops: loops)
        let answer = try daemon.fetch("/tus/", method: "OPTIONS")
        #expect(answer.status == 204 && answer["tus-resumable"] == "1.0.0" && answer["tus-version"] == "1.0.0")
        #expect(answer["tus-extension"] == "creation,creation-with-upload,checksum,termination,expiration")
        #expect(answer["tus-max-size"] == "26214400" && answer["tus-checksum-algorithm"] == "sha1,sha256,md5")
    }

    @Test func `another version, no token and another account's upload are refused`() throws {
        let (tus, _) = try tus(2)
        let eve = Tus(daemon: tus.daemon, token: try Scene(2).user("eve").token)
        let old = try tus.daemon.exchange("POST", "/tus/", token: tus.token, ["Upload-Length: 1"])
        #expect(old.status == 412 && old["tus-version"] == "1.0.0")
        let newer = try tus.daemon.exchange("HEAD", "/tus/x", token: tus.token, ["Tus-Resumable: 2.0.0"])
        #expect(newer.status == 412)
        #expect(try tus.daemon.exchange("POST", "/tus/", [Tus.version, "Upload-Length: 1"]).status == 401)
        let place = try tus.make(10)
        #expect(try eve.offset(place) == nil && eve.ask("HEAD", place).status == 404)
        #expect(try eve.patch(place, at: 0, [1]).status == 404 && eve.ask("DELETE", place).status == 404)
        let stranger = try eve.patch("/tus/b_AAAAAAAAAAAAAAAAAAAAAA", at: 0, [1])
        #expect(try eve.patch(place, at: 0, [1]).body == stranger.body, "not there and not yours are one answer")
        #expect(try eve.patch("/tus/x", at: 0, [1]).body == stranger.body)
        #expect(try tus.offset(place) == 0)
    }

    @Test(arguments: [1, 2])
    func `a piece stands where the last one ended, is no longer than the rest, and of its own type`(loops: Int) throws {
        let (tus, _) = try tus(loops)
        let place = try tus.make(10)
        #expect(try tus.patch(place, at: 0, [1, 2, 3]).status == 204)
        let wrong = try tus.patch(place, at: 4, [1])
        #expect(wrong.status == 409 && wrong.json("field") == "upload-offset" && wrong.json("offset") == "3")
        #expect(try tus.patch(place, at: 2, [1]).status == 409)
        let long = try tus.patch(place, at: 3, noise(8))
        #expect(long.status == 413 && long.json("limit") == "10")
        let client = try tus.daemon.http()
        let head = tus.head(place, "Upload-Offset: 3", "Transfer-Encoding: chunked")
        try client.send(head + "9\r\n123456789\r\n0\r\n\r\n")
        #expect(try client.answer().status == 413)
        #expect(try tus.offset(place) == 3)
        #expect(try tus.ask("PATCH", place, ["Upload-Offset: 3", "Content-Type: text/plain"], body: [1]).status == 415)
        let instead = try tus.ask(
            "POST",
            place,
            [Tus.piece, "Upload-Offset: 3", "X-HTTP-Method-Override: PATCH"],
            body: [4]
        )
        #expect(instead.status == 204 && instead["upload-offset"] == "4")
    }

    @Test(arguments: [
        "18446744073709551616", "-1", "-9223372036854775808", "+5", "05", "0x10", "1e3", "5.0", "٣", "５", "NaN", "",
        "1 2",
    ])
    func `no number is not taken for one (B25)`(value: String) throws {
        let (tus, _) = try tus(1)
        let made = try tus.ask("POST", "/tus/", ["Upload-Length: \(value)"])
        #expect(made.status == 400 && made.json("field") == "upload-length", "\(made)")
        let place = try tus.make(10)
        let sent = try tus.ask("PATCH", place, [Tus.piece, "Upload-Offset: \(value)"], body: [1])
        #expect(sent.status == 400 && sent.json("field") == "upload-offset", "\(sent)")
        #expect(try tus.offset(place) == 0)
    }

    @Test(arguments: ["18446744073709551615", "9223372036854775807", "9223372036854775808", "4294967296", "2147483648"])
    func `a huge number is refused as what it is, and costs nothing (B25)`(value: String) throws {
        let (tus, ann) = try tus(1)
        let made = try tus.ask("POST", "/tus/", ["Upload-Length: \(value)"])
        #expect(made.status == 413 && made.json("code") == "TOO-BIG" && made.json("limit") == "26214400")
        let place = try tus.make(10)
        let sent = try tus.ask("PATCH", place, [Tus.piece, "Upload-Offset: \(value)"], body: [1])
        #expect([409, 413].contains(sent.status), "\(sent)")
        #expect(try tus.ask("DELETE", place).status == 204)
        try ann.ok("PING on")
    }

    @Test(arguments: [
        ("filename", 201), ("filename ", 201), ("a YQ==,b", 201), ("filename YQ=", 400), ("filename !", 400),
        ("filename YR==", 400), ("a YQ==,a YQ==", 400), (",", 400), ("filename AA==", 400), ("filename /w==", 400),
        ("conv bG9iYnk=", 400), ("conv I25vbmU=", 404), ("filetype eA==", 400), ("a b c", 400),
        ("a " + String(repeating: "A", count: 4000), 400),
    ])
    func `metadata are read strictly`(metadata: String, status: Int) throws {
        let (tus, _) = try tus(1)
        let made = try tus.ask("POST", "/tus/", ["Upload-Length: 5", "Upload-Metadata: \(metadata)"])
        #expect(made.status == status, "\(made)")
    }

    @Test(arguments: [
        ("sha1", "Kq5sNclPz7QV2+lfQIuc6R7oRu0="), ("md5", "XrY7u+Ae7tCTyyK7j1rNww=="),
        ("sha256", "uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek="),
    ])
    func `a piece with a checksum is taken when it is right, and else dropped`(algorithm: String, digest: String) throws
    {
        let (tus, _) = try tus(2)
        let place = try tus.make(22)
        let text = Array("hello world".utf8)
        let wrong = try tus.patch(place, at: 0, Array("hello worle".utf8), "Upload-Checksum: \(algorithm) \(digest)")
        #expect(wrong.status == 460)
        #expect(try tus.offset(place) == 0)
        #expect(try tus.patch(place, at: 0, text, "Upload-Checksum: \(algorithm) \(digest)")["upload-offset"] == "11")
        #expect(try tus.patch(place, at: 11, text, "Upload-Checksum: \(algorithm) AAAA").status == 400)
        #expect(try tus.patch(place, at: 11, text, "Upload-Checksum: crc32 AAAA").status == 400)
        #expect(try tus.patch(place, at: 11, text, "Upload-Checksum: \(algorithm) \(digest)")["upload-offset"] == "22")
        let id = place.dropFirst("/tus/".count)
        #expect(try tus.daemon.fetch("/blobs/\(id)", token: tus.token).body == text + text)
    }

    @Test(arguments: [1, 2])
    func `bytes may come with the making, and an empty file is whole at once`(loops: Int) throws {
        let (tus, ann) = try tus(loops)
        let made = try tus.ask("POST", "/tus/", ["Upload-Length: 11", Tus.piece], body: Array("hello".utf8))
        #expect(made.status == 201 && made["upload-offset"] == "5")
        let place = try #require(made["location"])
        #expect(try tus.patch(place, at: 5, Array(" world".utf8))["upload-offset"] == "11")
        let whole = try tus.ask("POST", "/tus/", ["Upload-Length: 5", Tus.piece], body: Array("hello".utf8))
        #expect(whole.status == 201 && whole["upload-offset"] == "5")
        let empty = try tus.make(0)
        for place in [place, whole["location"] ?? "", empty] {
            try ann.ok("BLOB \(place.dropFirst("/tus/".count))")
        }
        #expect(try tus.ask("POST", "/tus/", ["Upload-Length: 11"], body: [1]).status == 415)
    }

    @Test func `unfinished ones count against the quota and are bounded; DELETE lets them go`() throws {
        let daemon = try RunningDaemon(.init(settings: ["limits.quota=300000"]))
        let ann = try daemon.user("ann")
        let tus = Tus(daemon: daemon, token: ann.token)
        let place = try tus.make(200_000)
        let full = try tus.ask("POST", "/tus/", ["Upload-Length: 100001"])
        #expect(full.status == 507 && full.json("code") == "QUOTA")
        try ann.upload(noise(100_001)).final.expectRefusal("QUOTA")
        #expect(try daemon.exchange("PUT", "/blobs/x", token: ann.token, body: noise(100_001)).status == 507)
        #expect(Tus.files(daemon).count == 2)
        #expect(try tus.ask("DELETE", place).status == 204 && tus.offset(place) == nil)
        #expect(Tus.files(daemon).isEmpty)
        for _ in 0..<20 { #expect(try !tus.make(10).isEmpty) }
        let many = try tus.ask("POST", "/tus/", ["Upload-Length: 10"])
        #expect(many.status == 429 && many.json("code") == "LIMIT" && many.json("limit") == "20")
        #expect(try Tus(daemon: daemon, token: daemon.user("ben").token).make(10).hasPrefix("/tus/b_"))
    }

    @Test func `a new request for an upload ends the one before it, and what that sent is kept`() throws {
        let (tus, _) = try tus(2)
        let place = try tus.make(100_000)
        let client = try tus.daemon.http()
        let head = tus.head(place, "Upload-Offset: 0", "Content-Length: 100000")
        try client.send(Array(head.utf8) + noise(100_000).prefix(30_000))
        let at = try polling(atMost: 10) { try tus.offset(place).flatMap { $0 > 0 ? $0 : nil } }
        #expect((1...30_000).contains(at ?? 0))
        #expect(try client.rest().isEmpty)
        #expect(try tus.patch(place, at: at ?? 0, noise(100_000).dropFirst(at ?? 0))["upload-offset"] == "100000")
        let id = place.dropFirst("/tus/".count)
        #expect(try tus.daemon.fetch("/blobs/\(id)", token: tus.token).body == noise(100_000))
    }

    @Test(arguments: [1, 16_384, 65_536, 131_072, 196_608, 300_000])
    func `all that has come of a piece is kept when the connection ends in its middle`(count: Int) throws {
        let (tus, _) = try tus(1)
        let place = try tus.make(400_000)
        let client = try tus.daemon.http()
        let head = tus.head(place, "Upload-Offset: 0", "Content-Length: 400000")
        try client.send(Array(head.utf8) + noise(400_000).prefix(count))
        client.halfClose()
        _ = try client.rest()
        #expect(try polling(atMost: 10) { try tus.offset(place).flatMap { $0 == count ? $0 : nil } } == count)
    }

    @Test func `what is no picture does not become one, and nothing of it is left`() throws {
        let daemon = try RunningDaemon()
        let tus = Tus(daemon: daemon, token: try daemon.user("ann").token)
        let place = try tus.make(5, "filetype aW1hZ2UvcG5n")
        let refused = try tus.patch(place, at: 0, Array("hello".utf8))
        #expect(refused.status == 400 && refused.json("field") == "type")
        #expect(try tus.offset(place) == nil)
        #expect(holds(within: 10) { Tus.files(daemon).isEmpty && blobFiles(daemon).isEmpty })
    }
}
