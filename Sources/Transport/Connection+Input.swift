import Bytes
import SystemIO
import TLS

extension Connection {
    /// Why a reading pass stopped.
    private enum Stop {
        /// Nothing more has come, or the poller will report the rest.
        case drained
        /// The scratch is full and OpenSSL holds more, which no poll reports.
        case full
        case ended
        case failed
    }

    /// The poller reports input, an end or an error; or output for which reading has waited.
    func inputReported(isReadable: Bool) {
        switch phase {
        case .lingering: discardInput()
        case .open, .finishing:
            if writeNeedsInput { drain() }
            if isReading {
                readInput()
            } else if !isReadable || interest.isSuperset(of: .input) {
                inputWaits = sealed > 0
                updateInterest()
            } else if interestTurn != loop.turns {
                hungUp()
            }
        case .greeting, .handshaking, .dead: break
        }
    }

    /// Reads once around and shows what there is; after a pause only what is kept.
    func readInput() {
        if mustShow && !kept.isEmpty {
            showKept()
            if endIsDue { return reportEnd() }
        } else {
            switch endIsDue ? .ended : readNew() {
            case .failed: return die()
            case .ended: return reportEnd()
            case .drained: return
            case .full: break
            }
        }
        if isReading && session?.hasPending == true { loop.list(ready: self) }
    }

    /// Reads behind what is kept, and shows both.
    private func readNew() -> Stop {
        mustShow = false
        if sealed > 0 { inputWaits = true }
        if isFull || sealed > 0 { return .drained }
        let (scratch, before) = (loop.scratch, kept.count)
        UnsafeMutableRawBufferPointer(rebasing: scratch[..<before]).copyMemory(from: kept.readable)
        var filled = before
        let stop = fill(scratch, from: &filled, to: before + loop.settings.bytesPerTurn)
        if filled > before { show(scratch, before: before, filled: filled) }
        return stop
    }

    private func fill(_ scratch: UnsafeMutableRawBufferPointer, from filled: inout Int, to limit: Int) -> Stop {
        guard let session else { return fillPlain(scratch, from: &filled, to: limit) }
        let needed = readNeedsOutput
        readNeedsOutput = false
        defer { if needed != readNeedsOutput { updateInterest() } }
        while filled < limit {
            switch session.read(into: UnsafeMutableRawBufferPointer(rebasing: scratch[filled..<limit])) {
            case .bytes(let n):
                filled += n
                // A short record with nothing behind it was all: spares a read that finds nothing.
                if n < 8192 && !session.hasPending { return .drained }
            case .wantRead: return .drained
            case .wantWrite:
                readNeedsOutput = true
                return .drained
            case .closed: return .ended
            case .failed: return .failed
            }
        }
        return .full
    }

    private func fillPlain(_ scratch: UnsafeMutableRawBufferPointer, from filled: inout Int, to limit: Int) -> Stop {
        switch Sockets.receive(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: scratch[filled..<limit])) {
        case .bytes(let n):
            filled += n
            return .drained
        case .wouldBlock: return .drained
        case .ended: return .ended
        case .failed: return .failed
        }
    }

    /// Shows the scratch's first `filled` bytes, of which `before` are in `kept` too, and keeps what is left.
    private func show(_ scratch: UnsafeMutableRawBufferPointer, before: Int, filled: Int) {
        let consumed = shown(UnsafeRawBufferPointer(rebasing: scratch[..<filled]))
        if phase != .open || consumed == filled {
            kept.release()
        } else if consumed == 0 {
            kept.append(UnsafeRawBufferPointer(rebasing: scratch[before..<filled]))
        } else {
            kept.clear()
            kept.append(UnsafeRawBufferPointer(rebasing: scratch[consumed..<filled]))
        }
        measureKept()
    }

    /// Shows again what is kept, in place.
    private func showKept() {
        let consumed = shown(kept.readable)
        kept.consume(consumed)
        if phase != .open || kept.isEmpty { kept.release() }
        measureKept()
    }

    private func shown(_ bytes: UnsafeRawBufferPointer) -> Int {
        (mustShow, isShowing) = (false, true)
        let consumed = handler.received(self, bytes)
        isShowing = false
        precondition(consumed >= 0 && consumed <= bytes.count, "a handler consumed more than it was shown")
        return consumed
    }

    /// A reading pass needs the scratch's other half for new bytes.
    private func measureKept() {
        let wasFull = isFull
        isFull = kept.count > loop.settings.bytesPerTurn
        guard wasFull && !isFull && phase == .open else { return }
        loop.list(ready: self)
        updateInterest()
    }

    private func reportEnd() {
        guard phase == .open else { return }
        if isPaused {
            endIsDue = true
        } else {
            (endIsDue, inputHasEnded) = (false, true)
            handler.inputEnded(self, kept.readable)
            kept.release()
        }
        updateInterest()
    }

    /// The poller reports something though no input is asked for: the connection is gone in both directions.
    private func hungUp() {
        if isUnix && (isPaused || isFull) && phase == .open {
            // What a unix peer wrote before it went is still there to be read later.
            loop.poller.remove(descriptor)
            isDetached = true
        } else {
            die()
        }
    }
}
