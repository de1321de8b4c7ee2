import Glibc
import SystemIO

/// A listener at work on a loop.
final class ListeningPoint {
    let listener: Listener
    /// The loops that share its connections, this one among them.
    let sharers: [LoopIntake]
    /// Monotonic milliseconds until which nothing is accepted; nil when at work.
    var restsUntil: UInt64?
    let token: UInt64

    init(_ listener: Listener, sharers: [LoopIntake], token: UInt64) {
        (self.listener, self.sharers, self.token) = (listener, sharers, token)
    }
}

extension EventLoop {
    /// Accepts on `listener` and hands each connection to the loop that has the fewest.
    /// - Parameter peers: the intakes of the other loops; this loop's own may be among them.
    package func listen(on listener: Listener, sharedWith peers: [LoopIntake]) {
        let sharers = peers.contains { $0 === intake } ? peers : [intake] + peers
        let token = Self.token(slot: watched.count, generation: 0)
        watch(listener.number, .listener(ListeningPoint(listener, sharers: sharers, token: token)))
    }

    /// Closes all listeners of this loop. Connections stay.
    package func closeListeners() {
        for index in watched.indices {
            guard case .listener(let point) = watched[index] else { continue }
            poller.remove(point.listener.number)
            point.listener.close()
            watched[index] = .wakeUp
        }
    }

    func acceptConnections(at point: ListeningPoint) {
        for _ in 0..<settings.acceptsPerTurn {
            do throws(Errno) {
                guard let descriptor = try Sockets.accept(from: point.listener.number) else { return }
                admit(descriptor, from: point)
            } catch {
                guard Self.concernsOnePeer(error) else { return rest(point, because: error) }
            }
        }
    }

    private func admit(_ descriptor: Int32, from point: ListeningPoint) {
        var (total, chosen, fewest) = (0, intake, Int.max)
        for sharer in point.sharers {
            let count = sharer.connectionCount
            total += count
            if count < fewest { (chosen, fewest) = (sharer, count) }
        }
        if total >= connectionLimit { return refuse(descriptor) }
        // Turned away here: the others may hear of the ban a moment later.
        if !bans.isEmpty, isBanned(Sockets.peerHost(descriptor)) { chosen = intake }
        let socket = AcceptedSocket(
            descriptor: descriptor,
            kind: point.listener.kind,
            listener: point.listener.index,
            isTLS: point.listener.isTLS,
            isUnix: point.listener.path != nil,
            acceptedAt: milliseconds,
            banChanges: banChanges
        )
        chosen.gain()
        if chosen === intake { adopt(socket) } else { chosen.mailbox.post(socket) }
    }

    /// Closes a connection that is one too many, with an end rather than a reset as far as that is possible at once.
    private func refuse(_ descriptor: Int32) {
        incident("connection refused: \(connectionLimit) connections are open, the limit")
        Sockets.endOutput(descriptor)
        _ = Sockets.receive(descriptor, into: trash)
        _ = close(descriptor)
    }

    /// Errors of accept(2) that say something about one connection only; the next may succeed.
    private static func concernsOnePeer(_ error: Errno) -> Bool {
        switch error.code {
        case ECONNABORTED, EPROTO, EPERM, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP,
            ENETUNREACH:
            true
        default: false
        }
    }

    /// A level-triggered listener stays readable at the descriptor limit and would spin, so it rests (accept(2), EMFILE).
    private func rest(_ point: ListeningPoint, because error: Errno) {
        incident("no connection can be accepted on \(point.listener.address): \(error)")
        let end = milliseconds + UInt64(settings.acceptRestMilliseconds)
        point.restsUntil = end
        poller.remove(point.listener.number)
        wake(atMilliseconds: end)
    }

    /// Sets a rested listener to work again.
    func endRest(of point: ListeningPoint) {
        guard let end = point.restsUntil else { return }
        if end > milliseconds { return wake(atMilliseconds: end) }
        point.restsUntil = nil
        do throws(Errno) {
            try poller.add(point.listener.number, .input, token: point.token)
        } catch {
            rest(point, because: error)
        }
    }
}
