import ChatCore
import ChatModel

/// The operator's commands (protocol.md, The operator). Each goes through the host, which writes the audit and carries out
/// what is its own; the others come back to `carryOut`.
extension Engine {
    func administer(_ admin: AdminRequest, _ request: Request) throws(Refusal) -> Reply? {
        guard let uid = connection(request.connection).operatorUID else {
            throw Refusal(.badVerb, "there is no such verb; HELP lists them")
        }
        let id = nextJob
        nextJob += 1
        operatorWaits[id] = request
        operatorJobs.append(OperatorJob(id: id, uid: uid, request: admin))
        return nil
    }

    /// Takes what the operator asked for since the last turn.
    package func takeOperatorJobs() -> [OperatorJob] {
        if operatorJobs.isEmpty { return [] }
        defer { operatorJobs = [] }
        return operatorJobs
    }

    /// Answers a command.
    package func answer(_ id: UInt64, _ reply: Reply) {
        guard let request = operatorWaits.removeValue(forKey: id), isOpen(request.connection) else { return }
        send(reply, to: request)
    }

    /// Carries out a command that is the engine's own, now or in a while, and answers it.
    package func carryOut(_ job: OperatorJob) {
        do throws(Refusal) {
            if let reply = try decide(job) { answer(job.id, reply) }
        } catch {
            answer(job.id, .refused(error))
        }
    }

    private func decide(_ job: OperatorJob) throws(Refusal) -> Reply? {
        if case .resume = job.request.command { return requestResume(job) }
        if isBlind { throw Refusal(.internal, "the journal failed and cannot be read: \(readOnlyReason ?? "")") }
        switch job.request.command {
        case .users(let prefix, let page): return content.state.adminUsers(prefix: prefix, page)
        case .conversations(let page): return content.state.adminConversations(page)
        case .user(let action, let who): return try change(who, action, job)
        case .retain(let target, let retention): return try retain(target, retention)
        case .clients(let page): return clients(page, job.id)
        case .end(let connection): return try hangUp(connection)
        case .notice(let text):
            announce(Notice(key: .notice, kind: "notice", fields: [.time("ts", now), .text("text", text)]))
            return .done([])
        case .snapshot:
            guard let request = operatorWaits.removeValue(forKey: job.id) else { return nil }
            requestSnapshot(SnapshotWaiter(connection: request.connection, tag: request.tag))
            return nil
        case .backup:
            guard let request = operatorWaits.removeValue(forKey: job.id) else { return nil }
            requestBackup(SnapshotWaiter(connection: request.connection, tag: request.tag, holdsFiles: true))
            return nil
        case .invite(let uses, let lifetime): return try invite(uses: uses, lifetime: lifetime)
        case .metricsToken: return try makeMetricsToken()
        case .addUser(let name, let email): return try beginNewUser(name: name, email: email, job)
        case .delete(let target, let message): return try delete(target, message, by: .operator)
        case .drop(let target):
            return try commit { () throws(Refusal) in try content.state.decideOperatorDrop(target, now: now) }
        case .deleteBlob(let id): return try deleteBlob(id, by: .operator)
        case .export(let after):
            guard let place = after.map({ DataPlace($0) }) ?? DataPlace() else {
                throw .badArg("after", "what next= of the page before says")
            }
            return exportAll(from: place)
        case .importRecord(let record): return try importRecord(record)
        case .schema(let target, let schema): return try setSchema(target, schema)
        case .addressBans(let page): return content.state.adminAddressBans(page)
        case .status, .get, .set, .unset, .resume, .banAddress:
            throw Refusal(.internal, "this command took a wrong way")
        }
    }

