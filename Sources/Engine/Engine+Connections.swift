import ChatCore
import ChatModel

extension Engine {
    func opened(_ key: ConnectionKey, source: String) {
        let (loop, slot) = (Int(key.loop), Int(key.slot))
        while loops[loop].connections.count <= slot { loops[loop].connections.append(EngineConnection()) }
        loops[loop].connections[slot] = EngineConnection(
            generation: key.generation,
            isOpen: true,
            source: source,
            openedAt: now
        )
    }

    func closed(_ key: ConnectionKey) {
        guard isOpen(key) else { return }
        detach(key)
        dropSearch(key)
        if connection(key).holdsFiles { snapshotWork.append(.letGo(key)) }
        fileHolders.remove(key)
        loops[Int(key.loop)].connections[Int(key.slot)] = EngineConnection()
    }

    func isOpen(_ key: ConnectionKey) -> Bool {
        let (loop, slot) = (Int(key.loop), Int(key.slot))
        guard slot < loops[loop].connections.count else { return false }
        return loops[loop].connections[slot].isOpen && loops[loop].connections[slot].generation == key.generation
    }

    func connection(_ key: ConnectionKey) -> EngineConnection { loops[Int(key.loop)].connections[Int(key.slot)] }

    func change(_ key: ConnectionKey, _ body: (inout EngineConnection) -> Void) {
        body(&loops[Int(key.loop)].connections[Int(key.slot)])
    }

    /// - Throws: `Refusal` NEED-AUTH.
    func account(of key: ConnectionKey) throws(Refusal) -> AccountNumber {
        guard let account = loops[Int(key.loop)].connections[Int(key.slot)].account else {
            throw connection(key).pending == nil ? .needAuth : .needPassword
        }
        return account
    }

    /// Lets a connection speak for an account.
    func attach(_ key: ConnectionKey, to account: AccountNumber, session: TokenHash) {
        content.state.noteSeen(account)
        if content.state.account(account)?.mustChangePassword == true {
            change(key) { ($0.pending, $0.session) = (account, session) }
            let state = KeyValue.word("state", "password-needed")
            return hold(.notice(key, Notice(key: .auth, kind: "auth", fields: [state])), for: key)
        }
        change(key) { ($0.account, $0.session) = (account, session) }
        if let token = content.state.token(session, of: account) {
            change(key) { $0.scope = token.scope }
            expiringTokens[key] = token.expires
        }
        connectionsOf[account, default: []].append(key)
        notePresence(of: account)
    }

    /// The connection speaks for nobody any more and hears nothing.
    func detach(_ key: ConnectionKey) {
        let connection = self.connection(key)
        for number in connection.subscriptions.sorted() { removeCursor(key, number, ends: true) }
        for number in connection.collections.sorted() { removeCursor(key, number, ends: true) }
        change(key) { connection in
            (connection.account, connection.session, connection.followsAll) = (nil, nil, false)
            connection.scope = nil
            connection.pending = nil
            (connection.subscriptions, connection.unopened) = ([], [])
            (connection.collections, connection.awaited) = ([], [])
        }
        guard let account = connection.account else { return }
        content.state.noteSeen(account)
        expiringTokens[key] = nil
        defer { notePresence(of: account) }
        connectionsOf[account]?.removeAll { $0 == key }
        if connectionsOf[account]?.isEmpty == true {
            connectionsOf[account] = nil
            rememberIdle(account)
        }
    }

    /// Guests that did nothing are kept for a while, so that their token works again; 10,000 at most.
    private func rememberIdle(_ account: AccountNumber) {
        guard content.state.account(account) != nil, !content.state.isRecorded(account) else { return }
        if let earlier = idleGuests.firstIndex(of: account) { idleGuests.remove(at: earlier) }
        idleGuests.append(account)
        while idleGuests.count > 10_000 {
            let oldest = idleGuests.removeFirst()
            if connectionsOf[oldest] == nil { content.state.removeUnrecordedGuest(oldest) }
        }
    }

    /// Ends a connection's session from the server's side: `EV auth`, `BYE BAD-AUTH`, close.
    func endSession(_ key: ConnectionKey, reason: String) {
        detach(key)
        hold(.endSession(key, reason: reason), for: key)
    }
}
