import Bytes
import SystemIO
import TLS

extension Connection {
    /// The most one TLS record carries (RFC 8446 section 5.1).
    private static let recordLimit = 16384

    /// Takes all of `bytes`. Allocates nothing and takes no lock when the socket takes everything.
    ///
    /// What the socket does not take waits: of a record that OpenSSL has sealed only the length, the rest as a copy. The
    /// caller bounds that by not writing while `isBlocked`. Ignored once `isClosing`.
    package func write(_ bytes: UnsafeRawBufferPointer) {
        guard takesOutput, !bytes.isEmpty else {
            if phase == .open { overflow.append(bytes) }
            return
        }
        let taken = push(bytes)
        if taken == bytes.count && sealed == 0 || phase == .dead { return }
        overflow.append(UnsafeRawBufferPointer(rebasing: bytes[taken...]))
        isBlocked = true
        watchStall()
        updateInterest()
    }

    /// Writes as much as the socket takes.
    /// - Returns: how many bytes are no longer the caller's: taken by the kernel, or `sealed`.
    private func push(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let bareSession else { return pushPlain(bytes) }
        guard let start = bytes.baseAddress else { return 0 }
        var at = 0
        while at < bytes.count {
            let length = min(bytes.count &- at, Self.recordLimit)
            let record = UnsafeRawBufferPointer(start: start + at, count: length)
            // Not counted as a reference, nor need it be: a session's `write` calls OpenSSL alone, which knows nothing of
            // this connection, so that `session` keeps it until the call returns.
            switch bareSession._withUnsafeGuaranteedRef({ $0.write(record) }) {
            case .bytes(let n): at += n
            case .wantWrite:
                // OpenSSL may also be stuck before it sealed our bytes; these must then be kept.
                guard session?.writeIsSealed == true else { return at }
                sealed = length
                return at + length
            case .wantRead:
                writeNeedsInput = true
                return at
            case .closed, .failed:
                die()
                return bytes.count
            }
        }
        return at
    }

    private func pushPlain(_ bytes: UnsafeRawBufferPointer) -> Int {
        switch Sockets.send(descriptor, bytes) {
        case .bytes(let n): return n
        case .wouldBlock: return 0
        case .ended, .failed:
            die()
            return bytes.count
        }
    }

    /// Goes on with waiting output; reports or finishes when all has left.
    func drain() {
        writeNeedsInput = false
        if pushSealed() {
            readWaitingInput()
            pushOverflow()
        }
        guard phase != .dead else { return }
        if sealed > 0 || !overflow.isEmpty {
            watchStall()
            return updateInterest()
        }
        overflow.release()
        (isBlocked, stallEnd) = (false, .max)
        if phase == .finishing { return endOutput() }
        handler.writable(self)
        // After the call: a handler that is blocked again at once costs no change of interest.
        updateInterest()
    }

    /// False when the sealed record still waits.
    private func pushSealed() -> Bool {
        guard sealed > 0, let session else { return true }
        // OpenSSL does not read these bytes, only their count (see `TLSSession.write`).
        switch session.write(UnsafeRawBufferPointer(start: loop.blank, count: sealed)) {
        case .bytes(sealed):
            sealed = 0
            return true
        case .wantWrite: return false
        case .wantRead:
            writeNeedsInput = true
            return false
        case .bytes, .closed, .failed:
            die()
            return false
        }
    }

    /// A reader that is always behind is heard between two records.
    private func readWaitingInput() {
        guard inputWaits else { return }
        inputWaits = false
        if isReading { readInput() }
    }

    private func pushOverflow() {
        while !overflow.isEmpty, sealed == 0, phase != .dead {
            let count = overflow.count
            let taken = push(overflow.readable)
            if phase == .dead { return }
            overflow.consume(taken)
            if taken < count { return }
        }
    }

    /// The end of output, and the beginning of lingering: closing a socket with unread input would send a reset, and
    /// that may destroy the last line on its way (RFC 1122 section 4.2.2.13).
    func endOutput() {
        session?.shutdown()
        session = nil
        Sockets.endOutput(descriptor)
        phase = .lingering
        isBlocked = false
        watchStall()
        linger()
        discardInput()
        updateInterest()
    }

    /// Lingers on. The time counts from when the kernel held nothing more for the peer, so that a slow one gets all; one
    /// that takes nothing is cut off as usual.
    func linger() {
        let (now, settings) = (loop.milliseconds, loop.settings)
        let queue = Sockets.queuedOutput(descriptor)
        if queue > 0 || lingerEnd == .max { lingerEnd = now + UInt64(settings.lingerMilliseconds) }
        if queue > 0 && queue < stallQueue { watchStall() }
        if lingerEnd <= now || stallEnd <= now { return die() }
        phaseEnd = min(lingerEnd, now + UInt64(settings.lingerMilliseconds) / 4 + 1)
        loop.wake(atMilliseconds: phaseEnd)
    }

    /// Throws away what the peer sends, a bounded amount in a turn; its end is ours.
    func discardInput() {
        for _ in 0..<4 {
            switch Sockets.receive(descriptor, into: loop.trash) {
            case .bytes: continue
            case .wouldBlock: return
            case .ended, .failed: return die()
            }
        }
    }

    /// Output waits: from now on the peer must take something within the time, or is cut off.
    private func watchStall() {
        stallEnd = loop.milliseconds + UInt64(stallMilliseconds ?? loop.settings.stallMilliseconds)
        stallQueue = Sockets.queuedOutput(descriptor)
        loop.wake(atMilliseconds: stallEnd)
    }

    /// The poller reports room only when much of it is free, so a slow reader is told from a dead one by what the kernel
    /// still holds.
    func checkStall() {
        if Sockets.queuedOutput(descriptor) < stallQueue { watchStall() } else { die() }
    }
}
