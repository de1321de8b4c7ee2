import ChatClient
import Glibc
import SystemIO

/// Runs one command line and says how it ended.
enum Program {
    static let version = "fcc 1.0"

    static func run(_ arguments: [String], environment: [String: String]) -> ExitCode {
        ClientSocket.ignoreBrokenPipes()
        do {
            let invocation = try understood(arguments)
            try run(invocation, environment)
            return .done
        } catch {
            if let text = error.text { Output.error(text) }
            return error.code
        }
    }

    private static func understood(_ arguments: [String]) throws(Failure) -> Invocation {
        do {
            return try Invocation(arguments)
        } catch {
            let lines = error.text.split(separator: "\n" as Character).map { VisibleText.line(String($0)) }
            throw Failure(.usage, lines.joined(separator: "\n"))
        }
    }

    private static func run(_ invocation: Invocation, _ environment: [String: String]) throws(Failure) {
        switch invocation.command {
        case .help: return try text(OptionTable.help)
        case .version: return try text(version + "\n")
        case .chat: return try chat(invocation, environment)
        case .notify(let conversations, let muted, let command):
            return try NotifyCommand.run(invocation, conversations, muted: muted, command: command, environment)
        default: break
        }
        let context = try context(invocation, environment)
        do {
            try perform(invocation.command, context)
        } catch {
            // How it ended matters more than a reader that has gone.
            _ = try? context.output.flush()
            throw error
        }
        try context.output.flush()
    }

    private static func perform(_ command: Invocation.Command, _ context: Context) throws(Failure) {
        switch command {
        case .help, .version, .chat, .notify: break
        case .signup(let email, let options):
            let request = try context.request { () throws(Request.Fault) in
                try Request("SIGNUP", options: options, arguments: [email])
            }
            try SignInCommand(context: context, request: request, isNew: true).run()
        case .login(let name):
            let request = try context.request { () throws(Request.Fault) in try Request("AUTH", arguments: [name]) }
            try SignInCommand(context: context, request: request, isNew: false).run()
        case .loginAnonymous:
            let request = Request(fixed: "AUTH", options: [.init("anonymous", "yes")])
            try SignInCommand(context: context, request: request, isNew: false, isAnonymous: true).run()
        case .request(let command): try RequestRunner(context: context, command: command).run()
        case .logout: try LogoutCommand(context: context).run()
        case .whoami: try WhoamiCommand(context: context).run()
        case .send(let conversation, .file(let path, let caption), let reply):
            try SendFileCommand(
                context: context,
                conversation: conversation,
                path: path,
                caption: caption,
                reply: reply
            )
            .run()
        case .send(let conversation, let content, let reply):
            try SendCommand(context, conversation: conversation, content: content, reply: reply).run()
        case .tail(let conversations, let start):
            let plan = TailPlan(conversations: conversations, start: start)
            try TailCommand(context, plan: plan, namesConversation: conversations.count > 1).run()
        case .tailAll(let start):
            try TailCommand(context, plan: TailPlan(allFrom: start), namesConversation: true).run()
        case .history(let conversation, let last):
            try HistoryCommand(context: context, conversation: conversation, last: last).run()
        case .search(let conversation, let words, let last):
            try HistoryCommand(context: context, conversation: conversation, last: last, words: words).run()
        case .watchItems(let collection, let since):
            try WatchItemsCommand(context, collection: collection, since: since).run()
        case .putItems(let collection): try PutItemsCommand(context: context, collection: collection).run()
        case .conversations: try ConversationsCommand(context: context).run()
        case .raw: try RawCommand(context).run()
        case .put(let path): try PutCommand(context: context, path: path).run()
        case .get(let blob, let destination):
            try GetCommand(context: context, blob: blob, destination: destination).run()
        }
    }

    private static func chat(_ invocation: Invocation, _ environment: [String: String]) throws(Failure) {
        #if canImport(CEdit)
            try ChatCommand.run(invocation, environment)
        #else
            throw Failure(
                .usage,
                "this fcc was built without libedit, so there is no interactive chat; install libedit-dev and build anew"
            )
        #endif
    }

    private static func text(_ text: String) throws(Failure) {
        let output = Output(waiter: Waiter(interrupts: nil), isQuiet: false)
        try output.bytes(Array(text.utf8))
        try output.flush()
    }

    /// What the command works with; to follow conversations is ended quietly by SIGINT and SIGTERM.
    private static func context(_ invocation: Invocation, _ environment: [String: String]) throws(Failure) -> Context {
        switch invocation.command {
        case .tail, .tailAll, .watchItems, .get: break
        default: return try Context(invocation, environment: environment)
        }
        let interrupts: Interrupts
        do {
            interrupts = try Interrupts()
        } catch {
            throw Failure(.usage, "\(error)")
        }
        return try Context(invocation, environment: environment, interrupts: interrupts)
    }
}
