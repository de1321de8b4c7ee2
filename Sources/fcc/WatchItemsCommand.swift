import ChatClient
import SystemIO
import Wire

/// `fcc items watch`: shows what stands in a collection, then what changes, over any number of connections.
final class WatchItemsCommand {
    /// Milliseconds of silence after which the server is asked whether it is there, and for its answer.
    private static let silenceLimit: Int32 = 60_000
    private static let answerLimit: Int32 = 30_000

    private enum Question { case subscription, ping }

    private let context: Context
    private let collection: String
    /// The last change that was shown, of the log with this identity.
    private var since: UInt64?
    private var logID: String?
    private var tracker = RequestTracker<Question>()

    /// - Parameter context: with interrupts, since only they end it.
    init(_ context: Context, collection: String, since: UInt64?) {
        (self.context, self.collection, self.since) = (context, collection, since)
    }

    func run() throws(Failure) {
        var backOff = BackOff()
        var wasConnected = false
        while true {
            do {
                let (session, _) = try context.signedIn()
                wasConnected = true
                try follow(session)
            } catch {
                guard wasConnected, error.isTemporary else { throw error }
                context.output.note("\(error.text ?? "connection lost"); trying again")
                tracker.forgetAll()
                try context.waiter.pause(seconds: backOff.wait(chance: RandomText.chance(), atLeast: error.retryAfter))
            }
        }
    }

    /// Follows on this connection until it ends, which is always a failure.
    private func follow(_ session: Session) throws(Failure) {
        let connection = session.connection
        if let logID, logID != session.hello["log"] { beginAnew("the server's log is another one") }
        logID = session.hello["log"]
        try subscribe(connection)
        var isAsked = false
        while true {
            // A reader that goes away ends us even when nothing more happens.
            var watches = [Watch(Output.standardOutput)]
            if try connection.step(watching: &watches, milliseconds: isAsked ? Self.answerLimit : Self.silenceLimit) {
                isAsked = false
            } else if isAsked {
                throw .lost("the server does not answer")
            } else {
                connection.queue(tracker.issue(Request(fixed: "PING"), for: .ping))
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

    private func subscribe(_ connection: Connection) throws(Failure) {
        let request = try context.request { () throws(Request.Fault) in
            try ItemRequest.subscribe(to: collection, since: since)
        }
        connection.queue(tracker.issue(request, for: .subscription))
    }

    private func take(_ line: ServerLine, _ connection: Connection) throws(Failure) {
        switch tracker.take(line) {
        case .event(let event):
            if event.kind == "item" {
                since = max(since ?? 0, event.number("seq") ?? 0)
                try show(event)
            } else if event.kind == "gone", event["coll"] != nil {
                beginAnew("some deletions were missed")
                try subscribe(connection)
            }
        case .reply(.subscription, _, let end):
            guard end.word == .error else { return }
            guard end.kind == "GONE" || end.kind == "CONFLICT", since != nil else { throw Failure(end) }
            beginAnew("what has changed meanwhile is not known")
            try subscribe(connection)
        case .bye(let line): throw Failure(line)
        case .reply(.ping, _, _), .ask, .nothing: break
        }
    }

    private func beginAnew(_ reason: String) {
        since = nil
        context.output.note("\(reason): beginning anew, with all there is")
    }

    private func show(_ event: ServerLine) throws(Failure) {
        if context.invocation.isJSON { return try context.output.line(LineObject.text(of: event)) }
        let formatter = RowFormatter(like: context.formatter(namesConversation: true))
        try context.output.line(formatter.text(of: event))
    }
}
