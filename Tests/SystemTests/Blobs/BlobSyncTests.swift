import ChatTesting
import Testing

@Suite("A file is on disk before its OK")
struct BlobSyncTests {
    @Test(arguments: [1, 2])
    func `file synced, then named, then its directory synced, then its record, then OK`(loops: Int) throws {
        let directory = TemporaryDirectory()
        let log = "\(directory.path)/trace"
        let calls = "trace=rename,renameat,renameat2,fsync,fdatasync,sendto,write"
        let wrapper = ["strace", "-f", "-qq", "-s", "60", "-o", log, "-e", calls]
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"], wrapper: wrapper))
        let ann = try daemon.user("ann", TestClient.Options(isSecure: false))
        _ = try ann.upload(noise(1000, seed: 1))
        let tag = "sync-me"
        let bytes = noise(100_000)
        try ann.send(Array("@\(tag) PUT-BLOB size=\(bytes.count) type=a/b\n".utf8) + bytes)
        #expect(try ann.reply(to: tag).isOK)
        daemon.kill()
        let steps = readWhole(log).split(separator: "\n")
        let named = try #require(steps.lastIndex { $0.contains("rename") && $0.contains("/blobs/incoming-") })
        let said = try #require(steps.firstIndex { $0.contains("OK @\(tag) blob=") })
        let isSync: (Substring) -> Bool = { ($0.contains(" fsync(") || $0.contains(" fdatasync(")) }
        let before = try #require(steps[..<named].lastIndex { $0.contains(" fsync(") })
        #expect(steps[before...named].contains { $0.contains("fsync") && $0.hasSuffix("= 0") })
        #expect(said > named && steps[named..<said].filter(isSync).count >= 2, "the directory's sync and the record's")
    }

    @Test(arguments: [1, 2])
    func `a piece of an upload is synced before its offset is acknowledged`(loops: Int) throws {
        let directory = TemporaryDirectory()
        let log = "\(directory.path)/trace"
        let calls = "trace=pwrite64,fsync,fdatasync,sendto"
        let wrapper = ["strace", "-f", "-qq", "-yy", "-s", "10", "-o", log, "-e", calls]
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"], wrapper: wrapper))
        let tus = Tus(daemon: daemon, token: try daemon.user("ann").token)
        let place = try tus.make(100_000)
        #expect(try tus.patch(place, at: 0, noise(50_000)).status == 204)
        daemon.kill()
        let file = "/uploads/\(place.dropFirst("/tus/".count))>"
        let steps = readWhole(log).split(separator: "\n")
        let written = try #require(steps.lastIndex { $0.contains(" pwrite64(") && $0.contains(file) })
        let isAnswer: (Substring) -> Bool = { $0.contains(" sendto(") && $0.contains("<TCP:") }
        let synced = try #require(steps[written...].firstIndex { $0.contains(" fsync(") && $0.contains(file) })
        #expect(steps[synced...].contains(where: isAnswer), "then the answer")
        #expect(!steps[written..<synced].contains(where: isAnswer), "and none before")
    }
}
