import Bytes
import Glibc
import SystemIO
import TLS

/// One user's connection to the server. Confined to the generator's one thread.
final class BenchConnection {
    /// `greeted` waits for the line that some servers say before TLS.
    enum State: Equatable { case greeted, handshaking, settingUp, ready, closed }

    let index: Int
    var state: State
    private let descriptor: Descriptor
    private let session: TLSSession
    private var out = ByteBuffer()
    /// The start of something whose end has not come yet.
    private var partial = ByteBuffer()
    /// Length of a write OpenSSL must be given again; 0 when there is none.
    private var retry = 0
    private(set) var wantsOutput = false
    /// Why it is closed.
    private(set) var reason = ""

    var number: Int32 { descriptor.number }
    /// More input may wait inside OpenSSL, where the poller does not see it.
    var hasPending: Bool { session.hasPending }
    var hasOutput: Bool { !out.isEmpty }

    /// Takes over a connected descriptor, which becomes non-blocking.
    /// - Parameter ticket: of an earlier connection, to shorten the handshake.
    init(
        index: Int,
        descriptor: consuming Descriptor,
        context: TLSContext,
        options: BenchOptions,
        ticket: TLSTicket? = nil
    ) throws(TLSFailure) {
        self.index = index
        state = options.kind.adapter.traits.greetsInPlain ? .greeted : .handshaking
        let flags = fcntl(descriptor.number, F_GETFL)
        _ = fcntl(descriptor.number, F_SETFL, flags | O_NONBLOCK)
        session = try TLSSession(client: context, descriptor: descriptor.number, serverName: options.host)
        self.descriptor = descriptor
        if let ticket { session.resume(with: ticket) }
    }

    var isBeforeTLS: Bool { state == .greeted || state == .handshaking }
    /// What the server gave for the next connection, nil when nothing yet.
    var ticket: TLSTicket? { session.ticket }
    var isResumed: Bool { session.isResumed }

    /// Goes on with the handshake; true when it is complete now.
    func shakeHands() -> Bool {
        if state == .greeted && !skipGreeting() { return false }
        switch session.handshake() {
        case .bytes:
            wantsOutput = false
            state = .settingUp
            return true
        case .wantRead: wantsOutput = false
        case .wantWrite: wantsOutput = true
        case .closed: close("closed by the server within the handshake")
        case .failed(let fault): close(fault.description)
        }
        return false
    }

    /// Takes the line in plain; true when it is whole. Behind it the server waits for our handshake.
    private func skipGreeting() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { room in
            while true {
                switch Sockets.receive(number, into: room) {
                case .bytes(let count):
                    guard room[count - 1] == 0x0A else { continue }
                    state = .handshaking
                    return true
                case .wouldBlock: return false
                case .ended: close("closed by the server before the handshake")
                case .failed(let code): close(TLSFault.system(code).description)
                }
                return false
            }
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer) { out.append(bytes) }
    func append(_ text: String) { out.append(string: text) }

    /// Writes what waits, as far as the socket takes it.
    func flush() {
        if isBeforeTLS || state == .closed { return }
        while !out.isEmpty {
            let length = retry > 0 ? retry : min(out.count, TLSSession.recordLimit)
            switch session.write(UnsafeRawBufferPointer(rebasing: out.readable[..<length])) {
            case .bytes(let count):
                out.consume(count)
                retry = 0
            case .wantWrite:
                (retry, wantsOutput) = (length, true)
                return
            case .wantRead: return
            case .closed: return close("closed by the server")
            case .failed(let fault): return close(fault.description)
            }
        }
        wantsOutput = false
    }

    /// Reads one time and gives everything that has come to `take`, which says how much of it was whole; false when there
    /// is nothing more now.
    ///
    /// `scratch` is room for a record and the longest piece before it.
    @inline(__always)
    func read(_ scratch: UnsafeMutableRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Int) -> Bool {
        let kept = partial.count
        if kept > scratch.count / 2 {
            close("the server sent a line of more than \(scratch.count / 2) bytes")
            return false
        }
        scratch.copyMemory(from: partial.readable)
        switch session.read(into: UnsafeMutableRawBufferPointer(rebasing: scratch[kept...])) {
        case .bytes(let count):
            partial.clear()
            let bytes = UnsafeRawBufferPointer(rebasing: scratch[..<(kept + count)])
            let whole = take(bytes)
            partial.append(UnsafeRawBufferPointer(rebasing: bytes[whole...]))
            return true
        case .wantRead, .wantWrite: return false
        case .closed:
            close("closed by the server")
            return false
        case .failed(let fault):
            close(fault.description)
            return false
        }
    }

    /// Ends the connection in the ordinary way, as a client that is done.
    func finish() {
        session.shutdown()
        close("done")
    }

    func close(_ reason: String) {
        if state == .closed { return }
        state = .closed
        self.reason = reason
        wantsOutput = false
        Glibc.shutdown(descriptor.number, Int32(SHUT_RDWR))
    }
}
