import ChatTesting
import Testing

@Suite("Signed links to files")
struct BlobLinkTests {
    private func fetch(_ scene: Scene, _ place: String, method: String = "GET", _ fields: String...) throws
        -> HTTPAnswer
    {
        let client = try scene.daemon.http()
        try client.send((["\(method) \(place) HTTP/1.1", "Host: a"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
        return try client.answer(hasBody: method == "GET")
    }

    @Test(arguments: [1, 2])
    func `anybody gets the file by it, in every way a reader does, until its time is over`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let put = try ann.upload(tinyPicture, type: "image/png", "name=\"my cat.png\"")
        let id = put["blob"] ?? ""
        try ann.ok("SEND blob=\(id) @\(ben.user)")
        let reply = try ben.ok("BLOB link=1h \(id)")
        #expect(reply["url"]?.hasPrefix((put["url"] ?? "?") + "?exp=") == true && reply["expires"] != nil)
        let link = path(of: reply["url"])
        let whole = try fetch(scene, link)
        #expect(whole.status == 200 && whole.body == tinyPicture && whole["content-type"] == "image/png")
        #expect(try fetch(scene, link, method: "HEAD").status == 200)
        #expect(try fetch(scene, link, "Range: bytes=0-3").body == Array(tinyPicture.prefix(4)))
        #expect(try fetch(scene, link, "If-None-Match: *").status == 304)
        #expect(try fetch(scene, link.replacing("/my%20cat.png", with: "")).status == 200, "the name is nothing")
        let short = path(of: try ben.ok("BLOB link=1s \(id)")["url"])
        #expect(try fetch(scene, short).status == 200)
        #expect(try holds(within: 10) { try fetch(scene, short).status == 404 })
        for method in ["GET", "HEAD"] {
            for field in ["Range: bytes=0-1", "If-None-Match: *", "If-Match: \"x\""] {
                let answer = try fetch(scene, short, method: method, field)
                #expect(answer.status == 404 && answer["etag"] == nil, "\(method) \(field)")
            }
        }
        #expect(!scene.daemon.errors.contains("sig="))
    }

    @Test(arguments: [1, 2])
    func `a changed one is 404, whatever is changed, and no link is 401`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let id = try ann.upload(noise(10))["blob"] ?? ""
        let other = try ann.upload(noise(20))["blob"] ?? ""
        let link = path(of: try ann.ok("BLOB link=1h \(id)")["url"])
        let sig = try #require(link.firstRange(of: "sig="))
        let changed = [
            link.replacing(id, with: other), link.replacing("exp=1", with: "exp=2"),
            link.replacing("exp=", with: "exp=0"),
            link.replacing("exp=", with: "exp=+"), link.replacing("exp=", with: "exq="), link + "0", link + "&x=1",
            String(link.dropLast()), String(link.dropLast(2)) + "zz",
            link[..<sig.upperBound] + link[sig.upperBound...].uppercased(), String(link[..<sig.upperBound]),
            link.replacing("?", with: "?exp=1&"), link.replacing(id, with: "b_AAAAAAAAAAAAAAAAAAAAAA"),
            link.replacing(id, with: "x"),
        ]
        for place in changed where place != link {
            #expect(try fetch(scene, String(place)).status == 404, "\(place)")
        }
        for place in ["/blobs/\(id)", "/blobs/\(id)?exp=9999999999", "/blobs/\(id)?x", "/blobs/\(id)?"] {
            #expect(try fetch(scene, place).status == 401, "\(place)")
        }
        let bearer = "Authorization: Bearer \(ann.token)"
        #expect(try fetch(scene, link + "0", bearer).status == 200, "the token is good")
        #expect(try fetch(scene, link, "Authorization: Bearer x").status == 200, "the link is good")
        #expect(try fetch(scene, link + "0", "Authorization: Bearer x").status == 401)
    }

    @Test(arguments: [1, 2])
    func `it outlives its maker's ejection and a restart, and ends with the conversation or by links=no`(loops: Int)
        throws
    {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        var (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        try ann.ok("CREATE private=yes #den")
        try ann.ok("INVITE #den ben")
        try ben.ok("JOIN #den")
        let id = try ann.upload(noise(10))["blob"] ?? ""
        let spare = try ann.upload(noise(20))["blob"] ?? ""
        for blob in [id, spare] { try ann.ok("SEND blob=\(blob) #den") }
        let (link, second) = (
            path(of: try ben.ok("BLOB link=30d \(id)")["url"]), path(of: try ann.ok("BLOB link=1h \(spare)")["url"])
        )
        try ann.ok("EJECT #den ben")
        try daemon.operatorClient().ok("ADMIN SNAPSHOT")
        try daemon.restart()
        (ann, ben) = (try daemon.another(of: ann), try daemon.another(of: ben))
        #expect(try daemon.fetch(link).status == 200 && daemon.fetch(second).status == 200)
        try ben.expectRefusal("BLOB link=1h \(id)", "NOT-FOUND")
        try ann.ok("BLOB links=no \(spare)")
        #expect(try daemon.fetch(second).status == 404 && daemon.fetch(link).status == 200)
        try ann.ok("DROP #den")
        #expect(try daemon.fetch(link).status == 404)
        try daemon.restart()
        #expect(try daemon.fetch(link).status == 404 && daemon.fetch(second).status == 404)
        #expect(try daemon.another(of: ann).ok("BLOBS")["n"] == "0")
    }
}
