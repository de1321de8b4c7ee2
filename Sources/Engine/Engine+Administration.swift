import ChatCore
import ChatModel

/// The operator's INVITE, ADD-USER, `USER verify|delete` and BAN-ADDR (protocol.md, The operator).
extension Engine {
    func invite(uses: UInt32, lifetime: Int64) throws(Refusal) -> Reply {
        try checkWritable()
        let code = randomness.token()
        let (invite, changes) = try content.state.decideInvite(code.hash, uses: uses, lifetime: lifetime, now: now)
        commit(changes)
        return .done([.word("code", code.text), .number("uses", UInt64(invite.uses)), .time("expires", invite.expires)])
    }

    /// TOKEN metrics: what `/metrics` is read with from now on.
    func makeMetricsToken() throws(Refusal) -> Reply {
        try checkWritable()
        let token = randomness.token()
        commit(.ledger(.metricsToken(token.hash)), together: false)
        return .done([.word("token", token.text)])
    }

    /// Begins ADD-USER: makes a code, which is hashed like any password.
    /// - Returns: nil: the answer comes later.
    func beginNewUser(name: String, email: String, _ job: OperatorJob) throws(Refusal) -> Reply? {
        guard let request = operatorWaits[job.id] else { return nil }
        try checkWritable()
        try content.state.checkNewUser(name: name, email: email)
        operatorWaits[job.id] = nil
        hashCode(for: request) { code, salt in .addUser(name: name, email: email, code: code, salt: salt) }
        return nil
    }

    /// The account is there, and its code, or neither.
    func addUser(name: String, email: String, code: String, _ record: PasswordRecord) throws(Refusal) -> Reply {
        try checkWritable()
        let state = content.state
        let (handle, changes) = try state.decideNewUser(name: name, email: email, code: record, now: now)
        commit(changes)
        return .done([.word("user", handle), .word("code", code)])
    }

    func verify(_ account: Account) throws(Refusal) -> Reply {
        guard account.email != nil else {
            throw Refusal(.conflict, field: "user", "a guest has no address")
        }
        let fields = [KeyValue.word("user", account.handle.text)]
        if account.isVerified { return .done(fields + [.flag("dup", true)]) }
        try record([.verified(account.number, true)], of: account.number)
        return .done(fields)
    }

    /// The answer comes when nothing is left; who asks while that is under way hears of the same erasure.
    func erase(_ account: AccountNumber, _ job: OperatorJob) throws(Refusal) {
        try checkWritable()
        if let at = erasures.firstIndex(where: { $0.account == account }) {
            erasures[at].waiters.append(.operator(job.id))
        } else {
            try beginErasure(of: account, waiter: .operator(job.id))
        }
    }

    /// Refuses connections from these addresses once that is on disk, or lets them in again.
    /// - Parameter prefix: in its one spelling.
    package func ban(address prefix: String, isOn: Bool) throws(Refusal) -> Reply {
        let decision = try content.state.decideAddressBan(prefix, isOn: isOn)
        if decision.changes.isEmpty { return decision.reply }
        try checkWritable()
        commit(decision.changes)
        for loop in loops.indices { loops[loop].held.append(.ban(prefix, isOn), at: appended) }
        return decision.reply
    }

    /// Addresses that may not connect, as prefixes.
    package var bannedAddresses: [String] { content.state.bannedAddresses }
}
