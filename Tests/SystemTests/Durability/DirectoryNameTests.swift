import ChatTesting
import Testing

@Suite("The name of a new data directory")
struct DirectoryNameTests {
    @Test func `is on disk, with all that are above it, before anything in it is written`() throws {
        let directory = TemporaryDirectory()
        let trace = directory.path + "/trace"
        let strace = ["strace", "-D", "-f", "-qq", "-y", "-o", trace, "-e", "trace=mkdir,fsync,pwrite64"]
        let daemon = try RunningDaemon(.init(wrapper: strace, data: directory.path + "/new/data"))
        daemon.kill()
        let lines = readWhole(trace).split(separator: "\n")
        let written = try #require(lines.firstIndex { $0.contains("pwrite64") })
        for (above, name) in [(directory.path, "/new"), (directory.path + "/new", "/data")] {
            let made = try #require(
                lines.firstIndex { $0.contains("mkdir(\"\(above)\(name)\"") && $0.hasSuffix("= 0") }
            )
            let synced = try #require(lines[made...].firstIndex { $0.contains("fsync") && $0.contains("<\(above)>") })
            #expect(synced < written)
        }
    }
}
