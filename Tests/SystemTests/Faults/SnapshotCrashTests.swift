import ChatTesting
import Glibc
import Testing

@Suite("A snapshot that is interrupted (B23)")
struct SnapshotCrashTests {
    private static let settings = ["snapshot.journal-bytes=4096", "snapshot.interval=86400"]
    private static let text = String(repeating: "x", count: 1500)

    /// Attaches strace to the thread that writes snapshots, and waits until it holds it.
    private func trace(_ daemon: RunningDaemon, _ arguments: [String]) throws -> ChildProcess {
        let pid = try #require(daemon.process?.pid)
        let threads = entries(of: "/proc/\(pid)/task")
        let thread = try #require(threads.first { readWhole("/proc/\(pid)/task/\($0)/comm") == "snapshot\n" })
        let strace = try ChildProcess(["strace", "-qq"] + arguments + ["-p", thread])
        let isHeld = holds(within: 15, every: 0.005) {
            !readWhole("/proc/\(pid)/task/\(thread)/status").contains("TracerPid:\t0\n")
        }
        #expect(isHeld, "strace must hold the daemon: it needs the right to ptrace")
        return strace
    }

    /// Calls of a snapshot's thread, and how often one snapshot makes each of them at least. strace counts each by itself.
    private static let calls = [("openat", 6), ("pwrite64", 4), ("fsync", 6), ("rename", 4), ("unlink", 3)]

    @Test(arguments: calls)
    func `a kill at any of its calls leaves a start with everything that was acknowledged`(
        call: String,
        atLeast: Int
    ) throws {
        let daemon = try RunningDaemon(.init(settings: Self.settings))
        let snapshot = SnapshotDirectory(daemon)
        let ann = try daemon.user("ann")
        try ann.ok("CREATE #room")
        var acknowledged: [String] = []
        var (kills, wasKilled) = (0, true)
        while wasKilled, kills < 25 {
            let inject = "inject=\(call):signal=KILL:when=\(kills + 1)"
            let strace = try trace(daemon, ["-o", "/dev/null", "-e", "trace=\(call)", "-e", inject])
            try send(to: daemon, as: ann, "\(kills)", until: snapshot.generation + 3, &acknowledged)
            wasKilled = holds(within: 1) { !daemon.isAlive }
            if wasKilled { kills += 1 }
            strace.signal(SIGTERM)
            #expect(strace.wait(atMost: 10) != nil)
            try daemon.restart()
            let texts = try daemon.another(of: ann).allTexts(of: "#room")
            #expect(Set(texts).count == texts.count)
            #expect(Set(acknowledged).isSubset(of: Set(texts)), "killed at call \(kills)")
        }
        #expect(kills >= atLeast, "a snapshot makes more of these calls than \(kills)")
        #expect(daemon.terminate(within: 5) == 0)
        #expect(snapshot.files == snapshot.named)
    }

    /// Sends messages until the daemon has ended or that many snapshots are whole.
    private func send(
        to daemon: RunningDaemon,
        as user: TestClient,
        _ stem: String,
        until generation: Int,
        _ acknowledged: inout [String]
    ) throws {
        let snapshot = SnapshotDirectory(daemon)
        // What is left of the journal may have begun a snapshot, and ended the daemon, already.
        let sender = try? daemon.another(of: user)
        for number in 0..<200 where daemon.isAlive && snapshot.generation < generation {
            let text = "\(stem)-\(number)-" + Self.text
            guard let reply = try? sender?.request("SEND nonce=c\(stem)n\(number) #room \(text)") else { return }
            if reply.isOK { acknowledged.append(text) }
        }
    }

    @Test func `each file is synced before it is named, the manifest comes last, and only then the journal is trimmed`()
        throws
    {
        let daemon = try RunningDaemon(.init(settings: Self.settings))
        let snapshot = SnapshotDirectory(daemon)
        let ann = try daemon.user("ann")
        let holder = TemporaryDirectory()
        let strace = try trace(
            daemon,
            ["-y", "-o", holder.path + "/trace", "-e", "trace=pwrite64,fsync,rename,unlink"]
        )
        for _ in 0..<8 { try ann.ok("SEND #lobby \(Self.text)") }
        #expect(snapshot.isNewer(than: 1))
        strace.signal(SIGTERM)
        #expect(strace.wait(atMost: 10) != nil)
        var dirty: Set<Substring> = []
        var isDirectorySynced = true
        var (renames, manifests, trims) = (0, 0, 0)
        for line in readWhole(holder.path + "/trace").split(separator: "\n") {
            let path = line.split(separator: "<").dropFirst().first?.split(separator: ">").first ?? ""
            if line.hasPrefix("pwrite64") {
                dirty.insert(path)
            } else if line.hasPrefix("fsync") {
                dirty.remove(path)
                if path.hasSuffix("/snapshot") { isDirectorySynced = true }
            } else if line.hasPrefix("rename") {
                renames += 1
                let old = line.split(separator: "\"").dropFirst().first ?? ""
                #expect(!dirty.contains(old), "\(line): it was not synced")
                if old.hasSuffix("manifest.json.tmp") {
                    manifests += 1
                    #expect(isDirectorySynced, "the names in the manifest are on disk before it")
                    #expect(dirty.isEmpty)
                }
                isDirectorySynced = false
            } else if line.hasPrefix("unlink") {
                if line.contains("/journal/") { trims += 1 }
                #expect(isDirectorySynced, "\(line): before the manifest was on disk")
            }
        }
        #expect(manifests >= 1 && renames > manifests * 3 && trims >= 1)
    }
}
