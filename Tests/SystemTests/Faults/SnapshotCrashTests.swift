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

    @Test func `a kill at any of its calls leaves a start with everything that was acknowledged`() throws {
        let daemon = try RunningDaemon(.init(settings: Self.settings))
        let snapshot = SnapshotDirectory(daemon)
        let ann = try daemon.user("ann")
        try ann.ok("CREATE #room")
        var acknowledged: [String] = []
        var (call, wasKilled) = (1, true)
        while wasKilled, call < 200 {
            let strace = try trace(
                daemon,
                ["-o", "/dev/null", "-e", "trace=openat,pwrite64,fsync,fdatasync,rename,unlink,mkdir"]
                    + ["-e", "inject=openat,pwrite64,fsync,fdatasync,rename,unlink,mkdir:signal=KILL:when=\(call)"]
            )
            let generation = snapshot.generation
            let sender = try daemon.another(of: ann)
            for number in 0..<60 where daemon.isAlive && snapshot.generation < generation + 3 {
                let text = "\(call)-\(number)-" + Self.text
                guard let reply = try? sender.request("SEND nonce=c\(call)n\(number) #room \(text)") else { break }
                if reply.isOK { acknowledged.append(text) }
            }
            wasKilled = holds(within: 1) { !daemon.isAlive }
            strace.signal(SIGTERM)
            #expect(strace.wait(atMost: 10) != nil)
            try daemon.restart()
            let texts = try daemon.another(of: ann).allTexts(of: "#room")
            #expect(Set(texts).count == texts.count)
            #expect(Set(acknowledged).isSubset(of: Set(texts)), "killed at call \(call)")
            call += 1
        }
        #expect(call > 25, "a snapshot has more calls than \(call)")
        #expect(!wasKilled)
        #expect(daemon.terminate(within: 5) == 0)
        #expect(snapshot.files == snapshot.named)
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
