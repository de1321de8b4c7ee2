import ChatModel

extension State {
    /// Moves the state by one ledger entry.
    package func apply(_ entry: LedgerEntry) {
        noteMarks(of: entry)
        switch entry {
        case .log(let id): logID = id
        case .nonceKey(let key): nonceKey = key
        case .linkKey(let key): linkKey = key
        case .start(let interval): isUncleanInterval = interval
        case .stop: isUncleanInterval = false
        case .account(let record): add(record, isRecorded: true)
        case .session(let number, let session): addSession(session, to: number)
        case .endSession(let number, let hash):
            if !isBehind(number) { return }
            sessionOwners[hash] = nil
            change(number) { $0.sessions.removeAll { $0.hash == hash } }
        case .endSessions(let number):
            if !isBehind(number) { return }
            for session in account(number)?.sessions ?? [] { sessionOwners[session.hash] = nil }
            change(number) { $0.sessions = [] }
        case .token, .endToken, .profile, .email, .verified, .link, .block: applyToAccount(entry)
        case .marker(let number, let conversation, let count): apply(marker: conversation, count, of: number)
        case .erasing(let number): if isBehind(number) { beginErasing(number) }
        case .expire(let number), .erased(let number): forget(number)
        case .invite(let hash, let invite): invites[hash] = invite.uses > 0 ? invite : nil
        case .spendInvite(let hash): spendInvite(hash)
        case .metricsToken(let hash): metricsToken = hash
        case .addressBan(let prefix, let isOn):
            bannedAddresses.removeAll { $0 == prefix }
            if isOn { bannedAddresses.append(prefix) }
        case .retain(let number, let retention): apply(retention: retention, of: number)
        case .retainByDefault(let retention): apply(retentionDefaults: retention)
        case .trim(let number, let first): apply(trim: number, first: first)
        case .setting(let key, let value): settings[key] = value
        case .disabled(let number, let isDisabled): change(number) { $0.isDisabled = isDisabled }
        case .reset(let number, let code): change(number) { ($0.password, $0.mustChangePassword) = (code, true) }
        case .spendCode(let number): change(number) { $0.password = nil }
        case .password(let number, let password):
            change(number) { ($0.password, $0.mustChangePassword) = (password, false) }
        case .blob(let record): if isBehind(record.owner) { add(record) }
        case .endBlob(let owner, let id): if isBehind(owner) { end(id) }
        case .endLinks(let owner, let id, let generation): if isBehind(owner) { endLinks(of: id, generation) }
        case .collection, .schema, .forgetItems: applyToItems(entry)
        }
    }

    /// Adds a guest that is not written down yet.
    package func addUnrecordedGuest(_ record: AccountRecord) { add(record, isRecorded: false) }

    /// Forgets a guest that was never written down.
    package func removeUnrecordedGuest(_ number: AccountNumber) {
        guard let guest = account(number), !guest.isRecorded else { return }
        for session in guest.sessions { sessionOwners[session.hash] = nil }
        release(guest.handle)
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
        claim(account.handle, for: record.number)
        if let email = account.email { emails[email.key] = record.number }
        accountSlots[index] = account
        if !account.isGuest { directory.insert(account) }
        if unusedNumbers.last == record.number { unusedNumbers.removeLast() }
        if isRecorded { marks.note(account: record.number, at: position) }
        if let session = record.session {
            addSession(Session(hash: session, created: record.created), to: record.number)
        }
    }

    /// An account is no more; its handle stays taken.
    private func forget(_ number: AccountNumber) {
        guard let gone = account(number) else { return }
        for hash in gone.sessions.map(\.hash) + gone.tokens.map(\.hash) { sessionOwners[hash] = nil }
        for upload in gone.uploads { remove(upload) }
        expiredHandles[number] = gone.handle.text
        marks.note(account: number, at: position)
        // Its lines were rewritten, also where no event could follow that says so.
        for conversation in gone.spoken where exists(conversation) {
            marks.note(conversation: Int(conversation.raw) - 1, at: position)
        }
        directory.remove(gone)
        accountSlots[Int(number.raw) - 1] = nil
    }

    /// Whether this change is still to be made to an account that is there.
    func isBehind(_ number: AccountNumber) -> Bool {
        account(number).map { $0.validFrom <= position } ?? false
    }

    private func noteMarks(of entry: LedgerEntry) {
        switch entry {
        case .log, .nonceKey, .linkKey, .start, .stop, .setting, .invite, .spendInvite, .metricsToken, .addressBan,
            .retainByDefault:
            marks.server = position
        default: break
        }
    }

    private func addSession(_ session: Session, to number: AccountNumber) {
        if !isBehind(number) { return }
        sessionOwners[session.hash] = number
        var outlived: [Session] = []
        let limit = max(1, limits.sessions)
        change(number) { account in
            account.sessions.append(session)
            if account.sessions.count > limit {
                outlived = Array(account.sessions.prefix(account.sessions.count - limit))
                account.sessions.removeFirst(outlived.count)
            }
        }
        for old in outlived { sessionOwners[old.hash] = nil }
    }

    private func spendInvite(_ hash: TokenHash) {
        guard let invite = invites[hash] else { return }
        invites[hash] = invite.uses > 1 ? Invite(uses: invite.uses - 1, expires: invite.expires) : nil
    }
}
