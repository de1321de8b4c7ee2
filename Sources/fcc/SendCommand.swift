import ChatClient
import SystemIO
import Wire

/// `fcc send`: messages in a pipeline, each with a nonce, so that a lost connection neither loses nor doubles any.
final class SendCommand {
    /// Seconds for which a lost connection is tried again.
    private static let patience = 60.0
    /// Nanoseconds after which a connection counts as a good one.
    private static let goodLife: UInt64 = 10_000_000_000

    private let context: Context
    private var outbox: Outbox
    private var waiting: ArraySlice<String> = []
    private var input: InputLines?
    private var refusal: (number: UInt64, failure: Failure)?
    private var tracker = RequestTracker<UInt64>()

    init(_ context: Context, conversation: String, content: Invocation.Content, reply: String?) throws(Failure) {
        self.context = context
        var options = reply.map { [Request.Option("reply", $0)] } ?? []
        if case .place(let geo, _) = content { options.append(.init("geo", geo)) }
        if case .blob(let blob, _) = content { options.append(.init("blob", blob)) }
        outbox = Outbox(conversation: conversation, options: options, noncePrefix: RandomText.hex(bytes: 12))
        do {
            switch content {
            case .text(let text): try outbox.add(text)
            case .place(_, let text), .blob(_, let text): try outbox.add(text)
            case .file: break
            case .input: input = InputLines()
            }
        } catch {
            throw Failure(error)
        }
    }

    func run() throws(Failure) {
        var backOff = BackOff()
        var waited = 0.0
        var wasConnected = false
        while true {
            let (begin, before) = (Clock.monotonicNanoseconds, outbox.acknowledged)
            do {
                let session = try context.signedIn().session
                wasConnected = true
                try pump(session)
                break
            } catch {
                tracker.forgetAll()
                outbox.connectionLost()
                // Patience ends only where nothing gets on: connections that are lost at once do not renew it.
                if outbox.acknowledged > before || Clock.monotonicNanoseconds - begin > Self.goodLife {
                    waited = 0
                    backOff.reset()
                }
                guard wasConnected, error.isTemporary, waited < Self.patience else { throw withCount(error) }
                context.output.note("\(error.text ?? "connection lost"); trying again")
                let pause = backOff.wait(chance: RandomText.chance(), atLeast: error.retryAfter)
                waited += pause
                try context.waiter.pause(seconds: pause)
            }
        }
        if let refusal { throw withCount(refusal.failure, refused: refusal.number) }
    }

    /// Sends on this connection until all is answered.
    private func pump(_ session: Session) throws(Failure) {
        let connection = session.connection
        while true {
            try fill()
            for (number, request) in outbox.takeUnsent() { connection.queue(tracker.issue(request, for: number)) }
            if isDone { return }
            let mayRead = waiting.isEmpty && outbox.takesMore && input?.isEnded == false
            var watches = mayRead ? [Watch(InputLines.standardInput, input: true)] : []
            let limit = outbox.isEmpty ? -1 : Session.answerLimit
            guard try connection.step(watching: &watches, milliseconds: limit) else {
                throw .lost("the server does not answer")
            }
            if watches.first?.isReadable == true, let lines = try input?.read() { waiting += lines }
            while let bytes = try connection.nextLine() {
                if let line = bytes.withUnsafeBytes({ ServerLine($0) }) { try take(line) }
            }
            try context.output.flush()
            if connection.isEnded, !isDone { throw .lost("the server closed the connection") }
        }
    }

    /// Whether everything there was to send has its answer.
    private var isDone: Bool { outbox.isEmpty && waiting.isEmpty && input?.isEnded != false }

    private func fill() throws(Failure) {
        while outbox.takesMore, let text = waiting.popFirst() {
            do {
                try outbox.add(text)
            } catch {
                throw Failure(error)
            }
        }
    }

    private func take(_ line: ServerLine) throws(Failure) {
        switch tracker.take(line) {
        case .reply(let number, _, let end):
            outbox.answered(number, accepted: end.word == .ok)
            if end.word == .ok {
                if context.invocation.isJSON { try context.output.line(LineObject.text(of: end)) }
            } else if refusal == nil {
                // What is under way is still answered, but nothing more is sent.
                refusal = (number, Failure(end))
                waiting = []
                input = nil
            }
        case .bye(let line): throw Failure(line)
        case .ask, .event, .nothing: break
        }
    }

    /// The failure with what was sent before it, when more than one message was to be sent.
    private func withCount(_ failure: Failure, refused: UInt64? = nil) -> Failure {
        guard let text = failure.text, refused.map({ $0 > 1 }) ?? (outbox.acknowledged > 0) || outbox.acknowledged > 0
        else { return failure }
        let which = refused.map { "message \($0) was refused; " } ?? ""
        return Failure(failure.code, "\(text) (\(which)\(outbox.acknowledged) sent)")
    }
}
