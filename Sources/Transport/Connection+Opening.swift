import SystemIO
import TLS

extension Connection {
    /// A handshake record's first byte (RFC 8446 section 5.1, ContentType handshake).
    private static let handshakeType: UInt8 = 0x16

    /// Goes on with opening a TLS connection, which may cost a signature.
    func advance() {
        if phase == .greeting && !greet() { return }
        guard phase == .handshaking, let session else { return }
        switch session.handshake() {
        case .bytes:
            readNeedsOutput = false
            phaseEnd = .max
            becomeOpen()
            // The first line may have come in one piece with the handshake's end.
            if phase == .open && session.hasPending { loop.list(ready: self) }
            updateInterest()
        case .wantRead:
            readNeedsOutput = false
            updateInterest()
        case .wantWrite:
            readNeedsOutput = true
            updateInterest()
        case .failed(.tls):
            // OpenSSL has sent an alert that says why; it must not be lost by a reset.
            endOutput()
        case .closed, .failed: die()
        }
    }

    func becomeOpen() {
        phase = .open
        wasOpened = true
        handler.opened(self)
    }

    /// The handshake's deadline has passed.
    func openingExpired() {
        if phase == .greeting { answerInPlain() } else { die() }
    }

    /// Looks at the first byte; true when it begins a handshake and a session was made for it. Until then a connection
    /// costs no OpenSSL object.
    private func greet() -> Bool {
        let (outcome, byte) = Sockets.peek(descriptor)
        switch outcome {
        case .bytes where byte == Self.handshakeType:
            do throws(TLSFailure) {
                guard let context = loop.tls.current else { return refuse() }
                session = try TLSSession(server: context, descriptor: descriptor)
                phase = .handshaking
                return true
            } catch {
                return refuse()
            }
        case .bytes: answerInPlain()
        case .wouldBlock: updateInterest()
        case .ended, .failed: die()
        }
        return false
    }

    private func refuse() -> Bool {
        die()
        return false
    }

    private func answerInPlain() {
        let answer = handler.plainTextAnswer
        if answer.utf8CodeUnitCount > 0 {
            let bytes = UnsafeRawBufferPointer(start: answer.utf8Start, count: answer.utf8CodeUnitCount)
            _ = Sockets.send(descriptor, bytes)
        }
        endOutput()
    }
}
