import COpenSSL
import Glibc
import Testing

@testable import TLS

/// Two connected non-blocking sockets, closed with the value, and ways to drive a session on each in turn.
final class ConnectedPair {
    enum Kind { case unix, tcp }

    let server: Int32
    let client: Int32

    init(_ kind: Kind, sendBuffer: Int32? = nil) throws {
        let pair = kind == .unix ? Self.unix() : Self.tcp()
        (client, server) = try #require(pair)
        for number in [client, server] {
            try #require(fcntl(number, F_SETFL, O_NONBLOCK) == 0)
            // Small writes must go out at once; on a unix socket there is no such option and no such delay.
            var yes: Int32 = 1
            setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
            guard var size = sendBuffer else { continue }
            setsockopt(number, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    deinit {
        close(server)
        close(client)
    }

    private static func unix() -> (Int32, Int32)? {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { return nil }
        return (pair[0], pair[1])
    }

    private static func tcp() -> (Int32, Int32)? {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                guard bind(listener, name, size) == 0, listen(listener, 1) == 0 else { return nil }
                guard getsockname(listener, name, &size) == 0 else { return nil }
                let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                guard connect(client, name, size) == 0 else { return nil }
                let server = accept(listener, nil, nil)
                return server < 0 ? nil : (client, server)
            }
        }
    }

    /// Waits at most ten seconds until the client can read or the server write; false when neither came.
    func waitForProgress() -> Bool {
        var watched = [
            pollfd(fd: client, events: Int16(POLLIN), revents: 0),
            pollfd(fd: server, events: Int16(POLLOUT), revents: 0),
        ]
        return poll(&watched, 2, 10_000) > 0
    }

    /// Drives both handshakes until each has ended; the two outcomes.
    func shakeHands(_ client: TLSSession, _ server: TLSSession) -> (client: TLSOutcome, server: TLSOutcome) {
        var outcomes = (client: TLSOutcome.wantRead, server: TLSOutcome.wantRead)
        for _ in 0..<20 {
            if outcomes.client.isWaiting { outcomes.client = client.handshake() }
            if outcomes.server.isWaiting { outcomes.server = server.handshake() }
            if !outcomes.client.isWaiting && !outcomes.server.isWaiting { break }
            var watched = [client, server].map { pollfd(fd: SSL_get_fd($0.handle), events: Int16(POLLIN), revents: 0) }
            poll(&watched, 2, 1000)
        }
        return outcomes
    }
}

extension TLSOutcome {
    var isWaiting: Bool { self == .wantRead || self == .wantWrite }

    var isFailure: Bool {
        if case .failed = self { return true }
        return false
    }
}

extension TLSSession {
    /// Waits at most ten seconds for input; false when none came.
    func waitForInput() -> Bool {
        var watched = pollfd(fd: SSL_get_fd(handle), events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, 10_000) == 1
    }

    /// One read of what is there now.
    func readOnce(_ limit: Int = 65_536) -> (bytes: [UInt8], outcome: TLSOutcome) {
        var room = [UInt8](repeating: 0, count: limit)
        let outcome = room.withUnsafeMutableBytes { read(into: $0) }
        if case .bytes(let count) = outcome { return (Array(room.prefix(count)), outcome) }
        return ([], outcome)
    }

    /// The next bytes, or the outcome that is none; waits until something has arrived.
    func receive() -> (bytes: [UInt8], outcome: TLSOutcome) {
        while true {
            let result = readOnce()
            if result.outcome != .wantRead || !waitForInput() { return result }
        }
    }

    /// A handshake with a peer that has sent all it will.
    func conclude() -> TLSOutcome {
        while true {
            let outcome = handshake()
            if outcome != .wantRead || !waitForInput() { return outcome }
        }
    }

    func send(_ text: String) -> TLSOutcome { Array(text.utf8).withUnsafeBytes { write($0) } }
}
