import ChatClient

/// `fcc logout`: the token dies on the server and is forgotten here.
struct LogoutCommand {
    let context: Context

    func run() throws(Failure) {
        let token = try context.token()
        let session = try context.greeted()
        do {
            _ = try session.perform(Request(fixed: "AUTH", options: [.init("token", token)]))
            _ = try session.perform(Request(fixed: "LOGOUT"))
        } catch {
            // A token that the server does not know any more is what was wanted.
            let isDead = error.code == .refused && !error.isTemporary
            guard isDead || error.code == .notSignedIn else { throw error }
        }
        var profile = try context.store.load()
        (profile.token, profile.user) = (nil, nil)
        try context.store.save(profile)
        if !context.invocation.isQuiet, !context.invocation.isJSON { try context.output.line("signed out") }
    }
}
