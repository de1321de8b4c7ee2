import ChatCore
import ChatModel

/// A sign-up or sign-in that waits for its password to be hashed.
struct PasswordWait {
    enum Purpose {
        case signUp(SignUp, salt: [UInt8])
        /// `account` is nil for a name that nobody has; its hash is computed all the same.
        case signIn(who: String, account: AccountNumber?)
        /// The operator's reset: the code is what was hashed.
        case reset(AccountNumber, code: String, salt: [UInt8])
        /// The operator's new account: the code is what was hashed.
        case addUser(name: String, email: String, code: String, salt: [UInt8])
        /// After the operator's code.
        case set(AccountNumber, salt: [UInt8])
        case change(AccountNumber, salt: [UInt8])
        case link(Link, salt: [UInt8])
        /// Whether it is the password of the record, and what is to be done then.
        case verify(AccountNumber, PasswordRecord, Verified)
    }
    let request: Request
    let purpose: Purpose
}

extension Engine {
    func signUp(_ signUp: SignUp, _ request: Request) throws(Refusal) -> Reply? {
        try checkSignedOut(request.connection)
        try checkWritable()
        try content.state.checkSignUp(signUp)
        let salt = randomness.bytes(16)
        hash(
            signUp.password,
            salt,
            passwordCost.n,
            8,
            passwordCost.p,
            expected: nil,
            request,
            .signUp(signUp, salt: salt)
        )
        return nil
    }

    func signIn(_ signIn: SignIn, _ request: Request) throws(Refusal) -> Reply? {
        let key = request.connection
        try checkSignedOut(key)
        switch signIn {
        case .anonymous: return try self.signInGuest(key)
        case .token(let hash, let token): return try self.signIn(token: hash, shown: token, key)
        case .password(let who, let password):
            try checkWritable()
            let folded = NameFolding.key(of: who)
            try checkBackOff(account: folded, key)
            let number = content.state.account(signingInAs: who)
            let record = number.flatMap { content.state.account($0)?.password }
            // An unknown name costs the same work as a known one: parameters of today, a salt made from the name.
            hash(
                password,
                record?.salt ?? madeUpSalt(folded),
                record?.n ?? passwordCost.n,
                record?.r ?? 8,
                record?.p ?? passwordCost.p,
                expected: record?.hash ?? [],
                request,
                .signIn(who: folded, account: record == nil ? nil : number)
            )
            return nil
        }
    }

    func passwordHashed(_ result: PasswordResult) {
        guard let wait = passwordWaits.removeValue(forKey: result.id), isOpen(wait.request.connection) else { return }
        do throws(Refusal) {
            if let reply = try finish(wait, result.outcome) { send(reply, to: wait.request) }
        } catch {
            send(.refused(error), to: wait.request)
        }
    }

    private func finish(_ wait: PasswordWait, _ outcome: PasswordResult.Outcome) throws(Refusal) -> Reply? {
        let key = wait.request.connection
        switch (wait.purpose, outcome) {
        case (_, .busy): throw Refusal(.busy, retry: .seconds(2), "too many sign-ins at once; try again")
        case (_, .failed): throw Refusal(.internal, retry: .now, "the password could not be hashed")
        case (.signUp(let signUp, let salt), .hash(let hash)):
            try checkWritable()
            let token = randomness.token()
            let password = passwordRecord(salt, hash)
            let record = try content.state.decideSignUp(signUp, password: password, session: token.hash, now: now)
            let spent = content.state.inviteSpent(by: signUp).map { [Change.ledger(.spendInvite($0))] } ?? []
            commit([.ledger(.account(record))] + spent)
            attach(key, to: record.number, session: token.hash)
            return .signedIn(user: record.handle, token: token.text, unread: nil, isNew: true)
        case (.signIn(let who, let account), .matches(let matches)):
            guard matches, let account, content.state.account(account) != nil else {
                backOff?.failed(account: who, source: connection(key).source, now: monotonic)
                throw .badAuth
            }
            if content.state.account(account)?.isDisabled == true {
                throw .denied("the operator has disabled this account")
            }
            try checkWritable()
            backOff?.succeeded(account: who)
            let token = randomness.token()
            let isCode = content.state.account(account)?.mustChangePassword == true
            let session = Session(hash: token.hash, created: now)
            commit(.ledger(.session(account, session)), together: isCode)
            if isCode { commit(.ledger(.spendCode(account)), together: false) }
            endOutlivedSessions(of: account)
            return signedIn(key, account, session: token.hash, token: token.text)
        case (.reset(let account, let code, let salt), .hash(let hash)):
            return try reset(account, code: code, passwordRecord(salt, hash))
        case (.addUser(let name, let email, let code, let salt), .hash(let hash)):
            return try addUser(name: name, email: email, code: code, passwordRecord(salt, hash))
        case (.set(let account, let salt), .hash(let hash)):
            return try setPassword(of: account, passwordRecord(salt, hash), key)
        case (.change(let account, let salt), .hash(let hash)):
            return try passwordHashed(passwordRecord(salt, hash), of: account, key)
        case (.link(let link, let salt), .hash(let hash)):
            return try self.link(link, passwordRecord(salt, hash), key)
        case (.verify(let account, let record, let action), .matches(let matches)):
            return try verified(matches, account, record, action, wait.request)
        case (.signUp, .matches), (.signIn, .hash), (.reset, .matches), (.change, .matches), (.set, .matches),
            (.link, .matches), (.verify, .hash), (.addUser, .matches):
            throw Refusal(.internal, retry: .now, "the password work went astray")
        }
    }

