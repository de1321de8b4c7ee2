import ChatClient
import Wire

/// `fcc signup` and `fcc login`: get a token and remember it.
struct SignInCommand {
    let context: Context
    let request: Request
    /// Whether the account is made by this, so that the password is a new one.
    let isNew: Bool

    func run() throws(Failure) {
        var known = context.pin
        // The certificate comes before the password: nobody should type it for a stranger.
        if known == nil, context.passwords.needsTerminal { _ = try context.judged(known: &known) }
        let password = try context.passwords.password(isNew: isNew)
        let session = try context.connect(known: &known)
        try context.remember(known)
        let reply = try session.perform(request, answer: password)
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
        if context.invocation.isJSON {
            var line = reply.end
            line.fields.removeAll { $0.key == "token" }
            try context.output.line(LineObject.text(of: line))
        } else if !context.invocation.isQuiet {
            try context.output.line("signed in as \(VisibleText.line(user)) at \(context.endpoint)")
        }
    }
}
