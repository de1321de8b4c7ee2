import ChatCore
import ChatModel

/// What an account does with itself (protocol.md, Accounts).
extension Engine {
    /// The reply; nil when it comes later.
    func answer(_ command: AccountCommand, _ request: Request) throws(Refusal) -> Reply? {
        let key = request.connection
        if case .changePassword(nil, let new) = command { return try setPassword(new, request) }
        let account = try self.account(of: key)
        let state = content.state
        switch command {
        case .changePassword(let old, let new):
            try checkNewPassword(new, of: account)
            return try verify(old ?? Secret([]), of: account, request, then: .changePassword(new))
        case .changeEmail(let address, let password):
            let email = try state.checkEmail(address, of: account)
            if state.account(account)?.isGuest == true { throw .denied("a guest has no address: LINK first") }
            return try verify(password, of: account, request, then: .changeEmail(email.text))
        case .unregister(let password):
            if state.account(account)?.password == nil { return try unregister(account, request) }
            return try verify(password, of: account, request, then: .unregister)
        case .link(let link): return try beginLink(link, by: account, request)
        case .sessions:
            let online = Set(connectionsOf[account, default: []].compactMap { connection($0).session })
            return state.decideSessions(of: account, current: connection(key).session) { online.contains($0) }
        case .profile(let user): return try state.decideProfile(of: user, by: account)
        case .changeProfile(let change): return try changeProfile(change, by: account)
        case .users(let prefix, let page): return state.decideUsers(prefix: prefix, page)
        case .makeToken(let wanted): return try makeToken(wanted, by: account)
        case .tokens: return state.decideTokens(of: account)
        case .deleteToken(let id): return try deleteCredential(id, of: account, from: key)
        case .block(let user): return try block(user, true, by: account)
        case .unblock(let user): return try block(user, false, by: account)
        case .blocks: return state.decideBlocks(of: account)
        case .export(let place, let limit): return export(from: place, limit: limit, of: account)
        }
    }

    private func changeProfile(_ change: ProfileChange, by account: AccountNumber) throws(Refusal) -> Reply {
        let profile = try content.state.decideProfileChange(change, by: account)
        if profile != content.state.account(account)?.profile {
            try checkWritable()
            recordIfGuest(account)
            commit(.ledger(.profile(account, profile)), together: false)
            noteProfileChange(of: account)
        }
        return try content.state.decideProfile(of: nil, by: account)
    }

    private func makeToken(_ wanted: TokenRequest, by account: AccountNumber) throws(Refusal) -> Reply {
        let made = randomness.token()
        let token = try content.state.decideToken(wanted, made.hash, by: account, now: now)
        try checkWritable()
        commit(.ledger(.token(account, token)), together: false)
        return .done([.word("token", made.text)] + token.fields)
    }

    /// TOKEN-DEL: a token, or a session, whose connections end.
    private func deleteCredential(
        _ id: String,
        of account: AccountNumber,
        from key: ConnectionKey
    ) throws(Refusal) -> Reply {
        guard let (hash, isToken) = content.state.credential(id, of: account) else {
            throw Refusal(.notFound, field: "id", Refusal.notFound.text)
        }
        try checkWritable()
        commit(.ledger(isToken ? .endToken(account, hash) : .endSession(account, hash)), together: false)
        for other in connectionsOf[account, default: []] where connection(other).session == hash {
            if other == key { continue }
            endSession(other, reason: isToken ? "this token was deleted" : "this session was ended")
        }
        if connection(key).session == hash { endSession(key, reason: "this session was ended") }
        return .done([.word("id", id)])
    }

    private func block(_ user: String, _ isBlocked: Bool, by account: AccountNumber) throws(Refusal) -> Reply {
        let other = try content.state.decideBlock(user, by: account)
        let fields = [KeyValue.word("user", content.state.handleText(other))]
        if content.state.account(account)?.hasBlocked(other) == isBlocked {
            return .done(fields + [.flag("dup", true)])
        }
        try checkWritable()
        // What names a guest stands behind the guest's own record.
        recordIfGuest(account)
        recordIfGuest(other)
        commit(.ledger(.block(account, other, isBlocked)), together: false)
        return .done(fields)
    }
}
