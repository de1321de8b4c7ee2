import ChatTesting
import Testing

@Suite("Uploads in snapshots")
struct SnapshotUploadTests {
    @Test(arguments: [1, 2])
    func `are there after kill -9, with who may read them, and count once against the quota`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben, cyd) = (try daemon.user("ann"), try daemon.user("ben"), try daemon.user("cyd"))
        try ann.ok("CREATE private=yes #den")
        try ann.ok("INVITE #den ben")
        try ben.ok("JOIN #den")
        let sent = try ann.upload(tinyPicture, type: "image/png", "name=cat.png")
        let kept = try ann.upload(Array("hello".utf8), type: "text/plain", "name=\"a b\\\"c.txt\"")
        let (photo, note) = (sent.final["blob"] ?? "", kept.final["blob"] ?? "")
        try ann.ok("SEND blob=\(photo) #den our cat")
        try daemon.operatorClient().ok("ADMIN SNAPSHOT")
        // One more reference behind the snapshot, in the journal only.
        try ann.ok("SEND blob=\(note) @ben for you")
        let used = try quota(ann)
        try daemon.restart()
        let (ann2, ben2, cyd2) = (try daemon.another(of: ann), try daemon.another(of: ben), try daemon.another(of: cyd))
        #expect(try quota(ann2) == used)
        for reader in [ann2, ben2] {
            #expect(try reader.ok("BLOB \(photo)")["name"] == "cat.png")
            #expect(try reader.ok("BLOB \(note)")["name"] == "a b\"c.txt")
        }
        try cyd2.expectRefusal("BLOB \(photo)", "NOT-FOUND")
        let path = "/blobs/\(photo)/cat.png"
        #expect(try daemon.fetch(path, token: ben.token).body == tinyPicture)
        #expect(try daemon.fetch(path, token: cyd.token).status == 404)
    }

    private func quota(_ client: TestClient) throws -> String? {
        try client.rows("LIMITS").first { $0["key"] == "limits.quota" }?["used"]
    }
}
