import ChatTesting
import Testing

@Suite("The library of faults")
struct FaultLibraryTests {
    /// Calls on files that change nothing.
    private static let harmless: Set<Substring> = [
        "access", "faccessat2", "close", "dup", "epoll_ctl", "fcntl", "flock", "fstat", "getdents64", "lseek", "mmap",
        "newfstatat", "pread64", "read", "readlink", "stat", "statfs", "lstat", "getsockname", "connect",
        // Makes the control socket, which is no data.
        "bind",
    ]

    private static let kinds: [Substring: FileCall.Kind] = [
        "open": .open, "openat": .open, "creat": .open, "write": .write, "pwrite64": .write, "fsync": .fsync,
        "fdatasync": .fdatasync, "rename": .rename, "renameat": .rename, "renameat2": .rename,
        "ftruncate": .truncate, "truncate": .truncate, "fallocate": .truncate, "unlink": .unlink,
        "unlinkat": .unlink, "mkdir": .mkdir, "mkdirat": .mkdir, "chmod": .chmod, "fchmod": .chmod, "fchmodat": .chmod,
    ]

    @Test func `nothing that the kernel is asked to change in the data directory passes it by`() throws {
        let directory = TemporaryDirectory()
        let trace = directory.path + "/trace"
        let strace = ["strace", "-D", "-f", "-q", "-y", "-o", trace, "-e", "trace=file,desc", "-e", "signal=none"]
        let daemon = try RunningDaemon(unstarted: .init(wrapper: strace, hasFaults: true))
        let scenario = Scenario(daemon, fillsAhead: true)
        try scenario.run()
        #expect(scenario.ledger.isWhole, "\(scenario.ledger)")
        var seen: [FileCall.Kind: Int] = [:]
        #expect(holds(within: 10) { readWhole(trace).contains("+++ exited with 0 +++") })
        for line in readWhole(trace).split(separator: "\n") where line.contains(daemon.data) {
            let call = line.drop { $0 != " " }.drop { $0 == " " }
            let name = call.prefix { $0 != "(" }
            if call.hasPrefix("<... ") || Self.harmless.contains(name) { continue }
            let opens = name.hasPrefix("open")
            if opens, !["O_WRONLY", "O_RDWR", "O_CREAT"].contains(where: { call.contains($0) }) { continue }
            let kind = try #require(Self.kinds[name], "\(line)")
            seen[kind, default: 0] += 1
        }
        var listed: [FileCall.Kind: Int] = [:]
        for call in daemon.faults.calls { listed[call.kind, default: 0] += 1 }
        #expect(seen == listed)
        #expect(listed.count >= 8, "\(listed)")
    }
}
