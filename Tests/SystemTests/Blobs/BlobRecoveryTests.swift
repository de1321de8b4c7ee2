import ChatTesting
import Foundation
import SystemIO
import Testing

@Suite("Files after a kill -9")
struct BlobRecoveryTests {
    @Test(arguments: [1, 2])
    func `what was acknowledged is there whole with its rights, what was not has left nothing`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        try ann.ok("CREATE private=yes #pics")
        try ann.ok("INVITE #pics ben")
        try ben.ok("JOIN #pics")
        let kept = Lock<[(path: String, hash: String, isSent: Bool)]>([])
        let isOver = Lock(false)
        let senders = (0..<4).map { number in
            {
                var round: UInt64 = 0
                while !isOver.withLock({ $0 }) {
                    guard let client = try? daemon.another(of: ann) else { pauseThread(0.02); continue }
                    do throws(ClientFailure) {
                        while true {
                            round += 1
                            let bytes = noise(Int(round * 37_123 % 500_000), seed: UInt64(number) << 32 | round)
                            let reply = try client.upload(bytes, "name=f\(number)-\(round)")
                            guard reply.isOK else { throw .unexpected(reply) }
                            let entry = (path(of: reply["url"]), sha256(bytes))
                            guard round.isMultiple(of: 2) else {
                                kept.withLock { $0.append((entry.0, entry.1, false)) }
                                continue
                            }
                            try client.ok("SEND blob=\(reply["blob"] ?? "") #pics f\(number)-\(round)")
                            kept.withLock { $0.append((entry.0, entry.1, true)) }
                        }
                    } catch {
                        guard error.isLoss else { throw error }
                    }
                }
            } as @Sendable () throws -> Void
        }
        try together(
            senders + [
                {
                    defer { isOver.withLock { $0 = true } }
                    var random = SeededRandom(seed: 90 + UInt64(loops))
                    for _ in 0..<5 {
                        pauseThread(Double.random(in: 0.1...0.6, using: &random))
                        try daemon.restart()
                    }
                    daemon.kill()
                }
            ]
        )
        try daemon.start()
        let files = blobFiles(daemon)
        #expect(!files.contains { $0.contains("incoming") })
        for file in files {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(daemon.data)/blobs/\(file)"))
            #expect(sha256(Array(bytes)) == file.replacing("/", with: ""), "half a file")
        }
        let all = kept.withLock { $0 }
        #expect(all.count > 10)
        #expect(Set(all.map(\.hash)).isSubset(of: Set(files.map { $0.replacing("/", with: "") })))
        for entry in all {
            let mine = try daemon.fetch(entry.path, token: ann.token)
            #expect(mine.status == 200 && sha256(mine.body) == entry.hash)
            #expect(try daemon.fetch(entry.path, method: "HEAD", token: ben.token).status == (entry.isSent ? 200 : 404))
        }
    }

    @Test func `files are stored once, for their owner alone, and what no record knows is swept at start`() throws {
        let daemon = try RunningDaemon(.init(umask: "0000"))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        let bytes = noise(50_000)
        let (one, two) = (try ann.upload(bytes), try ben.upload(bytes))
        #expect(one["blob"] != two["blob"] && one["sha256"] == two["sha256"])
        #expect(blobFiles(daemon) == ["\(sha256(bytes).prefix(2))/\(sha256(bytes).dropFirst(2))"])
        #expect(try blobModes(daemon).allSatisfy { $0.value == ($0.key.utf8.count == 2 ? 0o700 : 0o600) })
        let stray = sha256([1])
        let root = daemon.data + "/blobs"
        daemon.kill()
        try FileManager.default.createDirectory(atPath: "\(root)/\(stray.prefix(2))", withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: "\(root)/\(stray.prefix(2))/\(stray.dropFirst(2))"))
        try Data([1, 2]).write(to: URL(fileURLWithPath: "\(root)/incoming-7"))
        try daemon.start()
        #expect(blobFiles(daemon) == ["\(sha256(bytes).prefix(2))/\(sha256(bytes).dropFirst(2))"])
        #expect(try daemon.fetch(path(of: two["url"]), token: ben.token).body == bytes)
        #expect(try daemon.fetch(path(of: two["url"]), token: ann.token).status == 404)
    }

    @Test func `a file that is gone from the disk is the server's fault, and named in its log`() throws {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        let put = try ann.upload(noise(10))
        try FileManager.default.removeItem(atPath: "\(daemon.data)/blobs/\(try #require(blobFiles(daemon).first))")
        #expect(try daemon.fetch(path(of: put["url"]), token: ann.token).status == 500)
        #expect(daemon.errors.contains("a stored file cannot be read"))
        try ann.ok("PING on")
    }
}
