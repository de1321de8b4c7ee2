import ChatModel

/// Ledger entries about what an account is, and its way out.
extension State {
    func applyToAccount(_ entry: LedgerEntry) {
        switch entry {
        case .token(let number, let token):
            if !isBehind(number) { return }
            sessionOwners[token.hash] = number
            change(number) { $0.tokens.append(token) }
        case .endToken(let number, let hash):
            if !isBehind(number) { return }
            sessionOwners[hash] = nil
            change(number) { $0.tokens.removeAll { $0.hash == hash } }
        case .profile(let number, let profile): apply(profile, to: number)
        case .email(let number, let email): change(number) { setEmail(EmailAddress(trusted: email), of: $0) }
        case .verified(let number, let isVerified): change(number) { $0.isVerified = isVerified }
        case .link(let record): change(record.number) { link($0, record) }
        case .block(let number, let other, let isBlocked): change(number) { $0.setBlocked(other, isBlocked) }
        default: break
        }
    }

    private func setEmail(_ email: EmailAddress?, of account: Account) {
        if let old = account.email, emails[old.key] == account.number { emails[old.key] = nil }
        account.email = email
        account.isVerified = false
        if let email { emails[email.key] = account.number }
    }

    private func link(_ account: Account, _ record: AccountRecord) {
        account.aliases.append(account.handle.text)
        account.handle = Handle(trusted: record.handle)
        (account.display, account.password, account.isGuest) = (record.display, record.password, false)
        claim(account.handle, for: account.number)
        setEmail(record.email.map(EmailAddress.init(trusted:)), of: account)
        directory.insert(account)
    }

    /// Takes everything from an account that a person would call his; its texts go step by step (`Change.erase`).
    func beginErasing(_ number: AccountNumber) {
        guard let account = account(number) else { return }
        for hash in account.sessions.map(\.hash) + account.tokens.map(\.hash) { sessionOwners[hash] = nil }
        setEmail(nil, of: account)
        directory.remove(account)
        for upload in account.uploads { remove(upload) }
        for conversation in account.invitations where exists(conversation) {
            self.conversation(conversation).invited[number] = nil
        }
        change(number) { account in
            account.invitations = []
            (account.sessions, account.tokens, account.blocked) = ([], [], [])
            account.profile = Profile(display: account.handle.text, phone: nil, bio: nil, avatar: nil)
            (account.password, account.nonces, account.isErasing) = (nil, NonceMemory(), true)
            (account.uploads, account.endedUploads, account.blobBytes) = ([], 0, 0)
        }
    }

    private func apply(_ profile: Profile, to number: AccountNumber) {
        var former: BlobID?
        change(number) { account in
            if account.avatar != profile.avatar { former = account.avatar }
            account.profile = profile
        }
        if let former { noteUnused(former) }
    }
}

extension Account {
    package var profile: Profile {
        get { Profile(display: display, phone: phone, bio: bio, avatar: avatar) }
        set { (display, phone, bio, avatar) = (newValue.display, newValue.phone, newValue.bio, newValue.avatar) }
    }

    func setBlocked(_ other: AccountNumber, _ isBlocked: Bool) {
        let at = blocked.lowerBound(of: other)
        let isThere = at < blocked.count && blocked[at] == other
        if isBlocked, !isThere { blocked.insert(other, at: at) }
        if !isBlocked, isThere { blocked.remove(at: at) }
    }
}
