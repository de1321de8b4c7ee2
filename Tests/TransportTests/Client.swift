import Glibc
import SystemIO
import TLS

/// Lets other threads run; the caller checks a condition around it, with a deadline.
func pauseBriefly() { usleep(2000) }

/// The other end of a connection: blocking, every wait bounded by 20 seconds.
final class Client {
    let number: Int32
    private(set) var session: TLSSession?
    private var isOpen = true

    init(_ address: String, tls: Bool = false, receiveBuffer: Int32? = nil) throws {
        guard let parsed = SocketAddress(address) else { throw TestFailure("\(address) is no address") }
        number =
            try receiveBuffer.map { try Self.connect(parsed, receiveBuffer: $0) }
            ?? Sockets.connect(to: parsed).relinquish()
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard tls else { return }
        guard let context = TestIdentity.client else { throw TestFailure("no client context") }
        let session = try TLSSession(client: context, descriptor: number, serverName: "localhost")
        guard session.handshake() == .bytes(0) else { throw TestFailure("the handshake failed") }
        self.session = session
    }

    deinit { close() }

    /// A small receive window must be asked for before connecting.
    private static func connect(_ address: SocketAddress, receiveBuffer: Int32) throws -> Int32 {
        guard case .ip4(let host, let port) = address else { throw TestFailure("IPv4 only") }
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var size = receiveBuffer
        setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        var to = sockaddr_in()
        to.sin_family = sa_family_t(AF_INET)
        to.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &to.sin_addr)
        let done = withUnsafePointer(to: &to) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard done == 0 else { throw TestFailure("cannot connect") }
        return number
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { all in
            var at = 0
            while at < all.count { at += try sendOnce(UnsafeRawBufferPointer(rebasing: all[at...])) }
        }
    }

    private func sendOnce(_ bytes: UnsafeRawBufferPointer) throws -> Int {
        if let session {
            guard case .bytes(let n) = session.write(bytes) else { throw TestFailure("a TLS write failed") }
            return n
        }
        guard case .bytes(let n) = Sockets.send(number, bytes) else { throw TestFailure("a write failed") }
        return n
    }

    /// At least one byte, at most `limit`; none at the end of the stream.
    func receiveSome(_ limit: Int = 65536) throws -> [UInt8] {
        var failure: TestFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { room, count in
            let raw = UnsafeMutableRawBufferPointer(room)
            if let session {
                switch session.read(into: raw) {
                case .bytes(let n): count = n
                case .closed: count = 0
                case let other: failure = TestFailure("a TLS read came to \(other)")
                }
            } else {
                switch Sockets.receive(number, into: raw) {
                case .bytes(let n): count = n
                case .ended: count = 0
                case let other: failure = TestFailure("a read came to \(other)")
                }
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Exactly `count` bytes; fewer when the stream ends before.
    func receive(_ count: Int) throws -> [UInt8] {
        var all: [UInt8] = []
        while all.count < count {
            let some = try receiveSome(min(count - all.count, 65536))
            if some.isEmpty { return all }
            all += some
        }
        return all
    }

    func receiveText(_ count: Int) throws -> String { String(decoding: try receive(count), as: UTF8.self) }

    /// Everything up to the end of the stream.
    func receiveRest() throws -> String {
        var all: [UInt8] = []
        while true {
            let some = try receiveSome()
            if some.isEmpty { return String(decoding: all, as: UTF8.self) }
            all += some
        }
    }

    /// Ends the output only.
    func endOutput() {
        session?.shutdown()
        Sockets.endOutput(number)
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        session = nil
        _ = Glibc.close(number)
    }

    /// Closes with a reset.
    func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(number, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close()
    }
}
