import ChatTesting
import Glibc
import SystemIO
import Testing

@Suite("Nothing undurable is spoken (B21)")
struct AckAfterSyncTests {
    /// Attaches strace to every thread of the daemon and waits until it holds them.
    private func trace(_ daemon: RunningDaemon, _ arguments: [String]) throws -> ChildProcess {
        let pid = try #require(daemon.process?.pid)
        let strace = try ChildProcess(["strace", "-f", "-qq"] + arguments + ["-p", "\(pid)"])
        let isHeld = holds(within: 15, every: 0.02) {
            let threads = readNames("/proc/\(pid)/task")
            return !threads.isEmpty
                && threads.allSatisfy { !readWhole("/proc/\(pid)/task/\($0)/status").contains("TracerPid:\t0\n") }
        }
        #expect(isHeld, "strace must hold the daemon: it needs the right to ptrace")
        return strace
    }

    private static let delay = 0.3

    private func detach(_ strace: ChildProcess) {
        strace.signal(SIGTERM)
        #expect(strace.wait(atMost: 10) != nil)
    }

    @Test(arguments: [1, 2])
    func `with a sync of 0.3 s no OK, event, read, refusal or repeat shows it earlier`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben, cat) = (try daemon.user("ann"), try daemon.user("ben"), try daemon.user("cat"))
        let other = try daemon.another(of: ann)
        try ben.ok("SUB #lobby")
        let syncs = "fdatasync,fsync,sync_file_range"
        let strace = try trace(
            daemon,
            ["-o", "/dev/null", "-e", "trace=\(syncs)", "-e", "inject=\(syncs):delay_enter=300000"]
        )
        defer { detach(strace) }
        for number in 0..<2 {
            let start = monotonicSeconds()
            try ann.send("@x SEND nonce=n\(number) #lobby slow-\(number)\n")
            pauseThread(0.03)
            try other.send("@y SEND nonce=n\(number) #lobby slow-\(number)\n")
            let row = try cat.rows("HISTORY limit=1 #lobby").first
            #expect(row?.text != "slow-\(number)" || monotonicSeconds() - start >= Self.delay - 0.01)
            let preview = try cat.rows("CONVS").first { $0["conv"] == "#lobby" }?["preview"]
            #expect(preview != "slow-\(number)" || monotonicSeconds() - start >= Self.delay - 0.01)
            let sent = try ann.reply(to: "x")
            #expect(sent.isOK && monotonicSeconds() - start >= Self.delay - 0.01)
            #expect(try ben.event("msg")?.text == "slow-\(number)")
            let again = try other.reply(to: "y")
            #expect(again.seq == sent.seq && again["dup"] == "yes")
        }
    }

    @Test(arguments: [1, 2])
    func `the refusal of a name that another is just taking waits for the other's sync`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        let strace = try trace(
            daemon,
            ["-o", "/dev/null", "-e", "trace=fdatasync,fsync", "-e", "inject=fdatasync,fsync:delay_enter=300000"]
        )
        defer { detach(strace) }
        let start = monotonicSeconds()
        try ann.send("@x CREATE #pending\n")
        pauseThread(0.03)
        try ben.expectRefusal("CREATE #pending", "EXISTS")
        #expect(monotonicSeconds() - start >= Self.delay - 0.01)
        #expect(try ann.reply(to: "x").isOK)
    }

    @Test(arguments: [1, 2])
    func `each OK and event leaves after a sync that began after its record was written`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let plain = TestClient.Options(isSecure: false)
        let users = try (0..<10).map { try daemon.user("user\($0)", plain) }
        let reader = try daemon.user("reader", plain)
        try reader.ok("SUB #lobby")
        let directory = TemporaryDirectory()
        let log = "\(directory.path)/trace"
        let calls = "trace=write,writev,pwrite64,pwritev,sendto,sendmsg,fdatasync,fsync"
        let strace = try trace(daemon, ["-o", log, "-s", "200000", "-e", calls])
        for (index, user) in users.enumerated() {
            try user.send((0..<20).map { "@u\(index)n\($0) SEND #lobby text.\(index).\($0).end\n" }.joined())
        }
        for (index, user) in users.enumerated() {
            for number in 0..<20 { #expect(try user.reply(to: "u\(index)n\(number)", within: 60).isOK) }
        }
        #expect(try reader.events("msg", count: 200, within: 60).count == 200)
        detach(strace)
        let trace = SystemCallTrace(readWhole(log))
        #expect(trace.faults.isEmpty, "\(trace.faults.prefix(3))")
        #expect(trace.spokenOK == 200 && trace.spokenEvents == 200)
    }
}

/// The names in a directory (readdir(3)) that are no dot names.
private func readNames(_ path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if !name.hasPrefix(".") { names.append(name) }
    }
    return names
}
