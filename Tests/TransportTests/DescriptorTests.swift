import CLinux
import Glibc
import SystemIO
import Testing

@testable import Transport

@Suite("Descriptors", .timeLimit(.minutes(10))) struct DescriptorTests {
    @Test func `connections over the limit are closed cleanly, the others live, and service returns`() throws {
        var settings = TransportSettings()
        let incidents = Lock<[String]>([])
        settings.connectionLimit = 3
        settings.onIncident = { line in incidents.withLock { $0.append(line) } }
        let record = Record(Happenings())
        let loops = try Loops(2, settings: settings) { _ in TestHandler(record) }
        defer { loops.stop() }
        let good = try (0..<3).map { _ in try Client(loops.address) }
        #expect(record.reaches { $0.opened == 3 })
        for _ in 0..<50 { #expect(try Client(loops.address).receiveRest() == "") }
        #expect(incidents.withLock { $0 }.count <= 2, "at most one line a second")
        #expect(incidents.withLock { $0 }.first?.contains("limit") == true)
        for client in good {
            try client.send("still here\n")
            #expect(try client.receiveText(11) == "still here\n")
        }
        good[0].close()
        #expect(record.reaches { $0.closed == 1 })
        let late = try Client(loops.address)
        try late.send("welcome\n")
        #expect(try late.receiveText(8) == "welcome\n")
    }

    @Test func `a loop out of descriptors rests instead of spinning, and recovers`() async {
        await #expect(processExitsWith: .success) { try Self.exhaust() }
    }

    /// In a process of its own, because the limit concerns all of it.
    private static func exhaust() throws {
        let incidents = Lock<[String]>([])
        var settings = TransportSettings()
        // No reserve, so that accept(2) itself fails.
        settings.reservedDescriptors = 0
        settings.onIncident = { line in incidents.withLock { $0.append(line) } }
        let record = Record(Happenings())
        let loops = try Loops(settings: settings) { _ in TestHandler(record) }
        let good = try Client(loops.address)
        let waiting = try (0..<20).map { _ in try Client(loops.address) }
        guard record.reaches({ $0.opened == 21 }) else { exit(2) }
        // Clients need descriptors too, so they are made first and the limit is lowered under them.
        let sockets = (0..<20).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
        let spare = open("/dev/null", O_RDONLY)
        close(spare)
        guard fc_set_descriptor_limit(Int(spare)) == 0 else { exit(3) }
        for number in sockets { Self.connect(number, loops.address) }
        let end = Clock.monotonicNanoseconds + 20_000_000_000
        while incidents.withLock({ $0 }).isEmpty, Clock.monotonicNanoseconds < end { pauseBriefly() }
        let before = try loops.ask { $0.turns }
        usleep(2_000_000)
        let after = try loops.ask { $0.turns }
        guard (1...40).contains(after - before) else { exit(4) }
        guard (1...4).contains(incidents.withLock { $0 }.count) else { exit(5) }
        try good.send("alive\n")
        guard try good.receiveText(6) == "alive\n" else { exit(6) }
        for client in waiting { client.close() }
        guard record.reaches({ $0.opened == 41 }) else { exit(7) }
        loops.stop()
    }

    private static func connect(_ number: Int32, _ address: String) {
        guard case .ip4(let host, let port)? = SocketAddress(address) else { exit(8) }
        var to = sockaddr_in()
        to.sin_family = sa_family_t(AF_INET)
        to.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &to.sin_addr)
        let done = withUnsafePointer(to: &to) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if done != 0 { exit(9) }
    }

    @Test(arguments: [
        ("127.0.0.1:7700", SocketAddress.ip4("127.0.0.1", port: 7700)), ("[::1]:0", .ip6("::1", port: 0)),
        ("unix:/run/x.sock", .unix(path: "/run/x.sock")),
    ])
    func `an address is read as it is written`(text: String, address: SocketAddress) {
        #expect(SocketAddress(text) == address)
        #expect(address.description == text)
    }

    @Test(arguments: [
        "", "7700", ":7700", "::1:7700", "[]:1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:+5", "unix:",
    ])
    func `what is no address is refused`(text: String) { #expect(SocketAddress(text) == nil) }

    @Test func `a host name is no address for a listener`() {
        #expect(throws: Errno.self) { try Listener(on: .ip4("localhost", port: 0), isTLS: false, kind: 0) }
    }
}
