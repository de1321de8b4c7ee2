import Bytes
import Glibc
import SystemIO
import TLS

/// One guest's connection to the server. Confined to the generator's one thread.
final class BenchConnection {
    enum State: Equatable { case handshaking, settingUp, ready, closed }

    let index: Int
    var state = State.handshaking
    private let descriptor: Descriptor
    private let session: TLSSession
    private var out = ByteBuffer()
    /// The start of a line whose end has not come yet.
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
    init(index: Int, descriptor: consuming Descriptor, context: TLSContext, serverName: String) throws(TLSFailure) {
        self.index = index
        let flags = fcntl(descriptor.number, F_GETFL)
        _ = fcntl(descriptor.number, F_SETFL, flags | O_NONBLOCK)
        session = try TLSSession(client: context, descriptor: descriptor.number, serverName: serverName)
        self.descriptor = descriptor
    }

    /// Goes on with the handshake; true when it is complete now.
    func shakeHands() -> Bool {
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

    func append(_ line: UnsafeRawBufferPointer) { out.append(line) }
    func append(line: String) { out.append(string: line + "\n") }

    /// Writes what waits, as far as the socket takes it.
    func flush() {
        if state == .handshaking || state == .closed { return }
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

    /// Reads one time and gives each whole line, without its LF, to `body`; false when there is nothing more now.
    ///
    /// `scratch` is room for a record and the longest line before it.
    func read(_ scratch: UnsafeMutableRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
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
            var start = 0
            while let end = LineSplitter.lineEnd(in: bytes, from: start) {
                body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                start = end + 1
            }
            partial.append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
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

    func close(_ reason: String) {
        if state == .closed { return }
        state = .closed
        self.reason = reason
        wantsOutput = false
        Glibc.shutdown(descriptor.number, Int32(SHUT_RDWR))
    }
}
