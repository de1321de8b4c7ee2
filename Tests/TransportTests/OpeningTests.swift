import SystemIO
import Testing

@testable import Transport

@Suite("Opening a TLS connection", .timeLimit(.minutes(10))) struct OpeningTests {
    private static let answer = "ERR this port speaks TLS\n"

    private static func settings(handshakeSeconds: Int) -> TransportSettings {
        var settings = TransportSettings()
        settings.handshakeSeconds = handshakeSeconds
        return settings
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", "PING\n", "\n", String(repeating: "x", count: 50_000)])
    func `plain text is answered in plain text and closed at once`(text: String) throws {
        let record = Record(Happenings())
        let loops = try Loops(tls: true) { _ in TestHandler(record) }
        defer { loops.stop() }
        let client = try Client(loops.address)
        try client.send(text)
        #expect(try client.receiveRest() == Self.answer)
        client.close()
        #expect(try loops.eventually { $0.connectionCount == 0 })
        #expect(record.now == Happenings(), "the handler hears of no connection that was never open")
    }

    @Test func `a silent peer is told in plain text at the deadline`() throws {
        let record = Record(Happenings())
        let loops = try Loops(tls: true, settings: Self.settings(handshakeSeconds: 1)) { _ in TestHandler(record) }
        defer { loops.stop() }
        let client = try Client(loops.address)
        #expect(try client.receiveRest() == Self.answer)
        client.close()
        #expect(try loops.eventually { $0.connectionCount == 0 })
    }

    @Test func `the deadline is total time, whatever trickles in`() throws {
        let record = Record(Happenings())
        let loops = try Loops(tls: true, settings: Self.settings(handshakeSeconds: 1)) { _ in TestHandler(record) }
        defer { loops.stop() }
        let begin = Clock.monotonicNanoseconds
        let client = try Client(loops.address)
        // A ClientHello of 512 bytes that never becomes whole.
        try client.send([0x16, 3, 1, 2, 0])
        let gone = Lock(false)
        var sent = 0
        while !gone.withLock({ $0 }), sent < 2000 {
            do { try client.send([1]) } catch { gone.withLock { $0 = true } }
            sent += 1
            pauseBriefly()
            let left = try loops.ask { $0.connectionCount }
            if left == 0 { gone.withLock { $0 = true } }
        }
        #expect(gone.withLock { $0 })
        #expect(Clock.monotonicNanoseconds - begin < 3_000_000_000)
        #expect(record.now.opened == 0)
    }

    @Test func `a crowd of half handshakes does not keep good ones waiting`() throws {
        let record = Record(Happenings())
        let loops = try Loops(tls: true) { _ in TestHandler(record) }
        defer { loops.stop() }
        let silent = try (0..<100).map { _ in try Client(loops.address) }
        let half = try (0..<100).map { _ in try Client(loops.address) }
        for client in half { try client.send([0x16, 3, 1, 2, 0, 1, 0, 1]) }
        let begin = Clock.monotonicNanoseconds
        for _ in 0..<10 {
            let good = try Client(loops.address, tls: true)
            try good.send("hello\n")
            #expect(try good.receiveText(6) == "hello\n")
        }
        #expect(Clock.monotonicNanoseconds - begin < 5_000_000_000)
        let before = try loops.ask { $0.turns }
        #expect(try loops.ask { $0.turns } - before < 5, "waiting handshakes keep the loop awake")
        for client in silent + half { client.reset() }
        #expect(record.reaches { $0.closed == 10 })
    }

    @Test func `many handshakes at once all succeed though a turn does only few`() throws {
        var settings = TransportSettings()
        (settings.handshakesPerTurn, settings.acceptsPerTurn) = (1, 3)
        let record = Record(Happenings())
        let loops = try Loops(tls: true, settings: settings) { _ in TestHandler(record) }
        defer { loops.stop() }
        let threads = (0..<8).map { index in
            SystemIO.Thread(name: "client \(index)") {
                for _ in 0..<5 {
                    guard let client = try? Client(loops.address, tls: true), (try? client.send("hi\n")) != nil,
                        (try? client.receiveText(3)) == "hi\n"
                    else {
                        Issue.record("a client was not served")
                        return
                    }
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(record.now.opened == 40)
        #expect(record.reaches { $0.closed == 40 })
    }

    @Test func `garbage after a handshake's first byte ends the connection and nothing else`() throws {
        let record = Record(Happenings())
        let loops = try Loops(tls: true) { _ in TestHandler(record) }
        defer { loops.stop() }
        let bad = try Client(loops.address)
        try bad.send([0x16] + [UInt8](repeating: 0xFF, count: 3000))
        _ = try? bad.receiveRest()
        bad.close()
        #expect(try loops.eventually { $0.connectionCount == 0 })
        #expect(record.now.opened == 0)
    }
}