    private func change(_ who: String, _ action: AdminUserAction, _ job: OperatorJob) throws(Refusal) -> Reply? {
        guard let account = content.state.account(signingInAs: who), let found = content.state.account(account),
            !found.isErasing || action == .delete
        else {
            throw Refusal(.notFound, field: "user", "there is no such user")
        }
        switch action {
        case .promote: return try commit { content.state.decidePromotion(of: account, now: now) }
        case .verify: return try verify(found)
        case .delete:
            try erase(account, job)
            return nil
        case .reset:
            guard let request = operatorWaits[job.id] else { return nil }
            try beginReset(account, request)
            operatorWaits[job.id] = nil
            return nil
        case .disable:
            try record([.disabled(account, true), .endSessions(account)], of: account)
            endConnections(of: account, reason: "the operator has disabled this account")
        case .enable: try record([.disabled(account, false)], of: account)
        case .endSessions:
            try record([.endSessions(account)], of: account)
            endConnections(of: account, reason: "the operator has ended the sessions", sparesTokens: true)
        }
        return .done([.word("user", content.state.handleText(account))])
    }

    /// Writes entries about an account down; what is said of a guest in memory only stays there, too.
    func record(_ entries: [LedgerEntry], of account: AccountNumber) throws(Refusal) {
        guard content.state.isRecorded(account) else {
            for entry in entries { content.state.apply(entry) }
            return
        }
        try checkWritable()
        commit(entries.map(Change.ledger))
    }

    /// Ends the connections that speak for an account, or are about to.
    /// - Parameter sparesTokens: those that signed in with a token of TOKEN go on.
    func endConnections(of account: AccountNumber, reason: String, sparesTokens: Bool = false) {
        for key in connectionsOf[account, default: []] where !(sparesTokens && connection(key).scope != nil) {
            endSession(key, reason: reason)
        }
        for loop in loops.indices {
            for slot in loops[loop].connections.indices where loops[loop].connections[slot].pending == account {
                let generation = loops[loop].connections[slot].generation
                endSession(ConnectionKey(loop: loop, slot: slot, generation: generation), reason: reason)
            }
        }
    }

    /// Tells every connection.
    func announce(_ notice: Notice) {
        for loop in loops.indices { loops[loop].held.append(.announce(notice), at: appended) }
    }

    private func hangUp(_ name: String) throws(Refusal) -> Reply {
        guard let key = ConnectionKey(name: name), loops.indices.contains(Int(key.loop)), isOpen(key) else {
            throw Refusal(.notFound, field: "connection", "there is no such connection; ADMIN CLIENTS lists them")
        }
        hold(.hangUp(key), for: key)
        return .done([.word("id", key.name)])
    }

    // MARK: Settings

    /// Writes a SET down, or that it is taken back.
    package func record(setting key: String, _ value: String?) throws(Refusal) {
        try checkWritable()
        commit(.ledger(.setting(key: key, value: value)), together: false)
    }

    /// What the operator has SET before.
    package var recordedSettings: [String: String] { content.state.settings }

    /// Lets these settings count from now on, and tells every connection of those in `changed`.
    package func configure(_ live: LiveSettings, changed: [(key: String, value: String)]) {
        content.state.limits = live.limits
        // Whoever waits for a failed sign-in goes on waiting.
        backOff = live.backOff == nil ? nil : backOff ?? live.backOff
        for loop in loops.indices { loops[loop].held.append(.greeting(live.greeting), at: appended) }
        for (key, value) in changed {
            announce(Notice(key: .config(key), kind: "config", fields: [.word("key", key), .word("value", value)]))
        }
    }

    /// As `beginTurn` was told.
    package var moment: Timestamp { now }

    package var vitals: EngineVitals {
        let (accounts, guests) = content.state.accountCounts
        return EngineVitals(
            logID: logID,
            appended: appended,
            durable: durable,
            readOnlyReason: readOnlyReason,
            isMemoryFull: isMemoryFull,
            connections: loops.reduce(0) { $0 + $1.connections.count { $0.isOpen } },
            accounts: accounts,
            guests: guests,
            conversations: content.state.conversations.count { !$0.isDropped }
        )
    }
}
