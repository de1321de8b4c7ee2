import ChatTesting
import Foundation
import Testing

@Suite("Uploads in pieces go on after a kill -9")
struct TusRecoveryTests {
    @Test(arguments: [1, 2])
    func `from what was acknowledged at least, until they are whole`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"], umask: "0000"))
        let ann = try daemon.user("ann")
        let tus = Tus(daemon: daemon, token: ann.token)
        let bytes = noise(1_000_000)
        let place = try tus.make(bytes.count, "filename YmlnLmJpbg==")
        var random = SeededRandom(seed: UInt64(loops))
        var acknowledged = 0
        while acknowledged < bytes.count {
            let client = try daemon.http()
            let end = min(bytes.count, acknowledged + Int.random(in: 1...300_000, using: &random))
            let head = tus.head(
                place,
                "Upload-Offset: \(acknowledged)",
                "Content-Length: \(end - acknowledged)"
            )
            let isCut = Bool.random(using: &random)
            let sent = isCut ? Int.random(in: acknowledged...end, using: &random) : end
            try client.send(Array(head.utf8) + bytes[acknowledged..<sent])
            if sent == end {
                #expect(try client.answer()["upload-offset"] == "\(end)")
                acknowledged = end
            }
            try daemon.restart()
            let offset = try #require(try tus.offset(place))
            #expect((acknowledged...max(acknowledged, sent)).contains(offset))
            acknowledged = offset
        }
        let id = place.dropFirst("/tus/".count)
        #expect(try daemon.fetch("/blobs/\(id)", token: ann.token).body == bytes)
        #expect(try ann.user == daemon.another(of: ann).ok("WHOAMI")["user"])
        #expect(Tus.files(daemon).isEmpty)
    }

    @Test func `their files are for the daemon alone, and name nothing that a client said`() throws {
        let daemon = try RunningDaemon(.init(umask: "0000"))
        let tus = Tus(daemon: daemon, token: try daemon.user("ann").token)
        // filename "../../x"
        let place = try tus.make(10, "filename Li4vLi4veA==")
        let id = String(place.dropFirst("/tus/".count))
        #expect(Tus.files(daemon) == [id, id + ".json"])
        func mode(_ path: String) throws -> Int {
            let found = try FileManager.default.attributesOfItem(atPath: daemon.data + path)[.posixPermissions]
            return (found as? NSNumber)?.intValue ?? -1
        }
        #expect(try mode("/uploads") == 0o700)
        #expect(try mode("/uploads/\(id)") == 0o600 && mode("/uploads/\(id).json") == 0o600)
    }

    @Test func `a piece that was to be compared and was not is dropped`() throws {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        let tus = Tus(daemon: daemon, token: ann.token)
        let place = try tus.make(100_000)
        #expect(try tus.patch(place, at: 0, noise(10)).status == 204)
        let client = try daemon.http()
        let head = tus.head(
            place,
            "Upload-Offset: 10",
            "Upload-Checksum: sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
            "Content-Length: 99990"
        )
        try client.send(Array(head.utf8) + noise(50_000))
        let file = "\(daemon.data)/uploads/\(place.dropFirst("/tus/".count))"
        let grew = holds(within: 10) {
            (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? NSNumber)?.intValue ?? 0 > 10
        }
        #expect(grew)
        try daemon.restart()
        #expect(try tus.offset(place) == 10)
        #expect(try tus.patch(place, at: 10, noise(99_990)).status == 204)
    }

    @Test func `whole ones whose record is missing become blobs at the start, the expired and strange are swept`()
        throws
    {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        let tus = Tus(daemon: daemon, token: ann.token)
        let (whole, old, kept) = (try tus.make(5), try tus.make(5), try tus.make(5))
        #expect(try tus.patch(whole, at: 0, Array("hell".utf8)).status == 204)
        daemon.kill()
        let root = daemon.data + "/uploads/"
        func file(_ place: String) -> String { root + place.dropFirst("/tus/".count) }
        try write(Array("hello".utf8), to: file(whole))
        let notes = try String(contentsOfFile: file(old) + ".json", encoding: .utf8)
        let past = notes.replacing(/"expires":\d+/, with: "\"expires\":1764500000000")
        #expect(past != notes)
        try write(Array(past.utf8), to: file(old) + ".json")
        try write([1], to: root + "stray")
        try write(Array("{}".utf8), to: root + "b_AAAAAAAAAAAAAAAAAAAAAA.json")
        try daemon.start()
        let id = String(whole.dropFirst("/tus/".count))
        #expect(try holds(within: 10) { try daemon.fetch("/blobs/\(id)", token: ann.token).status == 200 })
        #expect(try daemon.fetch("/blobs/\(id)", token: ann.token).body == Array("hello".utf8))
        #expect(try tus.offset(old) == nil && tus.offset(kept) == 0)
        let left = String(kept.dropFirst("/tus/".count))
        #expect(holds(within: 10) { Tus.files(daemon) == [left, left + ".json"] })
    }

    @Test func `one whose time is over while the server runs is gone, as is that of an erased account`() throws {
        let daemon = try RunningDaemon()
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        let tus = Tus(daemon: daemon, token: ann.token)
        let place = try tus.make(5)
        _ = try Tus(daemon: daemon, token: ben.token).make(5)
        daemon.kill()
        let notes = "\(daemon.data)/uploads/\(place.dropFirst("/tus/".count)).json"
        let soon = Int(Date().timeIntervalSince1970 * 1000) + 4000
        let text = try String(contentsOfFile: notes, encoding: .utf8)
        try write(Array(text.replacing(/"expires":\d+/, with: "\"expires\":\(soon)").utf8), to: notes)
        try daemon.start()
        #expect(try tus.offset(place) == 0)
        try daemon.operatorClient().ok("ADMIN USER delete ben")
        #expect(holds(within: 20) { Tus.files(daemon).isEmpty })
        #expect(try tus.offset(place) == nil)
    }
}
