import SystemIO

extension EventLoop {
    /// From now on nobody from these addresses gets in, and who is here from there is sent away; or that is over. All loops
    /// are told the same in the same order, before `run` or in a turn of the driver's. O(slots) for a ban.
    package func ban(_ prefix: NetworkPrefix, isOn: Bool = true) {
        banChanges += 1
        bans.removeAll { $0 == prefix }
        guard isOn else { return }
        bans.append(prefix)
        forEachConnection { connection in
            if let address = NumericAddress(connection.peerAddress), prefix.contains(address) { connection.sendAway() }
        }
    }

    /// Whether a peer with this address may not connect; never true of unix sockets. O(bans).
    func isBanned(_ peer: String?) -> Bool {
        guard !bans.isEmpty, let address = peer.flatMap(NumericAddress.init) else { return false }
        return bans.contains { $0.contains(address) }
    }
}

extension Connection {
    /// A new connection from a banned address: nothing is read, and where a word can be read without a handshake there is
    /// one.
    func turnAway() {
        let answer = handler.bannedAnswer
        if isTLS || answer.utf8CodeUnitCount == 0 { return die() }
        _ = Sockets.send(descriptor, UnsafeRawBufferPointer(start: answer.utf8Start, count: answer.utf8CodeUnitCount))
        endOutput()
    }

    /// A connection whose address is banned now.
    fileprivate func sendAway() {
        switch phase {
        case .greeting, .handshaking, .finishing: die()
        case .open: handler.turnedAway(self)
        case .lingering, .dead: break
        }
    }
}
