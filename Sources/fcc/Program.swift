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
            throw Failure(.usage, VisibleText.line(error.text))
        }
    }

    private static func run(_ invocation: Invocation, _ environment: [String: String]) throws(Failure) {
        switch invocation.command {
        case .help: return try text(OptionTable.help)
        case .version: return try text(version + "\n")
        case .tail(let conversations, let start):
            let context = try following(invocation, environment)
            let plan = TailPlan(conversations: conversations, start: start)
            return try TailCommand(context, plan: plan, namesConversation: conversations.count > 1).run()
        case .tailAll(let start):
            let context = try following(invocation, environment)
            return try TailCommand(context, plan: TailPlan(allFrom: start), namesConversation: true).run()
        default: break
        }
        let context = try Context(invocation, environment: environment)
        switch invocation.command {
        case .signup(let email, let name):
            let options = name.map { [Request.Option("name", $0)] } ?? []
            let request = try context.request { () throws(Request.Fault) in
                try Request("SIGNUP", options: options, arguments: [email])
            }
            try SignInCommand(context: context, request: request, isNew: true).run()
        case .login(let name):
            let request = try context.request { () throws(Request.Fault) in try Request("AUTH", arguments: [name]) }
            try SignInCommand(context: context, request: request, isNew: false).run()
        case .logout: try LogoutCommand(context: context).run()
        case .whoami: try WhoamiCommand(context: context).run()
        case .send(let conversation, let content, let reply):
            try SendCommand(context, conversation: conversation, content: content, reply: reply).run()
        case .history(let conversation, let last):
            try HistoryCommand(context: context, conversation: conversation, last: last).run()
        case .conversations: try ConversationsCommand(context: context).run()
        case .raw: try RawCommand(context).run()
        case .help, .version, .tail, .tailAll: break
        }
    }

    private static func text(_ text: String) throws(Failure) {
        try Output(waiter: Waiter(interrupts: nil), isQuiet: false).bytes(Array(text.utf8))
    }

    /// A context whose waiting ends quietly on SIGINT and SIGTERM.
    private static func following(
        _ invocation: Invocation,
        _ environment: [String: String]
    ) throws(Failure) -> Context {
        do {
            let interrupts = try Interrupts()
            return try Context(invocation, environment: environment, interrupts: interrupts)
        } catch let error as Failure {
            throw error
        } catch {
            throw Failure(.usage, "\(error)")
        }
    }
}
