import Bytes
import SystemIO
import TLS

/// One peer's connection: bytes in and out over TLS or plain. Confined to the loop that owns it; deliberately not
/// `Sendable`. An idle one owns no buffer.
package final class Connection {
    enum Phase: UInt8 {
        /// TLS: not one byte has come.
        case greeting
        case handshaking
        case open
        /// `finish` was called, output still waits.
        case finishing
        /// Our end of output is sent; input is discarded until the peer's.
        case lingering
        /// To be buried at the end of the event.
        case dead
    }

    /// Index in the loop's slots; used again after `closed`.
    package let slot: Int
    /// Tells the users of a slot apart, never 0.
    package let generation: UInt32
    package let isTLS: Bool
    /// The peer's address in digits without port, "unix" for unix sockets.
    package let peerAddress: String
    /// `Listener.index` of the listener that accepted it.
    package let listener: Int
    /// The loop outlives its connections: it buries them all before `run` returns.
    package unowned let loop: EventLoop
    /// The handler's own object for this connection; let go of after `closed`.
    package var context: AnyObject?
    /// Output waits for the peer: nothing more should be written until `writable`.
    package internal(set) var isBlocked = false { didSet { measureOutput() } }
    /// It is open and not blocked: what is written now leaves now.
    package private(set) var takesOutput = false

    let descriptor: Int32
    let isUnix: Bool
    let handler: any ConnectionHandler
    var session: TLSSession? { didSet { bareSession = session.map(Unmanaged.passUnretained) } }
    /// The same, for writes that count no reference (`push`).
    private(set) var bareSession: Unmanaged<TLSSession>?
    var phase: Phase { didSet { measureOutput() } }
    var interest: Poller.Interest = .input
    /// The turn in which `interest` was last changed: that turn's reports may still answer the one before.
    var interestTurn = 0
    /// The poller does not know the descriptor (see `hungUp`).
    var isDetached = false
    /// `opened` was called, so `closed` must be.
    var wasOpened = false
    /// In the loop's list of handshakes or of ready connections.
    var isListed = false

    var isPaused = false
    /// Unconsumed bytes are to be shown though none are new.
    var mustShow = false
    /// So much is unconsumed that nothing more is read.
    var isFull = false
    /// Inside the handler's `received`.
    var isShowing = false
    /// The end of input was seen while paused and is still to be reported.
    var endIsDue = false
    var inputHasEnded = false
    /// Input not consumed: an unfinished line.
    var kept = ByteBuffer()

    /// Length of the record sealed inside OpenSSL that must be tried again, 0 when there is none.
    var sealed = 0
    /// Input has come while a sealed record waited. OpenSSL is not asked to read then: a change of keys that the peer
    /// demands would be answered in the middle of the record, which OpenSSL refuses ("bad length") and breaks off.
    var inputWaits = false
    /// Output behind `sealed`, or behind what a plain socket took.
    var overflow = ByteBuffer()
    /// TLS cannot read before it has written, or the other way round (a change of keys, RFC 8446 section 4.6.3).
    var readNeedsOutput = false
    var writeNeedsInput = false

    /// When the handshake or the lingering ends, monotonic milliseconds.
    var phaseEnd = UInt64.max
    /// When blocked output must have moved, monotonic milliseconds.
    var stallEnd = UInt64.max
    /// When lingering ends unless the kernel still holds something for the peer, monotonic milliseconds.
    var lingerEnd = UInt64.max
    /// What the kernel held for the peer when `stallEnd` was set.
    var stallQueue = 0
    var deadlineSeconds = UInt64.max
    /// In place of `TransportSettings.stallMilliseconds`, where a handler has less patience.
    package var stallMilliseconds: Int?

    init(
        _ socket: AcceptedSocket,
        slot: Int,
        generation: UInt32,
        peer: String,
        handler: any ConnectionHandler,
        loop: EventLoop
    ) {
        (self.slot, self.generation, peerAddress) = (slot, generation, peer)
        (isTLS, isUnix, listener, descriptor) = (socket.isTLS, socket.isUnix, socket.listener, socket.descriptor)
        (self.handler, self.loop) = (handler, loop)
        phase = socket.isTLS ? .greeting : .open
        measureOutput()
    }

    private func measureOutput() { takesOutput = phase == .open && !isBlocked }

    /// What the poller's reports carry.
    var token: UInt64 { EventLoop.token(slot: slot, generation: generation) }

    /// `finish` or `abort` was called, or the peer has gone: writes are ignored.
    package var isClosing: Bool { phase.rawValue > Phase.open.rawValue }

    /// When `expired` is to be called, in monotonic seconds: total time, not since the last byte. Nil: never. Once
    /// `finish` was called, it is when the connection is cut off, whatever the peer has not taken.
    package var deadline: UInt64? {
        get { deadlineSeconds == .max ? nil : deadlineSeconds }
        set {
            deadlineSeconds = newValue ?? .max
            if let newValue { loop.wake(atMilliseconds: newValue.multipliedSaturating(by: 1000)) }
        }
    }

    /// No more `received` or `inputEnded` until `resume`. The socket is not read, so that the peer feels it.
    package func pause() {
        // The poller is told when input comes meanwhile: most pauses end before.
        isPaused = true
    }

    /// Ends a pause: in the next turn unconsumed bytes are shown again, then reading goes on.
    package func resume() {
        guard isPaused else { return }
        isPaused = false
        guard phase == .open else { return }
        mustShow = isShowing || !kept.isEmpty
        if mustShow || endIsDue || session?.hasPending == true { loop.list(ready: self) }
        updateInterest()
    }

    /// Ends the connection after what was written has left: end of output, then input is discarded until the peer's end
    /// or `TransportSettings.lingerMilliseconds`, then `closed`.
    package func finish() {
        switch phase {
        case .open:
            phase = .finishing
            if isBlocked { updateInterest() } else { endOutput() }
        case .greeting, .handshaking: die()
        case .finishing, .lingering, .dead: break
        }
    }

    /// Ends the connection at once; what has not left is lost.
    package func abort() { die() }

    /// Whether new input is wanted now.
    var isReading: Bool { phase == .open && !isPaused && !isFull && !inputHasEnded && !endIsDue && sealed == 0 }

    /// Marks it for burial at the end of this event.
    func die() {
        guard phase != .dead else { return }
        phase = .dead
        loop.bury(self)
    }

    /// Tells the poller what this connection waits for, if that has changed.
    func updateInterest() {
        let wanted: Poller.Interest
        switch phase {
        case .greeting, .handshaking: wanted = readNeedsOutput ? .output : .input
        case .open:
            let reading = isReading
            let input: Poller.Interest = reading || writeNeedsInput ? .input : []
            let writing = (isBlocked && !writeNeedsInput) || (readNeedsOutput && reading)
            wanted = writing ? input.union(.output) : input
        case .finishing: wanted = writeNeedsInput ? .input : .output
        case .lingering: wanted = .input
        case .dead: return
        }
        if wanted != interest || isDetached { setInterest(wanted) }
    }

    func setInterest(_ wanted: Poller.Interest) {
        (interest, interestTurn) = (wanted, loop.turns)
        do throws(Errno) {
            if !isDetached {
                try loop.poller.modify(descriptor, wanted, token: token)
            } else if wanted.rawValue != 0 {
                try loop.poller.add(descriptor, wanted, token: token)
                isDetached = false
            }
        } catch {
            die()
        }
    }
}

extension UInt64 {
    fileprivate func multipliedSaturating(by factor: UInt64) -> UInt64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}
