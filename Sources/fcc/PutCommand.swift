import ChatClient
import Wire

/// `fcc put`: uploads a file and prints its id and address.
struct PutCommand {
    let context: Context
    let path: String

    func run() throws(Failure) {
        let session = try context.signedIn().session
        let end = try Self.put(path, session, context, conversation: nil)
        if context.invocation.isJSON { return try context.output.line(LineObject.text(of: end)) }
        let words = ["blob", "url"].compactMap { end[$0] }.map { VisibleText.line($0) }
        try context.output.line(words.joined(separator: " "))
    }

    /// Uploads the file and waits for the server's OK.
    /// - Throws: `Failure` also for a refusal.
    static func put(
        _ path: String,
        _ session: Session,
        _ context: Context,
        conversation: String?
    ) throws(Failure) -> ServerLine {
        let upload = try FileUpload(path, limit: session.hello.number("blob"))
        let progress = Progress(upload.name, context.invocation)
        defer { progress.end() }
        let connection = session.connection
        var tracker = RequestTracker<Void>()
        connection.queue(tracker.issue(upload.request(for: conversation), for: ()))
        while true {
            try upload.fill(connection)
            guard try connection.step(milliseconds: Session.answerLimit, feeding: !upload.isComplete) else {
                throw .lost("the server does not answer")
            }
            progress.show(upload.sentCount(connection), of: upload.size)
            while let bytes = try connection.nextLine() {
                guard let line = bytes.withUnsafeBytes({ ServerLine($0) }) else { continue }
                switch tracker.take(line) {
                case .reply(_, _, let end):
                    if end.word == .error { throw Failure(end) }
                    return end
                case .bye(let line): throw Failure(line)
                case .ask, .event, .nothing: continue
                }
            }
            if connection.isEnded { throw .lost("the server closed the connection; the file did not arrive") }
        }
    }
}
