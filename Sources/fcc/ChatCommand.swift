#if canImport(CEdit)
    import ChatClient
    import SystemIO
    import Wire

    /// `fcc` alone: the chat on the terminal, over any number of connections. The line being typed outlives them all.
    final class ChatCommand: Attendant {
        /// Nanoseconds of silence after which the server is asked whether it is there, and for its answer.
        private static let silenceLimit: UInt64 = 60_000_000_000
        private static let answerLimit: UInt64 = 30_000_000_000
        /// Nanoseconds for the answers to what was sent before one leaves.
        private static let leaveLimit: UInt64 = 5_000_000_000
        /// Nanoseconds between two words to the server on how far one has read.
        private static let markerPause: UInt64 = 1_000_000_000
        /// Nanoseconds after which a connection counts as a good one.
        private static let goodLife: UInt64 = 10_000_000_000

        /// Why a request is under way.
        private enum Purpose {
            case talk(Talk.Purpose)
            case put(conversation: String, caption: String?)
            case ping
        }

        private let invocation: Invocation
        private let environment: [String: String]
        private let terminal: ChatTerminal
        private var talk: Talk
        private var tracker = RequestTracker<Purpose>()
        /// The connection in use; nil while there is none.
        private var session: Session?
        private var upload: FileUpload?
        /// Requests that wait until the bytes of an upload have left.
        private var deferred: [(Request, Talk.Purpose)] = []
        /// Until when the answers to what was sent are waited for, once the person wants to go.
        private var leaving: UInt64?
        /// When the server was last heard, or asked.
        private var heard: UInt64 = 0
        /// When the server was last told how far one has read.
        private var marked: UInt64 = 0

        /// Signs in, at first with the terminal as it is: there may be a question about the certificate.
        static func run(_ invocation: Invocation, _ environment: [String: String]) throws(Failure) {
            guard Terminal.isThere, Terminal.showsOutput else {
                throw Failure(.usage, "the chat needs a terminal; fcc --help lists what works without one")
            }
            let first = try Context(invocation, environment: environment)
            let (session, user) = try first.signedIn()
            let terminal = try ChatTerminal()
            defer { terminal.leave() }
            let command = ChatCommand(invocation, environment, first, terminal)
            terminal.show("signed in as \(VisibleText.line(user)) at \(first.endpoint); /help tells what to type")
            session.connection.waiter = Waiter(interrupts: nil, attendant: command)
            try command.run(session, user)
        }

        private init(
            _ invocation: Invocation,
            _ environment: [String: String],
            _ context: Context,
            _ terminal: ChatTerminal
        ) {
            (self.invocation, self.environment, self.terminal) = (invocation, environment, terminal)
            let formatter = MessageFormatter(
                namesConversation: false,
                isolates: terminal.isUnicode,
                clock: WallClock.local,
                now: { Clock.milliseconds }
            )
            talk = Talk(formatter: formatter, noncePrefix: RandomText.hex(bytes: 12))
        }

        private func run(_ first: Session, _ user: String) throws(Failure) {
            var backOff = BackOff()
            var next: (session: Session, user: String)? = (first, user)
            while true {
                let begin = Clock.monotonicNanoseconds
                do {
                    if next == nil { next = try connected() }
                    if let (session, user) = next {
                        next = nil
                        try converse(session, user)
                    }
                } catch {
                    lose()
                    guard error.isTemporary else { throw error }
                    if leaving != nil { throw goodbye() }
                    try perform(talk.connectionLost(error.text ?? "connection lost"))
                    if Clock.monotonicNanoseconds - begin > Self.goodLife { backOff.reset() }
                    try draw()
                    let pause = backOff.wait(chance: RandomText.chance(), atLeast: error.retryAfter)
                    try Waiter(interrupts: nil, attendant: self).pause(seconds: pause)
                }
            }
        }

        private func connected() throws(Failure) -> (session: Session, user: String) {
            try Context(invocation, environment: environment, attendant: self).signedIn()
        }

        private func lose() {
            session = nil
            tracker.forgetAll()
            deferred = []
            if let upload {
                terminal.show("! \(VisibleText.line(upload.name)) did not arrive; send it again later")
                self.upload = nil
            }
        }

        /// Talks on this connection until it ends, which is always a failure.
        private func converse(_ session: Session, _ user: String) throws(Failure) {
            self.session = session
            let connection = session.connection
            heard = Clock.monotonicNanoseconds
            var isAsked = false
            try perform(talk.connected(hello: session.hello, user: user))
            while true {
                try feedUpload(connection)
                try tellMarkers()
                try draw()
                let limit = isAsked || tracker.openCount > 0 ? Self.answerLimit : Self.silenceLimit
                let silence = Clock.monotonicNanoseconds - heard
                let unsent = connection.unsentCount
                let left = silence < limit ? (limit - silence) / 1_000_000 + 1 : 0
                if let leaving, talk.unansweredCount == 0 && upload == nil || Clock.monotonicNanoseconds > leaving {
                    throw goodbye()
                }
                try connection.step(
                    milliseconds: leaving != nil ? 100 : talk.hasMarkers ? min(Int32(left), 100) : Int32(left),
                    feeding: upload?.isComplete == false
                )
                var hasLine = false
                while let bytes = try connection.nextLine() {
                    hasLine = true
                    if let line = bytes.withUnsafeBytes({ ServerLine($0) }) { try take(line) }
                }
                // Bytes that get away are a sign of life too.
                if hasLine || connection.unsentCount < unsent {
                    heard = Clock.monotonicNanoseconds
                    isAsked = isAsked && !hasLine
                } else if Clock.monotonicNanoseconds - heard >= limit {
                    if isAsked || tracker.openCount > 0 { throw .lost("the server does not answer") }
                    ask(Request(fixed: "PING"), .ping)
                    (isAsked, heard) = (true, Clock.monotonicNanoseconds)
                }
                if connection.isEnded { throw .lost("the server closed the connection") }
            }
        }

        private func feedUpload(_ connection: Connection) throws(Failure) {
            guard let upload else { return }
            do {
                try upload.fill(connection)
            } catch {
                // The server still waits for the bytes that were promised: only a new connection helps.
                throw .lost(error.text ?? "the file cannot be read")
            }
            guard upload.isComplete else { return }
            for (request, purpose) in deferred { ask(request, .talk(purpose)) }
            deferred = []
            if connection.unsentCount == 0 { self.upload = nil }
        }

        /// Only what the person has before his eyes, and not more often than every second.
        private func tellMarkers() throws(Failure) {
            guard talk.hasMarkers, Clock.monotonicNanoseconds - marked >= Self.markerPause else { return }
            marked = Clock.monotonicNanoseconds
            try perform(talk.takeMarkers())
        }

        private func ask(_ request: Request, _ purpose: Purpose) {
            guard let connection = session?.connection else { return }
            if tracker.openCount == 0 { heard = Clock.monotonicNanoseconds }
            connection.queue(tracker.issue(request, for: purpose))
        }

        private func take(_ line: ServerLine) throws(Failure) {
            switch tracker.take(line) {
            case .event(let event): try perform(talk.event(event))
            case .reply(let purpose, let rows, let end): try perform(effects(purpose, rows, end))
            case .bye(let line): throw Failure(line)
            case .ask, .nothing: break
            }
        }

        private func effects(_ purpose: Purpose, _ rows: [ServerLine], _ end: ServerLine) -> [Talk.Effect] {
            switch purpose {
            case .ping: return []
            case .talk(let purpose): return talk.answered(purpose, rows: rows, end: end)
            case .put(let conversation, let caption):
                guard end.word == .ok, let blob = end["blob"] else { return [.show("! \(Failure(end).text ?? "")")] }
                return talk.uploaded(blob: blob, conversation: conversation, caption: caption)
            }
        }

        private func perform(_ effects: [Talk.Effect]) throws(Failure) {
            for effect in effects {
                switch effect {
                case .show(let text): terminal.show(text)
                case .ring: terminal.ring()
                case .ask(let request, let purpose):
                    if let upload, !upload.isComplete {
                        deferred.append((request, purpose))
                    } else {
                        ask(request, .talk(purpose))
                    }
                case .upload(let path, let conversation, let caption): begin(path, conversation, caption)
                case .reconnect(let seconds):
                    var failure = Failure.lost("the server cannot serve us now")
                    failure.retryAfter = seconds
                    throw failure
                case .quit: try leave()
                }
            }
        }

        /// Goes, but not before the server has what was typed.
        private func leave() throws(Failure) {
            guard session != nil, talk.unansweredCount > 0 || upload != nil, leaving == nil else { throw goodbye() }
            leaving = Clock.monotonicNanoseconds + Self.leaveLimit
        }

        /// The quiet end, or a word about what did not get away.
        private func goodbye() -> Failure {
            let count = talk.unansweredCount
            if upload != nil { return Failure(.noConnection, "the file did not arrive") }
            return count == 0
                ? .quietEnd : Failure(.noConnection, "\(count) message\(count == 1 ? " was" : "s were") not sent")
        }

        private func begin(_ path: String, _ conversation: String, _ caption: String?) {
            guard upload == nil else {
                return terminal.show("! one file at a time; \(VisibleText.line(upload?.name ?? "")) is on its way")
            }
            var full = path
            if path.hasPrefix("~/"), let home = environment["HOME"] { full = home + path.dropFirst() }
            do {
                let upload = try FileUpload(full, limit: session?.hello.number("blob"))
                ask(upload.request(for: conversation), .put(conversation: conversation, caption: caption))
                self.upload = upload
            } catch {
                terminal.show("! \(error.text ?? "")")
            }
        }

        private func draw() throws(Failure) {
            var prompt = talk.prompt
            if let upload, let connection = session?.connection {
                let percent = upload.sentCount(connection) * 100 / upload.size
                prompt = "[\(percent)%] " + prompt
            }
            try terminal.draw(prompt)
        }

        var watches: [Watch] { terminal.watches }

        func attend() throws(Failure) -> Bool {
            for act in try terminal.acts() {
                switch act {
                case .line(let text): try perform(talk.typed(text))
                case .quit: try leave()
                }
            }
            try draw()
            return session != nil
        }
    }
#endif
