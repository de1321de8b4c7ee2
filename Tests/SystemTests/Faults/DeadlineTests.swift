import ChatTesting
import SystemIO
import Testing

@Suite("Peers that never get to the point (B29)")
struct DeadlineTests {
    /// The first bytes of a ClientHello: a record of 512 bytes is announced, and not all sent.
    private static let halfHello: [UInt8] = [22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3] + [UInt8](repeating: 7, count: 60)

    @Test(arguments: [1, 2])
    func `they keep nobody from signing in, and are gone by the handshake's deadline, measured in all`(loops: Int)
        throws
    {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)", "limits.handshake-time=3"]))
        let ann = try daemon.user("ann")
        let raw = TestClient.Options(isSecure: false, readsHi: false)
        let silent = try (0..<60).map { _ in try TestClient(port: daemon.chatPort, raw) }
        let half = try (0..<60).map { _ in try TestClient(port: daemon.chatPort, raw) }
        for client in half { try client.send(Self.halfHello) }
        let trickling = try (0..<5).map { _ in try TestClient(port: daemon.chatPort, raw) }
        let start = monotonicSeconds()
        let cpu = daemon.cpuSeconds
        for number in 0..<10 {
            let fresh = monotonicSeconds()
            let client = try daemon.client()
            try client.ok("AUTH ann Secret123")
            #expect(monotonicSeconds() - fresh < 1, "login \(number)")
            for peer in trickling where number < Self.halfHello.count { try? peer.send([Self.halfHello[number]]) }
            pauseThread(0.2)
        }
        for client in half + trickling { #expect(client.isEnded(within: max(0.1, start + 5 - monotonicSeconds()))) }
        let line = try silent[0].line(within: 5)
        #expect(line.word == "BYE" && line.code == "NEED-TLS")
        for client in silent { #expect(client.isEnded(within: 5)) }
        #expect(monotonicSeconds() - start >= 2.5, "nobody is cut off early")
        #expect(daemon.cpuSeconds - cpu < 2)
        try ann.ok("SEND #lobby still here")
    }

    @Test(arguments: [true, false])
    func `who does not sign in in time hears BYE NEED-AUTH, however busy, and LOGOUT gives a new time`(secure: Bool)
        throws
    {
        let settings = ["limits.sign-in-time=2", "limits.handshake-time=1"]
        let daemon = try RunningDaemon(.init(settings: settings))
        let ann = try daemon.user("ann", .init(isSecure: secure))
        let start = monotonicSeconds()
        let client = try daemon.client(.init(isSecure: secure))
        var last = try client.request("PING x")
        while last.isOK, monotonicSeconds() - start < 6 {
            pauseThread(0.1)
            last = try client.request("PING x")
        }
        #expect(last.final.word == "BYE" && last.final.code == "NEED-AUTH", "\(last)")
        #expect((1.9...4).contains(monotonicSeconds() - start))
        #expect(client.isEnded())
        try ann.ok("SEND #lobby signed in stays")
        try ann.ok("LOGOUT")
        let out = monotonicSeconds()
        let bye = try ann.line(within: 6)
        #expect(bye.word == "BYE" && bye.code == "NEED-AUTH" && monotonicSeconds() - out > 1.5)
    }

    @Test(arguments: [true, false])
    func `who asks much, reads nothing and does not sign in is gone too`(secure: Bool) throws {
        // A second loop opens its poller some time after READY, which would count.
        let settings = ["loops=1", "limits.sign-in-time=2", "limits.handshake-time=1"]
        let daemon = try RunningDaemon(.init(settings: settings))
        let before = daemon.descriptorCount
        let options = TestClient.Options(isSecure: secure, receiveBuffer: 2048)
        let few = try (0..<5).map { _ in try daemon.client(options) }
        for client in few { try client.send(String(repeating: "HELP\n", count: 4)) }
        let many = try (0..<5).map { _ in try daemon.client(options) }
        for client in many { _ = try client.push(String(repeating: "HELP\n", count: 2000).utf8, for: 0.1) }
        #expect(daemon.descriptorCount >= before + 10)
        #expect(holds(within: 30, every: 0.1) { daemon.descriptorCount <= before })
        withExtendedLifetime((few, many)) {}
    }
}
