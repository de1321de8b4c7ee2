import ChatCore
import ChatModel

extension Engine {
    /// The first turn after recovery: a new log gets its identity, key and lobby; an unclean end under `interval` gets a
    /// new identity, because what clients saw may be gone (protocol.md, `log=ID`).
    /// - Returns: whether these records are such that nothing may be served without them.
    @discardableResult
    package func start(isInterval: Bool, now: Timestamp, monotonic: MonotonicTime) -> Bool {
        beginTurn(now: now, monotonic: monotonic)
        (self.isInterval, snapshotTaken) = (isInterval, monotonic)
        content.state.noteRecovered(monotonic, wall: now)
        var changes: [Change] = []
        if content.state.logID.isEmpty || content.state.isUncleanInterval {
            changes.append(.ledger(.log(id: LogIdentity.make(randomness))))
        }
        if content.state.nonceKey.isEmpty { changes.append(.ledger(.nonceKey(randomness.bytes(16)))) }
        let hasLinkKey = !content.state.linkKey.isEmpty
        if !hasLinkKey { changes.append(.ledger(.linkKey(randomness.bytes(32)))) }
        changes.append(.ledger(.start(interval: isInterval)))
        if !content.state.exists(.lobby) {
            let lobby = Creation.named("lobby", isPrivate: false, title: nil)
            changes.append(
                .event(Event(conversation: .lobby, seq: 1, time: now, by: .server, kind: .create(lobby)))
            )
        }
        commit(changes)
        resumeErasures()
        beginRetention()
        return changes.count > (hasLinkKey ? 1 : 2)
    }

    /// The last record of a clean stop.
    package func stop() {
        if readOnlyReason == nil { commit(.ledger(.stop), together: false) }
    }

    package var logID: String { content.state.logID }
    package var nonceKey: [UInt8] { content.state.nonceKey }
}
