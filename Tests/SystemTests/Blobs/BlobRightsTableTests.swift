import ChatTesting
import Testing

/// The row of files in protocol.md, Who may do what, cell by cell: a file that a member has sent.
@Suite("Who may do what with a file")
struct BlobRightsTableTests {
    /// What may be done: read on the blob port, read with conditions, be told of, linked to; links ended; deleted.
    private static let acts = ["get", "head", "range", "BLOB", "link", "links=no", "DEL-BLOB"]

    /// For each who, letters in the order of `acts`: x may, d is DENIED, - is 404 or NOT-FOUND.
    private static let table: [(who: String, letters: String)] = [
        ("uploader", "xxxxxxx"), ("owner", "xxxxxdd"), ("op", "xxxxxdd"), ("member", "xxxxxdd"), ("reader", "xxxxxdd"),
        ("outsider", "-------"), ("ejected", "-------"), ("banned", "-------"), ("guest", "-------"),
    ]

    private func who(_ name: String, _ cast: Cast, _ uploader: TestClient) -> TestClient {
        switch name {
        case "uploader": uploader
        case "owner": cast.owner
        case "op": cast.op
        case "member": cast.member
        case "reader": cast.reader
        case "outsider": cast.outsider
        case "ejected": cast.ejected
        case "banned": cast.banned
        default: cast.guest
        }
    }

    private func letter(_ act: String, _ id: String, _ client: TestClient, _ scene: Scene, tag: String) throws -> String
    {
        func status(_ method: String, _ fields: String...) throws -> String {
            let http = try scene.daemon.http()
            let lines =
                ["\(method) /blobs/\(id) HTTP/1.1", "Host: a", "Authorization: Bearer \(client.token)"] + fields
            try http.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
            let answer = try http.answer(hasBody: method == "GET")
            if answer.status == 404 { #expect(answer["etag"] == nil) }
            return answer.status == 404 ? "-" : [200, 206, 304].contains(answer.status) ? "x" : "\(answer.status)"
        }
        func reply(_ request: String) throws -> String {
            let reply = try client.request(request)
            return reply.isOK ? "x" : reply.code == "DENIED" ? "d" : reply.code == "NOT-FOUND" ? "-" : "?"
        }
        switch act {
        case "get": return try status("GET")
        case "head": return try status("HEAD", "If-None-Match: \"\(tag)\"")
        case "range": return try status("GET", "Range: bytes=0-1")
        case "BLOB": return try reply("BLOB \(id)")
        case "link": return try reply("BLOB link=1h \(id)")
        case "links=no": return try reply("BLOB links=no \(id)")
        default: return try reply("DEL-BLOB \(id)")
        }
    }

    @Test(arguments: [1, 2], [false, true])
    func `each cell is as the table says`(loops: Int, isPrivate: Bool) throws {
        let cast = try Cast(loops, isPrivate: isPrivate)
        let uploader = try cast.another("uploader")
        let put = try uploader.upload(noise(100))
        let id = put["blob"] ?? ""
        try uploader.ok("SEND blob=\(id) \(cast.room)")
        // The uploader comes last: the last thing it does ends the file.
        for (name, letters) in Self.table.reversed() {
            let client = who(name, cast, uploader)
            for (act, expected) in zip(Self.acts, letters) {
                let found = try letter(act, id, client, cast.scene, tag: put["sha256"] ?? "")
                #expect(found == String(expected), "\(name) \(act)")
            }
        }
        try uploader.expectRefusal("BLOB \(id)", "NOT-FOUND")
    }

    @Test(arguments: [1, 2])
    func `the operator deletes any, and reads none; who lost the message lost the file`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let ids = try (0..<2).map { try ann.upload(noise(100, seed: $0))["blob"] ?? "" }
        for id in ids { try ann.ok("SEND blob=\(id) \(room)") }
        let desk = try scene.daemon.operatorClient()
        try desk.expectRefusal("BLOB \(ids[0])", "DENIED")
        #expect(try desk.ok("ADMIN DEL-BLOB \(ids[0])")["blob"] == ids[0])
        try desk.expectRefusal("ADMIN DEL-BLOB \(ids[0])", "NOT-FOUND")
        try desk.expectRefusal("ADMIN DEL-BLOB b_x", "NOT-FOUND")
        try ann.expectRefusal("BLOB \(ids[0])", "NOT-FOUND")
        try ann.ok("EJECT \(room) \(ben.user)")
        for request in ["BLOB", "BLOB link=1h", "BLOB links=no", "DEL-BLOB"] {
            try ben.expectRefusal("\(request) \(ids[1])", "NOT-FOUND")
        }
        let guest = try scene.guest()
        let own = try guest.upload(noise(7))["blob"] ?? ""
        #expect(try guest.ok("BLOBS")["n"] == "1")
        let link = path(of: try guest.ok("BLOB link=1h \(own)")["url"])
        #expect(try scene.daemon.fetch(link).status == 200)
        try guest.ok("DEL-BLOB \(own)")
        #expect(try scene.daemon.fetch(link).status == 404)
    }

    @Test(arguments: [1, 2])
    func `a token reads by its scope, lists and deletes by its scope`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let id = try ann.upload(noise(100))["blob"] ?? ""
        let place = "/blobs/\(id)"
        var bots: [String: TestClient] = [:]
        for scope in ["read", "send", "manage"] {
            let token = try ann.ok("TOKEN scope=\(scope) bot-\(scope)")["token"] ?? ""
            let bot = try scene.daemon.client()
            try bot.ok("AUTH token=\(token)")
            #expect(try scene.daemon.fetch(place, token: token).status == (scope == "read" ? 200 : 401))
            bots[scope] = bot
        }
        for (scope, bot) in bots.sorted(by: { $0.key < $1.key }) {
            for request in ["BLOBS", "BLOB \(id)", "BLOB link=1h \(id)"] {
                #expect(try bot.request(request).code == (scope == "read" ? nil : "DENIED"), "\(scope) \(request)")
            }
            for request in ["BLOB links=no \(id)"] {
                #expect(try bot.request(request).code == (scope == "send" ? nil : "DENIED"), "\(scope) \(request)")
            }
        }
        #expect(try bots["read"]?.request("DEL-BLOB \(id)").code == "DENIED")
        #expect(try bots["send"]?.request("DEL-BLOB \(id)").isOK == true)
    }
}
