import ChatCore
import ChatModel

extension Refusal {
    /// The one answer to whoever signed in with the operator's code and has not set a password.
    static var needPassword: Refusal { .denied("set a new password first: PASSWD NEW-PASSWORD") }
}

/// The operator's reset, and PASSWD after it.
extension Engine {
    func passwordRecord(_ salt: [UInt8], _ hash: [UInt8]) -> PasswordRecord {
        PasswordRecord(n: passwordCost.n, r: 8, p: passwordCost.p, salt: salt, hash: hash)
    }

    /// Begins `ADMIN USER reset`: makes a code, which is hashed like any password.
    func beginReset(_ account: AccountNumber, _ request: Request) throws(Refusal) {
        guard content.state.account(account)?.isGuest == false else {
            throw Refusal(.conflict, field: "user", "a guest has no password")
        }
        try checkWritable()
        hashCode(for: request) { code, salt in .reset(account, code: code, salt: salt) }
    }

    /// Makes a code and has it hashed.
    func hashCode(for request: Request, _ purpose: (String, [UInt8]) -> PasswordWait.Purpose) {
        let (code, salt) = (freshCode(), randomness.bytes(16))
        hash(
            Secret(Array(code.utf8)),
            salt,
            passwordCost.n,
            8,
            passwordCost.p,
            expected: nil,
            request,
            purpose(code, salt)
        )
    }

    /// The sessions end, the old password is no more, and the code takes its place.
    func reset(_ account: AccountNumber, code: String, _ record: PasswordRecord) throws(Refusal) -> Reply {
        try checkWritable()
        guard let found = content.state.account(account) else { throw .notFound }
        commit([.ledger(.endSessions(account)), .ledger(.reset(account, record))])
        endConnections(of: account, reason: "the operator has reset the password")
        return .done([.word("user", found.handle.text), .word("code", code)])
    }

    func setPassword(_ password: Secret, _ request: Request) throws(Refusal) -> Reply? {
        let account = try checkPending(request.connection)
        try checkWritable()
        guard let found = content.state.account(account) else { throw .badAuth }
        try content.state.checkPassword(password.bytes, handle: found.handle, email: found.email)
        let salt = randomness.bytes(16)
        hash(
            password,
            salt,
            passwordCost.n,
            8,
            passwordCost.p,
            expected: nil,
            request,
            .set(account, salt: salt)
        )
        return nil
    }

    func setPassword(
        of account: AccountNumber,
        _ record: PasswordRecord,
        _ key: ConnectionKey
    ) throws(Refusal) -> Reply {
        guard try checkPending(key) == account, let session = connection(key).session else { throw .badAuth }
        try checkWritable()
        commit(.ledger(.password(account, record)), together: false)
        change(key) { $0.pending = nil }
        attach(key, to: account, session: session)
        return .passwordChanged(user: content.state.handleText(account))
    }

    /// The account this connection may set a password for: it signed in with the code, and its session still stands.
    private func checkPending(_ key: ConnectionKey) throws(Refusal) -> AccountNumber {
        let connection = self.connection(key)
        guard let account = connection.pending else {
            if connection.account == nil { throw .needAuth }
            throw Refusal(.conflict, "PASSWD is for who signed in with a code of the operator's")
        }
        guard let session = connection.session, content.state.owner(of: session) == account,
            content.state.account(account)?.mustChangePassword == true
        else { throw .badAuth }
        return account
    }

    /// 80 random bits in 16 letters and digits that are not mistaken for each other.
    private func freshCode() -> String {
        let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
        let letters = randomness.bytes(16).map { alphabet[Int($0 & 31)] }
        return stride(from: 0, to: 16, by: 4).map { String(decoding: letters[$0..<$0 + 4], as: UTF8.self) }
            .joined(separator: "-")
    }
}
