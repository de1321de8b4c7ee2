import ChatClient
import Wire

/// A greeted connection on which requests are made one after the other.
final class Session {
    /// Milliseconds without a word from the server after which an answer is given up.
    static let answerLimit: Int32 = 90_000

    let connection: Connection
    /// The server's HI.
    let hello: ServerLine

    /// A successful reply.
    struct Reply {
        let rows: [ServerLine]
        let end: ServerLine
    }

    /// Waits for the server's HI.
    /// - Throws: `Failure` when something else comes, or nothing.
    init(greeting connection: Connection) throws(Failure) {
        self.connection = connection
        guard let line = try Self.line(of: connection) else {
            throw .lost("what answers there is no FriendlyChat server")
        }
        if line.word == .bye { throw Failure(line) }
        guard line.word == .hello, line["proto"] == "1" else {
            throw .lost("what answers there does not speak FriendlyChat's protocol 1")
        }
        hello = line
    }

    /// Makes a request and waits for its reply.
    /// - Parameter answers: what to say each time the server asks (ASK).
    /// - Throws: `Failure` for a refusal too.
    func perform(_ request: Request, answers: [String] = []) throws(Failure) -> Reply {
        var tracker = RequestTracker<Void>()
        var answers = answers[...]
        connection.queue(tracker.issue(request, for: ()))
        while true {
            guard let line = try Self.line(of: connection) else { continue }
            switch tracker.take(line) {
            case .reply(_, let rows, let end):
                if end.word == .error { throw Failure(end) }
                return Reply(rows: rows, end: end)
            case .ask:
                guard let answer = answers.popFirst() else { throw .lost("the server asks what nobody can answer") }
                connection.queue(answer + "\n")
            case .bye(let line): throw Failure(line)
            case .event, .nothing: continue
            }
        }
    }

    /// Whether the one who signed in with the operator's code must set a password before anything else (protocol.md,
    /// Accounts).
    func wantsPassword() throws(Failure) -> Bool {
        do {
            _ = try perform(Request(fixed: "WHOAMI"))
            return false
        } catch {
            guard error.serverCode == "DENIED" else { throw error }
            return true
        }
    }

    /// The next line, waited for; nil for one that is not understood.
    private static func line(of connection: Connection) throws(Failure) -> ServerLine? {
        while true {
            if let bytes = try connection.nextLine() { return bytes.withUnsafeBytes { ServerLine($0) } }
            if connection.isEnded { throw .lost("the server closed the connection") }
            guard try connection.step(milliseconds: answerLimit) else { throw .lost("the server does not answer") }
        }
    }
}
