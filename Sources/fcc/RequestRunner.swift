import ChatClient
import Glibc
import Wire

/// The commands of `fcc` that are one request: makes it, page by page, and shows what comes.
struct RequestRunner {
    let context: Context
    let command: RequestCommand

    func run() throws(Failure) {
        let (session, _) = try context.signedIn()
        var request = command.request
        if let avatar = command.avatar {
            request = request.adding(.init("avatar", try blob(avatar, session)))
        }
        let answers = try passwords(session)
        var pager = ListPager(request, pages: command.pages)
        while let page = pager.next() {
            let reply = try session.perform(page, answers: answers)
            pager.take(rows: reply.rows, end: reply.end)
            try remember(reply.end)
            try show(reply)
        }
    }

    /// The id of a picture that is a blob already, or becomes one now. An empty word takes the picture away.
    private func blob(_ word: String, _ session: Session) throws(Failure) -> String {
        let isFile = access(word, F_OK) == 0
        if word.isEmpty || (word.hasPrefix("b_") && !isFile) { return word }
        let end = try PutCommand.put(word, session, context, conversation: nil)
        guard let blob = end["blob"] else { throw Failure(.refused, "the server took the file without naming it") }
        return blob
    }

    /// The answers to what the server will ask, in its order. Nobody types a password before the server is known.
    private func passwords(_ session: Session) throws(Failure) -> [String] {
        switch command.secret {
        case .none: []
        case .present: [try context.passwords.password(isNew: false)]
        case .first: [try context.passwords.password(isNew: true)]
        case .change where try session.wantsPassword(): [try context.passwords.replacement()]
        case .change:
            [try context.passwords.password(isNew: false, "Present password: "), try context.passwords.replacement()]
        }
    }

    private func remember(_ end: ServerLine) throws(Failure) {
        var profile = try context.store.load()
        switch command.memory {
        case .nothing: return
        case .identity:
            profile.user = end["user"] ?? profile.user
            profile.token = end["token"] ?? profile.token
        case .signedOut: (profile.token, profile.user) = (nil, nil)
        }
        try context.store.save(profile)
    }

    private func show(_ reply: Session.Reply) throws(Failure) {
        let output = context.output
        let isList = command.outcome == .rows
        if context.invocation.isJSON {
            let lines = isList ? reply.rows : [reply.end]
            for line in lines { try output.line(LineObject.text(of: line)) }
            return
        }
        let formatter = RowFormatter(like: context.formatter(namesConversation: true))
        switch command.outcome {
        case .quiet: if reply.end["dup"] == "yes" { output.note("it is so already; nothing was changed") }
        case .said(let text): if !context.invocation.isQuiet { try output.line(text) }
        case .rows: for row in reply.rows { try output.line(formatter.text(of: row)) }
        case .fields: for line in formatter.lines(of: reply.end) { try output.line(line) }
        case .value(let key): try output.line(VisibleText.line(reply.end[key] ?? ""))
        }
    }
}
