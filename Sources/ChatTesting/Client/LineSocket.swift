import CLinux
import Glibc
import TLS

/// A connected socket with or without TLS that blocks its caller, but never past a deadline.
///
/// Used by one thread at a time; `TestClient` owns it.
final class LineSocket {
    private let descriptor: Int32
    private var session: TLSSession?
    private var isClosed = false
    /// Bytes of a record that OpenSSL has sealed and not sent yet: it must be asked again with the same length.
    private var sealed = 0

    private static let context: TLSContext? = {
        fc_ignore_sigpipe()
        return try? TLSContext.client()
    }()

    /// Connects to 127.0.0.1 and, with `secure`, shakes hands.
    init(port: UInt16, secure: Bool, receiveBuffer: Int32?, within seconds: Double) throws(ClientFailure) {
        fc_ignore_sigpipe()
        descriptor = Self.open(receiveBuffer: receiveBuffer)
        guard descriptor >= 0 else { throw .broken("socket: \(errorText())") }
        guard Self.connect(descriptor, to: port) else {
            isClosed = true
            Glibc.close(descriptor)
            throw .broken("connect: \(errorText())")
        }
        _ = fc_set_nodelay(descriptor)
        _ = fc_set_nonblocking(descriptor)
        if secure { try shakeHands(within: seconds) }
    }

    /// Connects to a unix socket.
    init(path: String) throws(ClientFailure) {
        fc_ignore_sigpipe()
        descriptor = fc_connect(1, path, 0)
        guard descriptor >= 0 else {
            isClosed = true
            throw .broken("connect to \(path): \(errorText())")
        }
        _ = fc_set_nonblocking(descriptor)
    }

    deinit { close() }

    /// The receive buffer has to be set before connect(2), so that the window never opens further.
    private static func open(receiveBuffer: Int32?) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        return descriptor
    }

    private static func connect(_ descriptor: Int32, to port: UInt16) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private func shakeHands(within seconds: Double) throws(ClientFailure) {
        guard let context = Self.context else { throw .broken("no TLS context") }
        session = try? TLSSession(client: context, descriptor: descriptor, serverName: "localhost")
        guard session != nil else { throw .broken("no TLS session") }
        let end = monotonicSeconds() + seconds
        while true {
            switch session?.handshake() {
            case .bytes: return
            case .wantRead: try wait(for: POLLIN, until: end, "the handshake")
            case .wantWrite: try wait(for: POLLOUT, until: end, "the handshake")
            case .closed: throw .ended(rest: "in the handshake")
            case .failed, nil: throw .broken("the handshake failed")
            }
        }
    }

    /// Reads what is there, waiting for the first byte until `end`; 0 at the end of the stream.
    func read(into buffer: inout [UInt8], until end: Double, for what: String) throws(ClientFailure) -> Int {
        while true {
            if session != nil {
                switch buffer.withUnsafeMutableBytes({ session?.read(into: $0) }) {
                case .bytes(let count): return count
                case .wantRead: try wait(for: POLLIN, until: end, what)
                case .wantWrite: try wait(for: POLLOUT, until: end, what)
                case .closed: return 0
                case .failed(let fault): throw .broken("read: \(fault)")
                case nil: throw .broken("closed")
                }
            } else {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count >= 0 { return count }
                guard errno == EAGAIN || errno == EINTR else { throw .broken("read: \(errorText())") }
                try wait(for: POLLIN, until: end, what)
            }
        }
    }

    /// Writes all of it, waiting for room until `end`; returns how much was taken when time ran out.
    func write(_ bytes: [UInt8], until end: Double) throws(ClientFailure) -> Int {
        if sealed > 0 {
            let rest = [UInt8](repeating: 0, count: sealed)
            guard try writePart(rest[...], until: end) else { return 0 }
            sealed = 0
        }
        var sent = 0
        while sent < bytes.count {
            let part = bytes[sent..<min(bytes.count, sent + 16_384)]
            guard try writePart(part, until: end) else {
                if session != nil { sealed = part.count }
                return sent + sealed
            }
            sent += session == nil ? lastCount : part.count
        }
        return sent
    }

    /// How much the last write without TLS took.
    private var lastCount = 0

    /// Writes one part (with TLS the whole of it); false when there was no room in time.
    private func writePart(_ part: ArraySlice<UInt8>, until end: Double) throws(ClientFailure) -> Bool {
        while true {
            let outcome = part.withUnsafeBytes { attempt($0) }
            switch outcome {
            case .bytes(let count):
                lastCount = count
                return true
            case .wantRead, .wantWrite: break
            case .closed, .failed: throw .broken("write: \(errorText())")
            }
            do { try wait(for: outcome == .wantRead ? POLLIN : POLLOUT, until: end, "room to write") } catch {
                if case .timedOut = error { return false }
                throw error
            }
        }
    }

    private func attempt(_ bytes: UnsafeRawBufferPointer) -> TLSOutcome {
        if let session { return session.write(bytes) }
        let count = fc_send(descriptor, bytes.baseAddress, bytes.count)
        if count >= 0 { return .bytes(count) }
        return errno == EAGAIN || errno == EINTR ? .wantWrite : .closed
    }

    private func wait(for events: Int32, until end: Double, _ what: String) throws(ClientFailure) {
        let left = end - monotonicSeconds()
        guard left > 0 else { throw .timedOut(what) }
        var one = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        if poll(&one, 1, Int32(min(left * 1000 + 1, 600_000))) == 0 { throw .timedOut(what) }
    }

    /// Ends our direction: a FIN; the server may still speak.
    func halfClose() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes with a reset (RST) in place of a FIN: linger 0 (socket(7)).
    func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        session = nil
        Glibc.close(descriptor)
    }
}

private func errorText() -> String { String(cString: strerror(errno)) }
