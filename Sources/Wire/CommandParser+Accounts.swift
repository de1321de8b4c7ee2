import ChatModel

/// SIGNUP, AUTH and LINK; PASSWD, EMAIL and UNREGISTER. No error text repeats what was written: it may be a password in the wrong place.
extension CommandParser {
    func account(_ request: inout Request, _ tag: Tag) throws(Refusal) -> ParsedLine {
        if request.verb == .auth, let signIn = try signInWithoutPassword(&request) {
            return .command(tag, .signIn(signIn))
        }
        let ask: PendingAsk
        if request.verb == .auth {
            let who = try request.words.argument("who")
            ask = PendingAsk(request: .signIn(who: String(decoding: who, as: UTF8.self)))
        } else if request.verb == .link {
            let email = try request.words.argument("email")
            ask = PendingAsk(request: .link(name: request.string(.name), email: String(decoding: email, as: UTF8.self)))
        } else {
            let email = try request.words.argument("email")
            ask = PendingAsk(
                request: .signUp(
                    name: request.string(.name),
                    display: request.string(.display),
                    phone: request.string(.phone),
                    invite: request[.invite]?.withBytes(hashers.token),
                    email: String(decoding: email, as: UTF8.self)
                )
            )
        }
        guard let password = request.words.rest() else { return .ask(tag, ask) }
        return Self.complete(ask, Secret(Array(password)), tag)
    }

    /// PASSWD, EMAIL and UNREGISTER have no options, so that a password may look like one.
    static func secret(_ verb: Verb, _ words: inout WordScanner, isCode: Bool, _ tag: Tag) throws(Refusal) -> ParsedLine
    {
        switch verb {
        case .passwd where isCode:
            // The operator's code was the old one: everything behind the verb's blank is the new one.
            guard let new = words.rest() else { return .ask(tag, PendingAsk(request: .newPassword(old: nil))) }
            return .command(tag, .account(.changePassword(old: nil, new: Secret(Array(new)))))
        case .passwd:
            guard let old = try words.word() else { return .ask(tag, PendingAsk(request: .oldPassword)) }
            let ask = PendingAsk(request: .newPassword(old: Secret(Array(old))))
            guard let new = words.rest() else { return .ask(tag, ask) }
            return complete(ask, Secret(Array(new)), tag)
        case .email:
            let ask = PendingAsk(request: .email(String(decoding: try words.argument("email"), as: UTF8.self)))
            guard let password = words.rest() else { return .ask(tag, ask) }
            return complete(ask, Secret(Array(password)), tag)
        default:
            guard let password = try words.word() else { return .ask(tag, PendingAsk(request: .unregister)) }
            words.skipBlanks()
            guard words.at == words.line.count else {
                throw .badArg("password", "a password with blanks is asked for: UNREGISTER alone")
            }
            return complete(PendingAsk(request: .unregister), Secret(Array(password)), tag)
        }
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

    /// What a request comes to with the password it lacked; PASSWD may lack another one.
    static func complete(_ ask: PendingAsk, _ password: Secret, _ tag: Tag) -> ParsedLine {
        let command: Command
        switch ask.request {
        case .oldPassword: return .ask(tag, PendingAsk(request: .newPassword(old: password)))
        case .newPassword(let old): command = .account(.changePassword(old: old, new: password))
        case .email(let address): command = .account(.changeEmail(address, password: password))
        case .unregister: command = .account(.unregister(password: password))
        case .signIn(let who): command = .signIn(.password(who: who, password))
        case .link(let name, let email):
            command = .account(.link(Link(name: name, email: email, password: password)))
        case .signUp(let name, let display, let phone, let invite, let email):
            command = .signUp(
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
        return .command(tag, command)
    }
}
