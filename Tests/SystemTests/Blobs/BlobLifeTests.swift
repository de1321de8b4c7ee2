import ChatTesting
import Testing

@Suite("How long a file stays")
struct BlobLifeTests {
    private func status(_ scene: Scene, _ path: String, _ client: TestClient?) throws -> Int {
        try scene.daemon.fetch(path, token: client?.token).status
    }

    @Test(arguments: [1, 2])
    func `a file ends with its last message, for all and with its links, and gives its quota back`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let put = try ann.upload(noise(10_000, seed: 1), "name=a.bin")
        let (id, place) = (put["blob"] ?? "", path(of: put["url"]))
        let seqs = try (0..<2).map { _ in try ann.ok("SEND blob=\(id) \(room)").seq }
        let link = path(of: try ben.ok("BLOB link=1h \(id)")["url"])
        try ann.ok("DELETE \(room) \(seqs[0])")
        #expect(try status(scene, link, nil) == 200 && status(scene, place, ben) == 200)
        #expect(try ann.ok("BLOBS")["used"] == "10000")
        try ann.ok("DELETE \(room) \(seqs[1])")
        #expect(
            try status(scene, link, nil) == 404 && status(scene, place, ben) == 404 && status(scene, place, ann) == 404
        )
        #expect(try ann.ok("BLOBS")["used"] == "0")
        try ann.expectRefusal("SEND blob=\(id) \(room)", "NOT-FOUND", field: "blob")
    }

    @Test(arguments: [1, 2])
    func `DEL-BLOB takes it away, once; messages keep their lines`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let put = try ann.upload(tinyPicture, type: "image/png", "name=cat.png")
        let (id, place) = (put["blob"] ?? "", path(of: put["url"]))
        try ann.ok("SEND blob=\(id) \(room) our cat")
        let before = try ben.rows("HISTORY \(room)").map(\.withoutTag)
        try ben.ok("SUB \(room)")
        #expect(try ann.ok("DEL-BLOB \(id)")["blob"] == id)
        try ann.expectRefusal("DEL-BLOB \(id)", "NOT-FOUND")
        for client in [ann, ben] {
            #expect(try status(scene, place, client) == 404)
            try client.expectRefusal("BLOB \(id)", "NOT-FOUND")
        }
        #expect(try ben.rows("HISTORY \(room)").map(\.withoutTag) == before)
        #expect(try ben.event("msg", within: 0.2) == nil && ann.rows("BLOBS").isEmpty)
    }

    @Test(arguments: [1, 2])
    func `BLOBS lists what is mine, in pages, with the quota`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let ids = try (0..<5).map { try ann.upload(noise(5000 + $0), "name=\"f \($0)\"")["blob"] ?? "" }
        let first = try ann.request("BLOBS limit=3")
        #expect(first.rows.map { $0["blob"] } == Array(ids.prefix(3)))
        #expect(first.rows.first?.withoutTag.contains(" name=\"f 0\" type=application/octet-stream size=5000") == true)
        #expect(
            first["n"] == "3" && first["more"] == "yes" && first["used"] == "25010" && first["quota"] == "1073741824"
        )
        let second = try ann.request("BLOBS after=\(ids[2]) limit=3")
        #expect(second.rows.map { $0["blob"] } == Array(ids.suffix(2)) && second["more"] == "no")
        try ann.expectRefusal("BLOBS limit=201", "BAD-ARG", field: "limit")
        try ann.expectRefusal("BLOBS after=b_x", "NOT-FOUND", field: "after")
        #expect(try scene.user("ben").rows("BLOBS").isEmpty)
    }

    @Test func `the file goes from the disk, unless somebody has put the same bytes; after kill -9 it is as it was`()
        throws
    {
        let daemon = try RunningDaemon()
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        let (one, two) = (try ann.upload(noise(100)), try ben.upload(noise(100)))
        let lone = try ann.upload(noise(200))
        try ann.ok("DEL-BLOB \(one["blob"] ?? "")")
        try ann.ok("DEL-BLOB \(lone["blob"] ?? "")")
        #expect(holds(within: 5) { blobFiles(daemon).count == 1 })
        #expect(try daemon.fetch(path(of: two["url"]), token: ben.token).body == noise(100))
        try daemon.restart()
        #expect(blobFiles(daemon).count == 1 && !daemon.errors.contains("were removed"))
        #expect(try daemon.fetch(path(of: one["url"]), token: ann.token).status == 404)
        #expect(try daemon.fetch(path(of: two["url"]), token: ben.token).body == noise(100))
        #expect(try daemon.another(of: ann).ok("BLOBS")["used"] == "0")
        #expect(try daemon.terminate() == 0 && FcdRun(["check"], data: daemon.data).code == 0)
    }

    @Test(arguments: ["sync", "interval"])
    func `what nothing uses ends after its time, with its file`(durability: String) throws {
        let daemon = try RunningDaemon(.init(settings: ["limits.blob-unused=1", "durability=\(durability)"]))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        let face = try ann.upload(tinyPicture, type: "image/png", "name=me.png")
        try ann.ok("PROFILE avatar=\(face["blob"] ?? "")")
        let sent = try ann.upload(noise(100))
        try ann.ok("SEND blob=\(sent["blob"] ?? "") #lobby")
        let unused = try ann.upload(noise(200))
        #expect(try holds(within: 10) { try daemon.fetch(path(of: unused["url"]), token: ann.token).status == 404 })
        #expect(holds(within: 10) { blobFiles(daemon).count == 2 }, "\(blobFiles(daemon))")
        for put in [face, sent] { #expect(try daemon.fetch(path(of: put["url"]), token: ben.token).status == 200) }
        try ann.ok("PROFILE avatar=\"\"")
        #expect(try holds(within: 10) { try daemon.fetch(path(of: face["url"]), token: ann.token).status == 404 })
        #expect(holds(within: 10) { blobFiles(daemon).count == 1 }, "\(blobFiles(daemon))")
    }

    @Test func `a backup that runs while files are deleted is whole, and the files go when it ends`() throws {
        let daemon = try RunningDaemon(.init(settings: ["snapshot.interval=86400"]))
        let ann = try daemon.user("ann")
        let early = try ann.upload(noise(1000, seed: 1))
        let kept = try (2..<5).map { try ann.upload(noise(1000, seed: $0)) }
        for put in kept { try ann.ok("SEND blob=\(put["blob"] ?? "") #lobby") }
        try ann.ok("DEL-BLOB \(early["blob"] ?? "")")
        let hold = try daemon.operatorClient()
        try hold.ok("ADMIN BACKUP")
        let files = blobFiles(daemon)
        for seq in try ann.rows("HISTORY #lobby").compactMap({ $0["seq"] }) { try ann.ok("DELETE #lobby \(seq)") }
        #expect(try ann.ok("BLOBS")["used"] == "0")
        let holder = TemporaryDirectory()
        let run = try FcdRun(["backup", holder.path + "/backup"], data: daemon.data)
        #expect(run.code == 0, "\(run)")
        #expect(blobFiles(daemon) == files, "nothing was removed")
        hold.close()
        #expect(holds(within: 10) { blobFiles(daemon).isEmpty }, "\(blobFiles(daemon))")
        #expect(try FcdRun(["restore", holder.path + "/backup"], data: holder.path + "/restored").code == 0)
        #expect(try FcdRun(["check"], data: holder.path + "/restored").code == 0)
    }

    @Test func `a backup of a journal alone leaves out what has ended, and with whose account`() throws {
        let daemon = try RunningDaemon(.init(settings: ["snapshot.interval=86400"]))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        let puts = try (1..<4).map { try ann.upload(noise(1000, seed: $0)) }
        try ben.ok("SEND blob=\(try ben.upload(noise(1000, seed: 9))["blob"] ?? "") #lobby")
        try ann.ok("SEND blob=\(puts[0]["blob"] ?? "") #lobby")
        try ann.ok("DEL-BLOB \(puts[1]["blob"] ?? "")")
        try ben.ok("UNREGISTER Secret123", within: 30)
        #expect(holds(within: 10) { blobFiles(daemon).count == 2 })
        daemon.kill()
        let holder = TemporaryDirectory()
        let run = try FcdRun(["backup", holder.path + "/backup"], data: daemon.data)
        #expect(run.code == 0, "\(run)")
        #expect(try FcdRun(["restore", holder.path + "/backup"], data: holder.path + "/restored").code == 0)
        let copy = try RunningDaemon(.init(data: holder.path + "/restored"))
        #expect(blobFiles(copy).count == 2)
        #expect(try copy.another(of: ann).ok("BLOBS")["n"] == "2")
        #expect(try copy.fetch(path(of: puts[0]["url"]), token: ann.token).body == noise(1000, seed: 1))
    }
}
