import ChatClient
import Wire

/// `fcc signup` and `fcc login`: get a token and remember it.
struct SignInCommand {
    let context: Context
    let request: Request
    /// Whether the account is made by this, so that the password is a new one.
    let isNew: Bool
    /// Whether there is a password at all.
    var isAnonymous = false

    func run() throws(Failure) {
        var known = context.pin
        // The certificate comes before the password: nobody should type it for a stranger.
        if known == nil, !isAnonymous, context.passwords.needsTerminal { _ = try context.judged(known: &known) }
        let answers = isAnonymous ? [] : [try context.passwords.password(isNew: isNew)]
        let session = try context.connect(known: &known)
        try context.remember(known)
        let reply = try session.perform(request, answers: answers)
        guard let user = reply.end["user"], let token = reply.end["token"] else {
            throw Failure(.refused, "the server signed us in without a token")
        }
        let profile = Profile(
            server: "\(context.endpoint)",
            user: user,
            token: token,
            pin: known.map { "\($0)" }
        )
        try context.store.save(profile)
        if !isNew, !isAnonymous { try setPassword(session) }
        if context.invocation.isJSON {
            var line = reply.end
            line.fields.removeAll { $0.key == "token" }
            try context.output.line(LineObject.text(of: line))
        } else if !context.invocation.isQuiet {
            try context.output.line("signed in as \(VisibleText.line(user)) at \(context.endpoint)")
        }
    }

    /// After the operator's one-time code nothing is taken but a new password.
    private func setPassword(_ session: Session) throws(Failure) {
        do {
            guard try session.wantsPassword() else { return }
        } catch {
            // One is signed in all the same, and the next command tells what is wrong.
            return
        }
        context.output.note("the operator's code is used up; now choose a password (later: fcc passwd)")
        _ = try session.perform(Request(fixed: "PASSWD"), answers: [try context.passwords.replacement()])
    }
}
