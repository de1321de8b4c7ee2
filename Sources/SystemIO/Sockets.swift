import CLinux
import Glibc

/// The socket calls of Linux on descriptors that somebody else owns.
package enum Sockets {
    /// A bound and listening socket, non-blocking (listen(2)).
    /// - Throws: `Errno`, EINVAL also when the address is not numeric.
    package static func listen(on address: SocketAddress, backlog: Int32) throws(Errno) -> Descriptor {
        let (family, host, port) = address.parts
        return Descriptor(owning: try retrying("listen") { fc_listen(family, host, port, backlog) })
    }

    /// Connects, blocking (connect(2)).
    package static func connect(to address: SocketAddress) throws(Errno) -> Descriptor {
        let (family, host, port) = address.parts
        return Descriptor(owning: try retrying("connect") { fc_connect(family, host, port) })
    }

    /// The next connection that waits, non-blocking and close-on-exec; nil when none does (accept(2)). The caller owns
    /// it.
    package static func accept(from listener: Int32) throws(Errno) -> Int32? {
        do {
            return try retrying("accept") { fc_accept(listener) }
        } catch {
            if error.code == EAGAIN || error.code == EWOULDBLOCK { return nil }
            throw error
        }
    }

    /// The next byte, left where it is; nil for it when there is none yet.
    package static func peek(_ descriptor: Int32) -> (outcome: SocketOutcome, byte: UInt8) {
        var byte: UInt8 = 0
        let outcome = moved(reading: true) { fc_peek(descriptor, &byte) }
        return (outcome, byte)
    }

    /// Reads once (recv(2)). `room` is not empty.
    package static func receive(_ descriptor: Int32, into room: UnsafeMutableRawBufferPointer) -> SocketOutcome {
        moved(reading: true) { recv(descriptor, room.baseAddress, room.count, 0) }
    }

    /// Writes once, without SIGPIPE (send(2)). `bytes` is not empty.
    package static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> SocketOutcome {
        moved(reading: false) { fc_send(descriptor, bytes.baseAddress, bytes.count) }
    }

    /// Tells the peer that nothing more will come: a FIN behind what was written (shutdown(2)).
    package static func endOutput(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// "host:port", "[host]:port" or "unix:/path" of the local end, nil when it cannot be told.
    package static func localName(_ descriptor: Int32) -> String? { name(descriptor, peer: 0) }

    /// The peer's numeric address without port, "unix" for unix sockets; nil when the peer has gone already.
    package static func peerHost(_ descriptor: Int32) -> String? {
        guard let name = name(descriptor, peer: 1) else { return nil }
        if name.hasPrefix("unix:") { return "unix" }
        guard let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let host = name[..<colon]
        return host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : String(host)
    }

    /// Small lines leave at once, dead peers are noticed (tcp(7): TCP_NODELAY, SO_KEEPALIVE, TCP_USER_TIMEOUT).
    /// Failure is no harm: a peer that has gone shows itself at the next read.
    package static func tune(_ descriptor: Int32, userTimeoutMilliseconds: UInt32) {
        _ = fc_set_nodelay(descriptor)
        _ = fc_set_keepalive(descriptor)
        _ = fc_set_user_timeout(descriptor, userTimeoutMilliseconds)
    }

    /// Bytes the kernel still holds for the peer, unsent or not acknowledged; 0 when it cannot be told.
    package static func queuedOutput(_ descriptor: Int32) -> Int { max(0, Int(fc_queued_output(descriptor))) }

    /// Writing to a peer that has gone becomes an error instead of the end of the process. Once, before the first
    /// socket: OpenSSL writes with write(2), which cannot be told per call.
    package static func ignoreBrokenPipes() { fc_ignore_sigpipe() }

    /// Descriptors this process may have open (RLIMIT_NOFILE).
    package static var descriptorLimit: Int { Int(fc_descriptor_limit()) }

    @inline(__always)
    private static func moved(reading: Bool, _ body: () -> Int) -> SocketOutcome {
        while true {
            let n = body()
            if n > 0 { return .bytes(n) }
            if n == 0 { return reading ? .ended : .wouldBlock }
            let code = errno
            if code == EAGAIN || code == EWOULDBLOCK { return .wouldBlock }
            if code != EINTR { return .failed(code: code) }
        }
    }

    private static func name(_ descriptor: Int32, peer: Int32) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { room in
            let n = Int(fc_socket_name(descriptor, peer, room.baseAddress, room.count))
            guard n >= 0 else { return nil }
            return String(decoding: UnsafeRawBufferPointer(room)[..<min(n, room.count - 1)], as: UTF8.self)
        }
    }
}
