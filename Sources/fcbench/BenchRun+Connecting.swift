import CLinux
import Glibc
import SystemIO
import TLS

extension BenchRun {
    private static let setUpSeconds = 120.0
    /// The same for every server, so that encryption costs the same.
    private static let suite = "TLS_AES_128_GCM_SHA256"

    /// Opens all connections and gets each of them ready.
    /// - Throws: `BenchFailure` when one cannot be made ready within two minutes.
    func connectAll() throws(BenchFailure) {
        let end = Clock.monotonicNanoseconds + UInt64(Self.setUpSeconds * 1e9)
        let door = try door()
        var ready = 0
        while ready < options.mode.connectionCount {
            while connections.count < options.mode.connectionCount, connections.count - ready < options.crowd {
                connections.append(try open(connections.count, door))
                shakeHands(connections[connections.count - 1])
            }
            turn(milliseconds: 100)
            if let fault = firstFault { throw BenchFailure(text: "\(fault) (\(ready) connections were ready)") }
            ready = connections.count { $0.state == .ready }
            if Clock.monotonicNanoseconds > end {
                throw BenchFailure(
                    text: "only \(ready) of \(options.mode.connectionCount) connections got ready in two minutes"
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

    /// Where all connections go, and how.
    func door() throws(BenchFailure) -> (address: SocketAddress, context: TLSContext) {
        let address = try Self.address(of: options.host, port: options.port)
        do throws(TLSFailure) {
            return (address, try .client(suite: Self.suite))
        } catch { throw BenchFailure(text: error.text) }
    }

    /// A connection whose handshake has not begun, watched by the poller.
    func open(
        _ index: Int,
        _ door: (address: SocketAddress, context: TLSContext),
        ticket: TLSTicket? = nil
    ) throws(BenchFailure) -> BenchConnection {
        do {
            let descriptor =
                options.mode.isStalled(index)
                ? try NarrowSocket.connect(to: door.address) : try Sockets.connect(to: door.address)
            Sockets.tune(descriptor.number, userTimeoutMilliseconds: 30_000)
            let connection = try BenchConnection(
                index: index,
                descriptor: descriptor,
                context: door.context,
                options: options,
                ticket: ticket
            )
            try poller.add(connection.number, .input, token: UInt64(index))
            return connection
        } catch {
            throw BenchFailure(text: "\(door.address): \(error)")
        }
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
