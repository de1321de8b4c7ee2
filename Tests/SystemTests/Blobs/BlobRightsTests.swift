import ChatTesting
import Testing

@Suite("Who may read a file (B33)")
struct BlobRightsTests {
    private func status(_ scene: Scene, _ path: String, _ client: TestClient?) throws -> Int {
        try scene.daemon.fetch(path, token: client?.token).status
    }

    @Test(arguments: [1, 2])
    func `a message carries it, as event and in history, and rights follow the message`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben, eve) = (try scene.user(), try scene.user("ben"), try scene.user("eve"))
        let room = try scene.room(of: ann, isPrivate: true, ben)
        let put = try ann.upload(tinyPicture, type: "image/png", "name=\"my cat.png\" conv=\(room)")
        let (id, place) = (put["blob"] ?? "", path(of: put["url"]))
        #expect(try status(scene, place, ann) == 200 && status(scene, place, ben) == 404)
        try ben.expectRefusal("BLOB \(id)", "NOT-FOUND")
        try ben.expectRefusal("SEND blob=\(id) \(room) mine", "NOT-FOUND", field: "blob")
        try ben.ok("SUB \(room)")
        try ann.ok("SEND blob=\(id) \(room) our cat")
        try ann.ok("SEND blob=\(id) kind=x-sticker \(room)")
        let event = try #require(try ben.event("msg"))
        let row = try #require(try ben.rows("HISTORY \(room)").first)
        for line in [event, row] {
            #expect(
                line.raw.contains(" kind=photo blob=\(id) type=image/png size=70 name=\"my cat.png\" text=\"our cat\"")
            )
        }
        let second = try #require(try ben.event("msg"))
        #expect(second["kind"] == "x-sticker" && second["blob"] == id && second.text == nil)
        #expect(try status(scene, place, ben) == 200 && status(scene, place, eve) == 404)
        let described = try ben.ok("BLOB \(id)")
        #expect(described["name"] == "my cat.png" && described["type"] == "image/png" && described["size"] == "70")
        #expect(described["url"] == put["url"])
        try eve.expectRefusal("BLOB \(id)", "NOT-FOUND")
        try ben.ok("LEAVE \(room)")
        #expect(try status(scene, place, ben) == 404)
        try ben.expectRefusal("BLOB \(id)", "NOT-FOUND")
    }

    @Test(arguments: [1, 2])
    func `who may see it may forward it, and who joins a private conversation later sees what is sent from then on`(
        loops: Int
    ) throws {
        let scene = try Scene(loops)
        let (ann, ben, eve) = (try scene.user(), try scene.user("ben"), try scene.user("eve"))
        let room = try scene.room(of: ann, isPrivate: true)
        let put = try ann.upload(noise(1000), type: "application/pdf", "name=plan.pdf")
        let (id, place) = (put["blob"] ?? "", path(of: put["url"]))
        try ann.ok("SEND blob=\(id) \(room)")
        try ann.ok("INVITE \(room) \(ben.user)")
        try ben.ok("JOIN \(room)")
        #expect(try status(scene, place, ben) == 404, "sent before the joining")
        try ann.ok("SEND blob=\(id) \(room) again")
        #expect(try status(scene, place, ben) == 200)
        #expect(try ben.rows("HISTORY limit=1 \(room)").first?["kind"] == "file")
        try ben.ok("SEND blob=\(id) @\(eve.user) look")
        #expect(try status(scene, place, eve) == 200)
        try ben.ok("LEAVE \(room)")
        #expect(try status(scene, place, ben) == 200, "it is still in the 1:1")
    }

    @Test(arguments: [1, 2])
    func `files of a public conversation are for its members`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann)
        let put = try ann.upload(noise(10))
        try ann.ok("SEND blob=\(put["blob"] ?? "") \(room)")
        let place = path(of: put["url"])
        #expect(try status(scene, place, ben) == 404)
        try ben.ok("JOIN \(room)")
        #expect(try status(scene, place, ben) == 200)
        let lobby = try ann.upload(noise(11))
        try ann.ok("SEND blob=\(lobby["blob"] ?? "") #lobby for all")
        #expect(try status(scene, path(of: lobby["url"]), ben) == 200)
    }

    @Test(arguments: [1, 2])
    func `without a token every id is 401, with one every id that is not for me is the same 404`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, eve) = (try scene.user(), try scene.user("eve"))
        let put = try ann.upload(tinyPicture, type: "image/png", "name=x.png")
        let (id, hash) = (put["blob"] ?? "", put["sha256"] ?? "")
        let other = try eve.upload(tinyPicture, type: "image/png")["blob"] ?? ""
        let swapped = String(id.map { $0.isUppercase ? Character($0.lowercased()) : Character($0.uppercased()) })
        let paths = [
            id, "\(id)/x.png", String(id.dropLast()), "\(id)A", id.uppercased(), swapped, "b_AAAAAAAAAAAAAAAAAAAAAA",
            "", "b_",
            "\(id)/a/b", "%62\(id.dropFirst())", "\(id);x", "/\(id)", "%2e%2e%2f", "..%5c", "%00", "%ff", "../\(id)",
            hash,
            "\(hash.prefix(2))/\(hash.dropFirst(2))",
        ].map { "/blobs/\($0)" }
        let conditions = [
            [], ["Range: bytes=0-1"], ["If-None-Match: \"\(hash)\""], ["If-None-Match: *"], ["If-Match: \"x\""],
            ["Range: bytes=999-"],
        ]
        for path in paths {
            for condition in conditions {
                for method in ["GET", "HEAD"] {
                    let client = try scene.daemon.http()
                    for (token, expected) in [(nil, 401), ("x", 401), (eve.token, 404)] as [(String?, Int)] {
                        let fields = condition + (token.map { ["Authorization: Bearer \($0)"] } ?? [])
                        let lines = ["\(method) \(path) HTTP/1.1", "Host: a"] + fields
                        try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
                        let answer = try client.answer(hasBody: method == "GET")
                        #expect(answer.status == expected, "\(method) \(path) \(fields)")
                        #expect(answer["etag"] == nil && answer["content-range"] == nil)
                        #expect(answer["x-content-type-options"] == "nosniff")
                    }
                }
            }
        }
        #expect(
            try scene.daemon.fetch("/blobs/\(other)", token: eve.token).body == tinyPicture,
            "the same bytes, another blob"
        )
        for path in ["//", "/blobs", "/", "/index.html"] {
            #expect(try [401, 404].contains(scene.daemon.fetch(path).status), "\(path)")
        }
        for path in ["*", "https://elsewhere/blobs/\(id)", "/blobs/\(id)%0", "/" + String(repeating: "a", count: 5000)]
        {
            #expect(try [400, 414].contains(scene.daemon.fetch(path, token: ann.token).status), "\(path.prefix(80))")
        }
    }

    @Test(arguments: [1, 2])
    func `a token that was signed out reads no more`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let place = path(of: try ann.upload(noise(5))["url"])
        #expect(try status(scene, place, ann) == 200)
        try ann.ok("LOGOUT")
        #expect(try status(scene, place, ann) == 401)
    }

    @Test(arguments: [1, 2])
    func `a message with a file may have no text and no place, and one that is not there cannot be sent`(loops: Int)
        throws
    {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let id = try ann.upload(noise(5))["blob"] ?? ""
        try ann.ok("SEND nonce=n blob=\(id) \(room)")
        #expect(try ann.ok("SEND nonce=n blob=b_AAAAAAAAAAAAAAAAAAAAAA \(room)")["dup"] == "yes")
        #expect(try ann.rows("HISTORY \(room)").first?.text == nil)
        try ann.expectRefusal("SEND blob=\(id) geo=1,2 \(room)", "BAD-ARG", field: "geo")
        try ann.expectRefusal("SEND blob=\(id) \(room)   ", "BAD-ARG", field: "text")
        for bad in ["b_AAAAAAAAAAAAAAAAAAAAAA", "b_1", "x", String(id.dropLast())] {
            try ann.expectRefusal("SEND blob=\(bad) \(room) x", "NOT-FOUND", field: "blob")
        }
        try ann.expectRefusal("BLOB link=31d \(id)", "BAD-ARG", field: "link")
    }
}
