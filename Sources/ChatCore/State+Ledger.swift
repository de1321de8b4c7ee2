import ChatModel

extension State {
    /// Moves the state by one ledger entry.
    package func apply(_ entry: LedgerEntry) {
        switch entry {
        case .log(let id): logID = id
        case .nonceKey(let key): nonceKey = key
        case .start(let interval): isUncleanInterval = interval
        case .stop: isUncleanInterval = false
        case .account(let record): add(record, isRecorded: true)
        case .session(let number, let hash): addSession(hash, to: number)
        case .endSession(let number, let hash):
            sessionOwners[hash] = nil
            change(number) { $0.sessions.removeAll { $0 == hash } }
        case .endSessions(let number):
            for hash in account(number)?.sessions ?? [] { sessionOwners[hash] = nil }
            change(number) { $0.sessions = [] }
        case .expire(let number):
            for hash in account(number)?.sessions ?? [] { sessionOwners[hash] = nil }
            let index = Int(number.raw) - 1
            if accountSlots.indices.contains(index) { accountSlots[index] = nil }
        case .blob(let record): add(record)
        }
    }

    /// Adds a guest that is not written down yet.
    package func addUnrecordedGuest(_ record: AccountRecord) { add(record, isRecorded: false) }

    /// Forgets a guest that was never written down.
    package func removeUnrecordedGuest(_ number: AccountNumber) {
        guard let guest = account(number), !guest.isRecorded else { return }
        for hash in guest.sessions { sessionOwners[hash] = nil }
        handles[guest.handle.key] = nil
        accountSlots[Int(number.raw) - 1] = nil
        unusedNumbers.append(number)
    }

    private func add(_ record: AccountRecord, isRecorded: Bool) {
        let index = Int(record.number.raw) - 1
        guard index >= 0 else { return }
        while accountSlots.count <= index { accountSlots.append(nil) }
        if accountSlots[index] != nil {
            change(record.number) { $0.isRecorded = isRecorded }
            return
        }
        let account = Account(record, isRecorded: isRecorded)
        handles[account.handle.key] = record.number
        if let email = account.email { emails[email.key] = record.number }
        accountSlots[index] = account
        if unusedNumbers.last == record.number { unusedNumbers.removeLast() }
        if let session = record.session { addSession(session, to: record.number) }
    }

    private func addSession(_ hash: TokenHash, to number: AccountNumber) {
        sessionOwners[hash] = number
        var outlived: [TokenHash] = []
        let limit = max(1, limits.sessions)
        change(number) { account in
            account.sessions.append(hash)
            if account.sessions.count > limit {
                outlived = Array(account.sessions.prefix(account.sessions.count - limit))
                account.sessions.removeFirst(outlived.count)
            }
        }
        for old in outlived { sessionOwners[old] = nil }
    }
}
