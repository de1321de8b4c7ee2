import ChatModel

extension State {
    /// Moves the state by one ledger entry.
    package func apply(_ entry: LedgerEntry) {
        noteMarks(of: entry)
        switch entry {
        case .log(let id): logID = id
        case .nonceKey(let key): nonceKey = key
        case .start(let interval): isUncleanInterval = interval
        case .stop: isUncleanInterval = false
        case .account(let record): add(record, isRecorded: true)
        case .session(let number, let hash): addSession(hash, to: number)
        case .endSession(let number, let hash):
            if !isBehind(number) { return }
            sessionOwners[hash] = nil
            change(number) { $0.sessions.removeAll { $0 == hash } }
        case .endSessions(let number):
            if !isBehind(number) { return }
            for hash in account(number)?.sessions ?? [] { sessionOwners[hash] = nil }
            change(number) { $0.sessions = [] }
        case .expire(let number):
            for hash in account(number)?.sessions ?? [] { sessionOwners[hash] = nil }
            let index = Int(number.raw) - 1
            if let guest = account(number) {
                expiredHandles[number] = guest.handle.text
                marks.note(account: number, at: position)
            }
            if accountSlots.indices.contains(index) { accountSlots[index] = nil }
        case .setting(let key, let value): settings[key] = value
        case .disabled(let number, let isDisabled): change(number) { $0.isDisabled = isDisabled }
        case .reset(let number, let code): change(number) { ($0.password, $0.mustChangePassword) = (code, true) }
        case .spendCode(let number): change(number) { $0.password = nil }
        case .password(let number, let password):
            change(number) { ($0.password, $0.mustChangePassword) = (password, false) }
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
        if isRecorded { marks.note(account: record.number, at: position) }
        if let session = record.session { addSession(session, to: record.number) }
    }

    /// Whether this change is still to be made to an account that is there.
    private func isBehind(_ number: AccountNumber) -> Bool {
        account(number).map { $0.validFrom <= position } ?? false
    }

    private func noteMarks(of entry: LedgerEntry) {
        switch entry {
        case .log, .nonceKey, .start, .stop, .setting: marks.server = position
        default: break
        }
    }

    private func addSession(_ hash: TokenHash, to number: AccountNumber) {
        if !isBehind(number) { return }
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
