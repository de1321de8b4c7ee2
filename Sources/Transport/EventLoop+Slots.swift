import Glibc
import SystemIO

extension EventLoop {
    /// Takes what other loops accepted for this one.
    func adoptMail() {
        intake.mailbox.take(into: &adopted)
        if adopted.isEmpty { return }
        for socket in adopted { adopt(socket) }
        adopted.removeAll(keepingCapacity: true)
    }

    /// Makes a connection of an accepted socket, which was counted already.
    func adopt(_ socket: AcceptedSocket) {
        guard handlers.indices.contains(socket.kind), let handler = handlers[socket.kind],
            let peer = Sockets.peerHost(socket.descriptor)
        else { return drop(socket) }
        if !socket.isUnix {
            let timeout = UInt32(clamping: settings.stallMilliseconds)
            Sockets.tune(socket.descriptor, userTimeoutMilliseconds: timeout)
        }
        let slot = freeSlots.popLast() ?? connections.count
        if slot == connections.count {
            connections.append(nil)
            generations.append(0)
        }
        generations[slot] = generations[slot] == .max ? 1 : generations[slot] + 1
        let connection = Connection(
            socket,
            slot: slot,
            generation: generations[slot],
            peer: peer,
            handler: handler,
            loop: self
        )
        connections[slot] = connection
        connectionCount += 1
        open(connection, socket)
        buryTheDead()
    }

    private func open(_ connection: Connection, _ socket: AcceptedSocket) {
        do throws(Errno) {
            try poller.add(connection.descriptor, .input, token: connection.token)
        } catch {
            incident("a connection cannot be watched: \(error)")
            return connection.die()
        }
        // The loop that accepted it has looked; what counts is what the later of the two knows.
        if banChanges >= socket.banChanges, isBanned(connection.peerAddress) { return connection.turnAway() }
        if connection.isTLS {
            connection.phaseEnd = socket.acceptedAt + UInt64(settings.handshakeSeconds) * 1000
            wake(atMilliseconds: connection.phaseEnd)
        } else {
            connection.becomeOpen()
        }
    }

    private func drop(_ socket: AcceptedSocket) {
        _ = close(socket.descriptor)
        intake.lose()
    }

    /// Puts a dead connection down for `buryTheDead`.
    func bury(_ connection: Connection) { dying.append(connection) }

    /// Closes dead connections and says so to their handlers; never inside a handler's call.
    func buryTheDead() {
        while let connection = dying.popLast() {
            connections[connection.slot] = nil
            freeSlots.append(connection.slot)
            connectionCount -= 1
            intake.lose()
            connection.session = nil
            _ = close(connection.descriptor)
            if connection.wasOpened { connection.handler.closed(connection) }
            connection.context = nil
        }
    }
}
