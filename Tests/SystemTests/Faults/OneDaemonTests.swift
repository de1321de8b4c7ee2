import ChatTesting
import Glibc
import Testing

@Suite("One data directory, one daemon (B38)")
struct OneDaemonTests {
    @Test func `of twenty started at once on one directory exactly one serves, and the others end with 3`() throws {
        let directory = TemporaryDirectory()
        let ports = ["--chat", "127.0.0.1:0", "--plain", "none", "--blobs", "127.0.0.1:0"]
        let all = try (0..<20).map { number in
            try ChildProcess(
                [RunningDaemon.executable, "--data", directory.path + "/data"] + ports,
                output: directory.path + "/out\(number)"
            )
        }
        defer {
            for process in all where process.exitCode == nil {
                process.signal(SIGKILL)
                _ = process.wait(atMost: 5)
            }
        }
        #expect(holds(within: 30) { all.count { $0.exitCode == nil } == 1 })
        #expect(all.compactMap(\.exitCode).allSatisfy { $0 == 3 })
        #expect(
            holds(within: 10) {
                (0..<20).count { readWhole(directory.path + "/out\($0)").hasPrefix("READY ") } == 1
            }
        )
    }

    @Test func `after kill -9 of the holder the next one starts without help, through a link too`() throws {
        let daemon = try RunningDaemon()
        try daemon.user("ann").ok("SEND #lobby hello")
        daemon.kill()
        let link = daemon.data + "-link"
        try #require(symlink(daemon.data, link) == 0)
        let check = try FcdRun(["check"], data: link)
        #expect(check.code == 0 && check.lines.contains { $0.hasPrefix("data: sound") })
        try daemon.start()
        #expect(try FcdRun(["serve"], data: link).code == 3)
        #expect(try FcdRun(["check"], data: link).lines.contains { $0.hasPrefix("data: in use") })
        #expect(try daemon.user("ben").rows("HISTORY #lobby").count == 1)
    }
}
