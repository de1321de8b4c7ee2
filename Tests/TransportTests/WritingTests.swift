import Bytes
import COpenSSL
import Glibc
import SystemIO
import Testing

@testable import TLS
@testable import Transport

@Suite("Writing", .timeLimit(.minutes(10))) struct WritingTests {
    private static let stream = (0..<8_000_000).map(pattern)

    /// A handler that sends the pattern in pieces of 1 byte to 100 KB whenever the connection takes bytes.
    private static func pouring(_ record: Record, _ peak: Lock<Int>, total: Int, seed: UInt64) -> TestHandler {
        var (sent, random) = (0, Seeded(seed))
        func pour(_ connection: Connection) {
            while sent < total && !connection.isBlocked && !connection.isClosing {
                let limit = Bool.random(using: &random) ? 300 : 100_000
                let end = min(total, sent + Int.random(in: 1...limit, using: &random))
                stream[sent..<end].withUnsafeBytes { connection.write($0) }
                sent = end
                let waiting = connection.overflow.count
                peak.withLock { $0 = max($0, waiting) }
            }
            if sent == total { connection.finish() }
        }
        return TestHandler(record) { handler in
            handler.onOpened = pour
            handler.onWritable = pour
            handler.onReceived = { _, bytes in bytes.count }
        }
    }

    @Test(arguments: [false, true], [11, 12] as [UInt64])
    func `a slow reader with a small window gets exactly the bytes, and little waits for it`(
        tls: Bool,
        seed: UInt64
    ) throws {
        let (record, peak, total) = (Record(Happenings()), Lock(0), 8_000_000)
        let loops = try Loops(tls: tls) { _ in Self.pouring(record, peak, total: total, seed: seed) }
        defer { loops.stop() }
        let client = try Client(loops.address, tls: tls, receiveBuffer: 2048)
        var (at, random) = (0, Seeded(seed))
        while true {
            let some = try client.receiveSome(Int.random(in: 1...20_000, using: &random))
            if some.isEmpty { break }
            guard at + some.count <= total, some[...] == Self.stream[at..<at + some.count] else {
                throw TestFailure("other bytes at \(at)")
            }
            at += some.count
            if at % 7 == 0 { try client.send("go on\n") }
        }
        #expect(at == total)
        #expect(record.now.writable > 0, "the reader was never too slow, so nothing was tested")
        #expect(peak.withLock { $0 } <= 100_000)
        #expect(record.reaches { $0.closed == 1 })
    }

    @Test func `changes of keys demanded by a peer that does not read never put other bytes in its stream`() throws {
        let (record, peak, total) = (Record(Happenings()), Lock(0), 6_000_000)
        let loops = try Loops(tls: true) { _ in Self.pouring(record, peak, total: total, seed: 5) }
        defer { loops.stop() }
        let client = try Client(loops.address, tls: true, receiveBuffer: 2048)
        guard let session = client.session else { throw TestFailure("no session") }
        var at = 0
        var refused = 0
        while true {
            let some = try client.receiveSome(4096)
            if some.isEmpty { break }
            guard at + some.count <= total, some[...] == Self.stream[at..<at + some.count] else {
                throw TestFailure("other bytes at \(at)")
            }
            at += some.count
            if SSL_key_update(session.handle, SSL_KEY_UPDATE_REQUESTED) != 1 { refused += 1 }
            try client.send("x")
        }
        #expect(at == total)
        #expect(refused == 0)
    }

    @Test func `a write that OpenSSL could not even seal is tried again with its own bytes`() throws {
        let record = Record(Happenings())
        // A unix socket takes whole writes only, so that it can be full with nothing blocked yet.
        let path = try TestDirectory.path("sealing.sock")
        let loops = try Loops(tls: true, on: .unix(path: path)) { _ in
            TestHandler(record) { $0.onReceived = { _, bytes in bytes.count } }
        }
        defer { loops.stop() }
        let client = try Client(loops.address, tls: true)
        guard let session = client.session else { throw TestFailure("no session") }
        #expect(record.reaches { $0.opened == 1 })
        let filled = try loops.ask { loop -> Int in
            guard let connection = loop.connections[0] else { return 0 }
            var count = 0
            while !connection.isBlocked && !Self.isFull(connection.descriptor) {
                Self.stream[count..<count + 100].withUnsafeBytes { connection.write($0) }
                count += 100
            }
            return connection.isBlocked ? 0 : count
        }
        #expect(filled > 0)
        #expect(SSL_key_update(session.handle, SSL_KEY_UPDATE_REQUESTED) == 1)
        try client.send("x")
        #expect(try loops.eventually { record.now.received == 1 || $0.connections[0]?.readNeedsOutput == true })
        let state = try loops.ask { loop -> [Int] in
            guard let connection = loop.connections[0] else { return [] }
            Self.stream[filled..<filled + 40_000].withUnsafeBytes { connection.write($0) }
            return [connection.isBlocked ? 1 : 0, connection.sealed, connection.overflow.count]
        }
        #expect(state == [1, 0, 40_000], "the case this test is about did not come up")
        #expect(try client.receive(filled + 40_000)[...] == Self.stream[..<(filled + 40_000)])
        #expect(record.reaches { $0.received == 1 && $0.writable == 1 })
    }

    /// Whether the kernel takes no further write (SO_MEMINFO: what is allocated against the buffer's size).
    private static func isFull(_ descriptor: Int32) -> Bool {
        var numbers = [UInt32](repeating: 0, count: 16)
        var size = socklen_t(numbers.count * 4)
        guard getsockopt(descriptor, SOL_SOCKET, 55, &numbers, &size) == 0 else { return true }
        return numbers[2] >= numbers[3]
    }

    @Test(arguments: [false, true])
    func `what waits for a blocked reader takes no memory once it has left`(tls: Bool) throws {
        let record = Record(Happenings())
        let loops = try Loops(tls: tls) { _ in TestHandler(record) }
        defer { loops.stop() }
        let client = try Client(loops.address, tls: tls, receiveBuffer: 2048)
        let bytes = [UInt8](repeating: 0x42, count: 12_000_000)
        #expect(record.reaches { $0.opened == 1 })
        _ = try loops.ask { loop in loop.forEachConnection { c in bytes.withUnsafeBytes { c.write($0) } } }
        let waiting = try loops.ask { $0.connections.compactMap { $0?.overflow.count }.first ?? 0 }
        #expect(waiting > 0)
        #expect(try client.receive(bytes.count) == bytes)
        #expect(try loops.eventually { loop in loop.connections.contains { $0?.isBlocked == false } })
        #expect(try loops.ask { $0.connections.compactMap { $0?.overflow.capacity } } == [0])
        #expect(
            try loops.ask { $0.connections.compactMap { $0?.interest.rawValue } } == [Poller.Interest.input.rawValue]
        )
    }

    @Test(arguments: [false, true])
    func `a reader that takes nothing is cut off in time, one that takes a little is not`(tls: Bool) throws {
        var settings = TransportSettings()
        settings.stallMilliseconds = 700
        let record = Record(Happenings())
        let loops = try Loops(tls: tls, settings: settings) { _ in TestHandler(record) }
        defer { loops.stop() }
        let dead = try Client(loops.address, tls: tls, receiveBuffer: 2048)
        let slow = try Client(loops.address, tls: tls, receiveBuffer: 16384)
        #expect(record.reaches { $0.opened == 2 })
        let bytes = [UInt8](repeating: 0x43, count: 12_000_000)
        _ = try loops.ask { loop in loop.forEachConnection { c in bytes.withUnsafeBytes { c.write($0) } } }
        let begin = Clock.monotonicNanoseconds
        while Clock.monotonicNanoseconds - begin < 3_000_000_000 {
            _ = try slow.receiveSome(16384)
            usleep(20_000)
        }
        #expect(record.now.closed == 1)
        #expect(try slow.receive(100_000).count == 100_000)
        dead.close()
    }
}
