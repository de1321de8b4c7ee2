import ChatModel

/// SIGNUP and AUTH. No error text repeats what was written: it may be a password in the wrong place.
extension CommandParser {
    func account(_ request: inout Request, _ tag: Tag) throws(Refusal) -> ParsedLine {
        if request.verb == .auth, let signIn = try signInWithoutPassword(&request) {
            return .command(tag, .signIn(signIn))
        }
        let ask: PendingAsk
        if request.verb == .auth {
            let who = try request.words.argument("who")
            ask = PendingAsk(request: .signIn(who: String(decoding: who, as: UTF8.self)))
        } else {
            let email = try request.words.argument("email")
            ask = PendingAsk(
                request: .signUp(
                    name: request.string(.name),
                    display: request.string(.display),
                    phone: request.string(.phone),
                    invite: request.string(.invite),
                    email: String(decoding: email, as: UTF8.self)
                )
            )
        }
        guard let password = request.words.rest() else { return .ask(tag, ask) }
        return .command(tag, Self.command(ask, Secret(Array(password))))
    }

    /// PASSWD has no options: everything behind its blank is the password.
    static func newPassword(_ words: inout WordScanner, _ tag: Tag) -> ParsedLine {
        let ask = PendingAsk(request: .newPassword)
        guard let password = words.rest() else { return .ask(tag, ask) }
        return .command(tag, command(ask, Secret(Array(password))))
    }

    /// `token=` or `anonymous=yes`, nil when neither is there.
    private func signInWithoutPassword(_ request: inout Request) throws(Refusal) -> SignIn? {
        guard request.has(.token) || request.has(.anonymous) else { return nil }
        if request.has(.anonymous) {
            guard try request.flag(.anonymous) else { throw .badArg("anonymous", "anonymous=yes, or a name") }
            if request.has(.token) { throw .badArg("anonymous", "token= or anonymous=, not both") }
        }
        request.words.skipBlanks()
        guard request.words.at == request.words.line.count else {
            throw .badArg(request.has(.token) ? "token" : "anonymous", "nothing may follow it")
        }
        guard let token = request[.token] else { return .anonymous }
        return .token(token.withBytes(hashers.token), Secret(token.withBytes { Array($0) }))
    }

    static func command(_ ask: PendingAsk, _ password: Secret) -> Command {
        switch ask.request {
        case .signIn(let who): .signIn(.password(who: who, password))
        case .newPassword: .changePassword(password)
        case .signUp(let name, let display, let phone, let invite, let email):
            .signUp(
                SignUp(
                    name: name,
                    display: display,
                    phone: phone,
                    invite: invite,
                    email: email,
                    password: password
                )
            )
        }
    }
}
