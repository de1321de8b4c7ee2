import ChatClient
import SystemIO
import Wire

/// `fcc tail`: shows what happens as it happens, over any number of connections.
final class TailCommand {
    /// Milliseconds of silence after which the server is asked whether it is there, and for its answer.
    private static let silenceLimit: Int32 = 60_000
    private static let answerLimit: Int32 = 30_000
    /// Nanoseconds after which a connection counts as a good one, so that the next loss begins with a short wait.
    private static let goodLife: UInt64 = 10_000_000_000

    private let context: Context
    private var plan: TailPlan
    /// What is done with each event of the log, and for whom.
    private let deliver: (ServerLine, String) throws(Failure) -> Void
    /// Called once, when everything that was asked for is followed.
    private var begun: ((String) -> Void)?
    private var user = ""
    private var tracker = RequestTracker<String>()
    /// What is not a subscription in `tracker`.
    private static let ping = "ping"

    /// - Parameter context: with interrupts, since only they end it.
    init(
        _ context: Context,
        plan: TailPlan,
        begun: ((String) -> Void)? = nil,
        deliver: @escaping (ServerLine, String) throws(Failure) -> Void
    ) {
        (self.context, self.plan, self.begun, self.deliver) = (context, plan, begun, deliver)
    }

    /// Shows each event on standard output.
    convenience init(_ context: Context, plan: TailPlan, namesConversation: Bool) {
        let formatter = context.formatter(namesConversation: namesConversation)
        self.init(context, plan: plan) { (event, _) throws(Failure) in
            if context.invocation.isJSON { return try context.output.line(LineObject.text(of: event)) }
            if let text = formatter.text(of: event) { try context.output.line(text) }
        }
    }

    func run() throws(Failure) {
        var backOff = BackOff()
        var wasConnected = false
        while true {
            let begin = Clock.monotonicNanoseconds
            do {
                let (session, user) = try context.signedIn()
                wasConnected = true
                try follow(session, user)
            } catch {
                guard wasConnected, error.isTemporary else { throw error }
                context.output.note("\(error.text ?? "connection lost"); trying again")
                if Clock.monotonicNanoseconds - begin > Self.goodLife { backOff.reset() }
                let pause = backOff.wait(chance: RandomText.chance(), atLeast: error.retryAfter)
                tracker.forgetAll()
                try context.waiter.pause(seconds: pause)
            }
        }
    }

    /// Follows on this connection until it ends, which is always a failure.
    private func follow(_ session: Session, _ user: String) throws(Failure) {
        let connection = session.connection
        self.user = user
        let requests: [(conversation: String, request: Request)]
        do {
            requests = try plan.connected(hello: session.hello, user: user)
        } catch {
            throw Failure(error)
        }
        tellNotes()
        for (conversation, request) in requests { connection.queue(tracker.issue(request, for: conversation)) }
        var isAsked = false
        while true {
            // A reader that goes away ends us even when nothing more happens.
            var watches = [Watch(Output.standardOutput)]
            let limit = isAsked ? Self.answerLimit : Self.silenceLimit
            if try connection.step(watching: &watches, milliseconds: limit) {
                isAsked = false
            } else if isAsked {
                throw .lost("the server does not answer")
            } else {
                connection.queue(tracker.issue(Request(fixed: "PING"), for: Self.ping))
                isAsked = true
            }
            if watches[0].isBroken { throw .quietEnd }
            while let bytes = try connection.nextLine() {
                if let line = bytes.withUnsafeBytes({ ServerLine($0) }) { try take(line, connection) }
            }
            try context.output.flush()
            if connection.isEnded { throw .lost("the server closed the connection") }
        }
    }

    private func take(_ line: ServerLine, _ connection: Connection) throws(Failure) {
        switch tracker.take(line) {
        case .event(let event):
            if plan.shows(event) {
                try deliver(event, user)
                try obey(plan.afterwards(event), connection, "")
            }
        case .reply(let name, let rows, let end):
            if name == Self.ping { return }
            defer { if tracker.openCount == 0 { tellBegun() } }
            do {
                try obey(try plan.subscribed(name, rows: rows, end: end), connection, name)
            } catch let error as Failure {
                throw error
            } catch let fault as Request.Fault {
                throw Failure(fault)
            } catch {
                throw .lost("\(error)")
            }
        case .bye(let line): throw Failure(line)
        case .ask, .nothing: break
        }
        tellNotes()
    }

    private func obey(_ step: TailPlan.Step, _ connection: Connection, _ name: String) throws(Failure) {
        switch step {
        case .goOn: break
        case .ask(let request): connection.queue(tracker.issue(request, for: name))
        case .refused(let line):
            tellNotes()
            throw Failure(line)
        case .tryLater(let code, let seconds):
            var failure = Failure.lost(code)
            failure.retryAfter = seconds
            throw failure
        }
    }

    private func tellBegun() {
        begun?(VisibleText.line(user))
        begun = nil
    }

    private func tellNotes() { for note in plan.takeNotes() { context.output.note(VisibleText.line(note)) } }
}
