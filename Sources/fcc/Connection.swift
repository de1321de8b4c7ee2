import Bytes
import ChatClient
import SystemIO
import TLS

/// A TLS connection to the server as lines in both directions. Confined to the main thread.
final class Connection {
    /// Bytes of a server line at most; the protocol allows 64 KiB.
    private static let lineLimit = 1 << 20
    /// Bytes read in one step, so that a fast server does not keep the program from showing them.
    private static let stepLimit = 256 << 10

    let fingerprint: Fingerprint
    private let tls: TLSSession
    private let socket: Descriptor
    /// Who waits; another one may take over.
    var waiter: Waiter
    private var input = ByteBuffer()
    /// Bytes at the beginning of `input` known to hold no line end.
    private var scanned = 0
    private var output = ByteBuffer()
    /// The length of a write that must be repeated with the same length (SSL_write(3)).
    private var retriedCount: Int?
    private var endsOutput = false
    /// Whether the server has ended its side; lines it sent before may still be waiting.
    private(set) var isEnded = false

    /// Takes over a connection whose handshake is complete.
    init(tls: TLSSession, socket: consuming Descriptor, fingerprint: Fingerprint, waiter: Waiter) {
        (self.tls, self.fingerprint, self.waiter) = (tls, fingerprint, waiter)
        self.socket = socket
    }

    deinit { tls.shutdown() }

    /// Bytes that wait to be sent.
    var unsentCount: Int { output.count }

    /// Bytes to be sent by the next steps.
    func queue(_ text: String) { output.append(string: text) }

    func queue(_ bytes: [UInt8]) { bytes.withUnsafeBytes { output.append($0) } }

    /// Ends our side once everything queued is sent; the server may go on sending.
    func endOutput() { endsOutput = true }

    /// The next line that has come, without its LF; nil when a step is needed first.
    /// - Throws: `Failure` for a line that is too long to be one.
    func nextLine() throws(Failure) -> [UInt8]? {
        guard let end = LineSplitter.lineEnd(in: input.readable, from: scanned) else {
            scanned = input.count
            if scanned > Self.lineLimit { throw .lost("the server sends lines without end") }
            return nil
        }
        scanned = 0
        let line = Array(input.readable[..<end])
        input.consume(end + 1)
        return line
    }

    /// All bytes that have come, lines or not.
    func takeInput() -> [UInt8] {
        scanned = 0
        let bytes = Array(input.readable)
        input.consume(bytes.count)
        return bytes
    }

    /// Sends what is queued and receives what has come; when nothing has, waits at most `milliseconds` for that or for
    /// something in `watches`.
    /// - Parameter feeding: more is to be queued when room is: sending is something that happens, not to be waited after.
    /// - Returns: false when the time is over and nothing happened at all, not even the end.
    /// - Throws: `Failure` when the connection is broken, or the person interrupts.
    @discardableResult
    func step(watching watches: inout [Watch], milliseconds: Int32, feeding: Bool = false) throws(Failure) -> Bool {
        let unsent = output.count
        try send()
        let received = try receive()
        let hasRoom = feeding && output.count < unsent
        let mayWait = !received && !isEnded && !hasRoom
        var all = [Watch(socket.number, input: !isEnded, output: !output.isEmpty)] + watches
        let found = try waiter.wait(for: &all, milliseconds: mayWait ? milliseconds : 0)
        watches = Array(all.dropFirst())
        if mayWait, all[0].isReadable || all[0].isWritable {
            try send()
            _ = try receive()
        }
        return found || received || isEnded || hasRoom
    }

    /// The same without other descriptors.
    @discardableResult
    func step(milliseconds: Int32, feeding: Bool = false) throws(Failure) -> Bool {
        var none: [Watch] = []
        return try step(watching: &none, milliseconds: milliseconds, feeding: feeding)
    }

    private func send() throws(Failure) {
        while !output.isEmpty {
            let count = retriedCount ?? output.count
            let outcome = tls.write(UnsafeRawBufferPointer(rebasing: output.readable.prefix(count)))
            switch outcome {
            case .bytes(let taken):
                retriedCount = nil
                output.consume(taken)
            case .wantRead, .wantWrite:
                retriedCount = count
                return
            case .closed:
                isEnded = true
                return
            case .failed(let fault):
                // What the server said before it closed is worth more than the failed write.
                retriedCount = nil
                output.consume(output.count)
                _ = try receive()
                if input.isEmpty { throw .lost("the connection broke: \(fault)") }
                isEnded = true
                return
            }
        }
        if endsOutput {
            endsOutput = false
            tls.shutdown()
        }
    }

    private func receive() throws(Failure) -> Bool {
        var total = 0
        while total < Self.stepLimit, !isEnded {
            let room = UnsafeMutableRawBufferPointer(start: input.reserve(16_384), count: 16_384)
            switch tls.read(into: room) {
            case .bytes(let count):
                input.commit(count)
                total += count
            case .wantRead, .wantWrite: return total > 0
            case .closed: isEnded = true
            case .failed(let fault):
                if input.isEmpty { throw .lost("the connection broke: \(fault)") }
                isEnded = true
            }
        }
        return total > 0
    }
}
