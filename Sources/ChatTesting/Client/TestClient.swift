/// A client for tests that speaks the line protocol and blocks its thread, never past a deadline.
///
/// Every line that comes is checked by `ReceivedLine`; every reply by the rules of protocol.md, "Lines": it carries the
/// request's tag, and no event stands inside it.
///
/// `@unchecked Sendable`: a client is used by one thread at a time; a test hands it to a thread and takes it back by
/// joining that thread.
package final class TestClient: @unchecked Sendable {
    private let socket: LineSocket
    private var buffer: [UInt8] = []
    private var start = 0
    private var scratch: [UInt8]
    private var requests = 0
    /// Events that came while something else was waited for, oldest first.
    package var events: [ReceivedLine] = []
    /// The server's first line; nil when the client was told not to wait for it.
    package private(set) var hi: ReceivedLine?
    /// Seconds that reads and requests wait at most.
    package var patience: Double = 10
    /// Set by `RunningDaemon.user`.
    package var token = ""
    package var user = ""

    /// How to connect.
    package struct Options: Sendable {
        package var isSecure: Bool
        /// SO_RCVBUF in bytes; nil leaves the system's.
        package var receiveBuffer: Int32?
        /// Bytes asked for at a time.
        package var readSize: Int
        package var readsHi: Bool

        package init(isSecure: Bool = true, receiveBuffer: Int32? = nil, readSize: Int = 65_536, readsHi: Bool = true) {
            (self.isSecure, self.receiveBuffer) = (isSecure, receiveBuffer)
            (self.readSize, self.readsHi) = (readSize, readsHi)
        }
    }

    /// Connects to a port of 127.0.0.1 and reads the server's HI.
    package init(port: UInt16, _ options: Options = Options()) throws(ClientFailure) {
        socket = try LineSocket(
            port: port,
            secure: options.isSecure,
            receiveBuffer: options.receiveBuffer,
            within: 15
        )
        scratch = [UInt8](repeating: 0, count: options.readSize)
        if options.readsHi {
            let first = try line()
            guard first.word == "HI" else { throw .outOfPlace(first.raw) }
            hi = first
        }
    }

    /// Connects to a control socket and reads the server's HI.
    package init(control path: String, readsHi: Bool = true) throws(ClientFailure) {
        socket = try LineSocket(path: path)
        scratch = [UInt8](repeating: 0, count: 65_536)
        if !readsHi { return }
        let first = try line()
        guard first.word == "HI" else { throw .outOfPlace(first.raw) }
        hi = first
    }

    /// Sends these bytes as they are.
    package func send(_ bytes: some Sequence<UInt8>) throws(ClientFailure) {
        let all = Array(bytes)
        guard try socket.write(all, until: monotonicSeconds() + patience) == all.count else {
            throw .timedOut("room to write \(all.count) bytes")
        }
    }

    /// Sends this text as it is; the line end is the caller's.
    package func send(_ text: String) throws(ClientFailure) { try send(text.utf8) }

    /// Sends until the server takes no more for `seconds`; how many bytes it took.
    package func push(_ bytes: some Sequence<UInt8>, for seconds: Double) throws(ClientFailure) -> Int {
        try socket.write(Array(bytes), until: monotonicSeconds() + seconds)
    }

    /// The next line, whatever it is, except events kept aside before.
    package func line(
        within seconds: Double? = nil,
        for what: String = "a line"
    ) throws(ClientFailure) -> ReceivedLine {
        let bytes = try lineBytes(until: monotonicSeconds() + (seconds ?? patience), for: what)
        do { return try ReceivedLine(bytes) } catch { throw .malformed(error) }
    }

    /// The next line's bytes without the LF.
    package func lineBytes(until end: Double, for what: String) throws(ClientFailure) -> [UInt8] {
        var scanned = 0
        while true {
            if let found = buffer[(start + scanned)...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = found + 1 }
                return Array(buffer[start..<found])
            }
            scanned = buffer.count - start
            guard try fill(until: end, for: what) else {
                throw .ended(rest: String(decoding: buffer[start...], as: UTF8.self))
            }
        }
    }

    /// Takes what the socket gives, at most `readSize` bytes; false at the end of the stream.
    private func fill(until end: Double, for what: String) throws(ClientFailure) -> Bool {
        if start == buffer.count || start > 1 << 20 {
            buffer.removeFirst(start)
            start = 0
        }
        let count = try socket.read(into: &scratch, until: end, for: what)
        buffer.append(contentsOf: scratch[..<count])
        return count > 0
    }

    /// A tag that this client has not used yet.
    package func freshTag() -> String {
        requests += 1
        return "t\(requests)"
    }

    /// Ends our direction with a FIN; the server may go on speaking.
    package func halfClose() { socket.halfClose() }
    /// Ends both directions with a reset.
    package func reset() { socket.reset() }
    package func close() { socket.close() }
}