    private func signIn(token hash: TokenHash, shown: Secret, _ key: ConnectionKey) throws(Refusal) -> Reply {
        // Nobody guesses a token, so a sound one does not wait for what others of its source got wrong.
        guard let account = content.state.owner(of: hash), !isExpired(hash, of: account) else {
            try checkBackOff(account: nil, key)
            backOff?.failed(account: nil, source: connection(key).source, now: monotonic)
            throw .badAuth
        }
        return signedIn(key, account, session: hash, token: String(decoding: shown.bytes, as: UTF8.self))
    }

    /// A token of TOKEN whose time is over.
    func isExpired(_ hash: TokenHash, of account: AccountNumber) -> Bool {
        content.state.token(hash, of: account)?.isExpired(now) ?? false
    }

    private func signInGuest(_ key: ConnectionKey) throws(Refusal) -> Reply {
        guard content.state.limits.anonymous else { throw .denied("this server takes no guests") }
        let token = randomness.token()
        for _ in 0..<100 {
            let word = randomness.word()
            guard let record = content.state.makeGuest(word: word, session: token.hash, now: now) else { continue }
            content.state.addUnrecordedGuest(record)
            return signedIn(key, record.number, session: token.hash, token: token.text)
        }
        throw Refusal(.internal, retry: .now, "no free name for a guest")
    }

    private func signedIn(
        _ key: ConnectionKey,
        _ account: AccountNumber,
        session: TokenHash,
        token: String?
    ) -> Reply {
        attach(key, to: account, session: session)
        let state = content.state
        return .signedIn(
            user: state.handleText(account),
            token: token,
            unread: state.unread(of: account),
            isNew: false
        )
    }

    /// LOGOUT: the token dies, with `all` every session of the account; other connections of it end.
    func signOut(_ key: ConnectionKey, all: Bool) throws(Refusal) -> Reply {
        let connection = self.connection(key)
        guard let account = connection.account ?? connection.pending, let session = connection.session else {
            return .signedOut
        }
        let others = connectionsOf[account, default: []].filter { other in
            other != key && (all && self.connection(other).scope == nil || self.connection(other).session == session)
        }
        let isToken = content.state.token(session, of: account) != nil
        let entry: LedgerEntry =
            isToken ? .endToken(account, session) : all ? .endSessions(account) : .endSession(account, session)
        if content.state.isRecorded(account) {
            try checkWritable()
            commit(.ledger(entry), together: false)
        } else {
            content.state.apply(entry)
        }
        detach(key)
        for other in others { endSession(other, reason: "signed out elsewhere") }
        return .signedOut
    }

    /// The oldest sessions have given way to a new one: their connections end.
    private func endOutlivedSessions(of account: AccountNumber) {
        for key in connectionsOf[account, default: []] {
            guard let session = connection(key).session, content.state.owner(of: session) == nil else { continue }
            endSession(key, reason: "too many sessions; the oldest has ended")
        }
    }

    func whoAmI(_ number: AccountNumber) -> Reply {
        guard let account = content.state.account(number) else { return .refused(.needAuth) }
        return .done([
            .word("user", account.handle.text), .word("display", account.display), .flag("guest", account.isGuest),
        ])
    }

    private func checkSignedOut(_ key: ConnectionKey) throws(Refusal) {
        if connection(key).account != nil || connection(key).pending != nil {
            throw Refusal(.conflict, "you are signed in; LOGOUT first")
        }
    }

    private func checkBackOff(account: String?, _ key: ConnectionKey) throws(Refusal) {
        guard let seconds = backOff?.wait(account: account, source: connection(key).source, now: monotonic) else {
            return
        }
        throw Refusal(.limit, retry: .seconds(seconds), "too many failed sign-ins; wait a little")
    }

    private func madeUpSalt(_ name: String) -> [UInt8] {
        var salt = [UInt8](repeating: 0x5A, count: 16)
        for (index, byte) in name.utf8.enumerated() { salt[index & 15] ^= byte }
        return salt
    }

    func hash(
        _ password: Secret,
        _ salt: [UInt8],
        _ n: UInt32,
        _ r: UInt32,
        _ p: UInt32,
        expected: [UInt8]?,
        _ request: Request,
        _ purpose: PasswordWait.Purpose
    ) {
        let id = nextJob
        nextJob += 1
        passwordWaits[id] = PasswordWait(request: request, purpose: purpose)
        let source = connection(request.connection).source
        passwordJobs.append(
            PasswordJob(id: id, source: source, password: password, n: n, r: r, p: p, salt: salt, expected: expected)
        )
    }
}
