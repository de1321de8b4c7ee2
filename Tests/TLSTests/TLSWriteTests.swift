import Glibc
import Testing

@testable import TLS

@Suite("A TLS write that the socket does not take") struct TLSWriteTests {
    private static let total = 1_000_000

    /// The byte at `offset` of the stream that is sent.
    private static func pattern(_ offset: Int) -> UInt8 { UInt8(truncatingIfNeeded: offset &* 2_654_435_761 >> 7) }

    /// Sends the stream in pieces; what has to be tried again is tried with other bytes, from another place.
    private struct Writer {
        let piece: Int
        var sent = 0
        var stops = 0
        var failure: TLSOutcome?
        private var retry = 0

        init(piece: Int) { self.piece = piece }

        mutating func write(until stopped: TLSSession) {
            while sent < total && failure == nil {
                let count = retry > 0 ? retry : min(piece, total - sent)
                let bytes = (0..<count).map { retry > 0 ? 0xEE : pattern(sent + $0) }
                switch bytes.withUnsafeBytes({ stopped.write($0) }) {
                case .bytes(let taken): (sent, retry) = (sent + taken, 0)
                case .wantWrite:
                    (stops, retry) = (stops + 1, count)
                    return
                case let other: failure = other
                }
            }
        }
    }

    @Test(arguments: [ConnectedPair.Kind.unix, .tcp], [1000, 16_384, 40_000])
    func `goes on with the same length from any place, and nothing is lost or doubled`(
        kind: ConnectedPair.Kind,
        piece: Int
    ) throws {
        let sockets = try ConnectedPair(kind, sendBuffer: kind == .unix ? 4096 : 32_768)
        let server = try TLSSession(server: TestCertificate().context(), descriptor: sockets.server)
        let client = try TLSSession(client: .client(), descriptor: sockets.client, serverName: "localhost")
        _ = sockets.shakeHands(client, server)

        var writer = Writer(piece: piece)
        var (received, faults) = (0, 0)
        var room = [UInt8](repeating: 0, count: 16_384)
        while received < Self.total && writer.failure == nil {
            writer.write(until: server)
            switch room.withUnsafeMutableBytes({ client.read(into: $0) }) {
            case .bytes(let count):
                for index in 0..<count where room[index] != Self.pattern(received + index) { faults += 1 }
                received += count
            case .wantRead: try #require(sockets.waitForProgress())
            case let other: writer.failure = other
            }
        }
        #expect(writer.failure == nil)
        #expect(received == Self.total && writer.sent == Self.total)
        #expect(faults == 0)
        #expect(writer.stops > 5)
    }

    @Test func `takes at most one record`() throws {
        let sockets = try ConnectedPair(.tcp)
        let server = try TLSSession(server: TestCertificate().context(), descriptor: sockets.server)
        let client = try TLSSession(client: .client(), descriptor: sockets.client, serverName: "localhost")
        _ = sockets.shakeHands(client, server)
        let bytes = [UInt8](repeating: 1, count: 40_000)
        #expect(bytes.withUnsafeBytes { server.write($0) } == .bytes(TLSSession.recordLimit))
    }

    @Test func `to a peer that is gone fails without a signal`() throws {
        let sockets = try ConnectedPair(.unix)
        let server = try TLSSession(server: TestCertificate().context(), descriptor: sockets.server)
        let client = try TLSSession(client: .client(), descriptor: sockets.client, serverName: "localhost")
        _ = sockets.shakeHands(client, server)
        shutdown(sockets.client, Int32(SHUT_RDWR))
        // SIGPIPE is for the thread that writes, and waits there for as long as it is blocked.
        var (pipe, former, waiting) = (sigset_t(), sigset_t(), sigset_t())
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, &former)
        let outcome = server.send("anybody there?")
        sigpending(&waiting)
        if sigismember(&waiting, SIGPIPE) == 0 { pthread_sigmask(SIG_SETMASK, &former, nil) }
        #expect(sigismember(&waiting, SIGPIPE) == 0)
        #expect(!outcome.isWaiting && outcome != .bytes(14))
    }
}
