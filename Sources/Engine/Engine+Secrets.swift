import ChatCore
import ChatModel

/// What follows once somebody has shown that the password is his.
enum Verified {
    case changePassword(Secret)
    case changeEmail(String)
    case unregister
}

/// PASSWD, EMAIL, UNREGISTER and LINK: their passwords go to the workers and come back here.
extension Engine {
    /// Begins to compare a password with the account's.
    /// - Returns: nil: the answer comes later.
    func verify(
        _ password: Secret,
        of account: AccountNumber,
        _ request: Request,
        then action: Verified
    ) throws(Refusal) -> Reply? {
        try checkWritable()
        let source = connection(request.connection).source
        let name = content.state.handleText(account)
        if let seconds = backOff?.wait(account: NameFolding.key(of: name), source: source, now: monotonic) {
            throw Refusal(.limit, retry: .seconds(seconds), "too many wrong passwords; wait a little")
        }
        var asker = Access.Asker()
        asker.owns = try self.account(of: request.connection) == account
        guard Access.secrets(.change, asker), let record = content.state.account(account)?.password else {
            throw .badAuth
        }
        hash(
            password,
            record.salt,
            record.n,
            record.r,
            record.p,
            expected: record.hash,
            request,
            .verify(account, record, action)
        )
        return nil
    }

    /// The password was compared.
    func verified(
        _ matches: Bool,
        _ account: AccountNumber,
        _ record: PasswordRecord,
        _ action: Verified,
        _ request: Request
    ) throws(Refusal) -> Reply? {
        let key = request.connection
        guard try self.account(of: key) == account, content.state.account(account)?.password == record else {
            throw .badAuth
        }
        guard matches else {
            let name = NameFolding.key(of: content.state.handleText(account))
            backOff?.failed(account: name, source: connection(key).source, now: monotonic)
            throw Refusal(.badAuth, field: "password", "the password is wrong")
        }
        switch action {
        case .changePassword(let new):
            try checkNewPassword(new, of: account)
            let salt = randomness.bytes(16)
            hash(new, salt, passwordCost.n, 8, passwordCost.p, expected: nil, request, .change(account, salt: salt))
            return nil
        case .changeEmail(let address):
            let email = try content.state.checkEmail(address, of: account)
            try checkWritable()
            commit(.ledger(.email(account, email.text)), together: false)
            return .done([.word("email", email.text), .flag("verified", false)])
        case .unregister: return try unregister(account, request)
        }
    }

    func checkNewPassword(_ new: Secret, of account: AccountNumber) throws(Refusal) {
        guard let found = content.state.account(account) else { throw .needAuth }
        if found.isGuest { throw Refusal(.conflict, "a guest has no password: LINK first") }
        try content.state.checkPassword(new.bytes, handle: found.handle, email: found.email)
    }

    /// The password is another one; every other session ends, tokens of TOKEN do not.
    func passwordHashed(
        _ record: PasswordRecord,
        of account: AccountNumber,
        _ key: ConnectionKey
    ) throws(Refusal) -> Reply {
        guard try self.account(of: key) == account else { throw .badAuth }
        try checkWritable()
        let own = connection(key).session
        let ended = (content.state.account(account)?.sessions ?? []).map(\.hash).filter { $0 != own }
        commit([.ledger(.password(account, record))] + ended.map { .ledger(.endSession(account, $0)) })
        for other in connectionsOf[account, default: []] where other != key {
            guard let session = connection(other).session, ended.contains(session) else { continue }
            endSession(other, reason: "the password was changed")
        }
        return .passwordChanged(user: content.state.handleText(account))
    }

    func beginLink(_ link: Link, by account: AccountNumber, _ request: Request) throws(Refusal) -> Reply? {
        try content.state.checkLink(link, by: account)
        try checkWritable()
        let salt = randomness.bytes(16)
        hash(link.password, salt, passwordCost.n, 8, passwordCost.p, expected: nil, request, .link(link, salt: salt))
        return nil
    }

    func link(_ link: Link, _ record: PasswordRecord, _ key: ConnectionKey) throws(Refusal) -> Reply {
        let account = try self.account(of: key)
        try checkWritable()
        let (handle, changes) = try content.state.decideLink(link, password: record, by: account, now: now)
        commit(changes)
        noteProfileChange(of: account)
        return .done([.word("user", handle)])
    }
}
