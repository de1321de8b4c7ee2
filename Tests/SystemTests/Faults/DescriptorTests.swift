import ChatTesting
import Testing

@Suite("Out of descriptors (B30)")
struct DescriptorTests {
    @Test(arguments: [1, 2])
    func `the loop does not spin, sessions go on, and service returns by itself`(loops: Int) throws {
        let wrapper = ["sh", "-c", "ulimit -n 64; exec \"$@\"", "sh"]
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"], wrapper: wrapper))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        try ben.ok("SUB #lobby")
        let raw = TestClient.Options(isSecure: false, readsHi: false)
        let crowd = try (0..<200).map { _ in try TestClient(port: daemon.plainPort, raw) }
        try ann.ok("SEND #lobby begin")
        let (cpu, start, logged) = (daemon.cpuSeconds, monotonicSeconds(), lines(daemon))
        for number in 0..<30 {
            try ann.ok("SEND #lobby \(number)")
            pauseThread(0.1)
        }
        let seconds = monotonicSeconds() - start
        #expect(daemon.cpuSeconds - cpu < seconds * 0.25, "\(daemon.cpuSeconds - cpu) CPU s in \(seconds) s")
        #expect(Double(lines(daemon) - logged) <= seconds + 2)
        #expect(try ben.events("msg", count: 31).count == 31)
        for client in crowd { client.close() }
        let isBack = holds(within: 10, every: 0.1) { (try? daemon.client().request("PING x"))?.isOK == true }
        #expect(isBack)
        #expect(daemon.isAlive)
        try daemon.user("cat").ok("SEND #lobby served again")
    }

    private func lines(_ daemon: RunningDaemon) -> Int { daemon.errors.split(separator: "\n").count }
}
