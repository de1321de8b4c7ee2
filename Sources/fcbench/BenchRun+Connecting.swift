import CLinux
import Glibc
import SystemIO
import TLS

extension BenchRun {
    /// Connections in set-up at a time: a server may limit handshakes in progress.
    private static let crowd = 32
    private static let setUpSeconds = 60.0

    /// Opens all connections and gets each of them ready.
    /// - Throws: `BenchFailure` when one cannot be made ready within a minute.
    func connectAll() throws(BenchFailure) {
        let address = try Self.address(of: options.host, port: options.port)
        let context: TLSContext
        do throws(TLSFailure) { context = try .client() } catch { throw BenchFailure(text: error.text) }
        let end = Clock.monotonicNanoseconds + UInt64(Self.setUpSeconds * 1e9)
        var ready = 0
        while ready < options.mode.connectionCount {
            while connections.count < options.mode.connectionCount, connections.count - ready < Self.crowd {
                try open(address, context)
            }
            turn(milliseconds: 100)
            if let fault = firstFault { throw BenchFailure(text: "\(fault) (\(ready) connections were ready)") }
            ready = connections.count { $0.state == .ready }
            if Clock.monotonicNanoseconds > end {
                throw BenchFailure(
                    text: "only \(ready) of \(options.mode.connectionCount) connections got ready in a minute"
                )
            }
        }
    }

    /// Serves what still comes of the set-up, until it has been quiet for a fifth of a second (2 s at most).
    func settleDown() {
        for _ in 0..<10 {
            let end = Clock.monotonicNanoseconds + 200_000_000
            let before = reads
            while Clock.monotonicNanoseconds < end { turn(milliseconds: 20) }
            if reads == before { return }
        }
    }

    private func open(_ address: SocketAddress, _ context: TLSContext) throws(BenchFailure) {
        let connection: BenchConnection
        do {
            let descriptor = try Sockets.connect(to: address)
            Sockets.tune(descriptor.number, userTimeoutMilliseconds: 30_000)
            connection = try BenchConnection(
                index: connections.count,
                descriptor: descriptor,
                context: context,
                serverName: options.host
            )
            try poller.add(connection.number, .input, token: UInt64(connection.index))
        } catch {
            throw BenchFailure(text: "\(address): \(error)")
        }
        connections.append(connection)
        shakeHands(connection)
    }

    /// The first address of a host's name, or the numeric address itself (getaddrinfo(3)).
    private static func address(of host: String, port: UInt16) throws(BenchFailure) -> SocketAddress {
        var room = [CChar](repeating: 0, count: 1024)
        guard fc_resolve(host, &room, room.count) > 0 else { throw BenchFailure(text: "\(host): no such host") }
        let text = String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let first = String(text.prefix { $0 != "\n" })
        return first.contains(":") ? .ip6(first, port: port) : .ip4(first, port: port)
    }
}
