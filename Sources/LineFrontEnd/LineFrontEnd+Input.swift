import Bytes
import ChatModel
import Engine
import Transport
import Wire

extension LineFrontEnd {
    package func received(_ connection: Connection, _ bytes: UnsafeRawBufferPointer) -> Int {
        guard let session = session(of: connection) else { return bytes.count }
        var (at, lines) = (0, 0)
        while mayTakeInput(session) {
            if session.upload != nil {
                if at == bytes.count { return at }
                at += takeBytes(session, UnsafeRawBufferPointer(rebasing: bytes[at...]))
                continue
            }
            if lines == settings.linesPerTurn || arena.count > settings.textPerTurn {
                // Others first; the rest of these lines comes in the next turn.
                connection.pause()
                connection.resume()
                return at
            }
            guard let end = LineSplitter.lineEnd(in: bytes, from: at) else {
                return at + keepOrSkip(session, UnsafeRawBufferPointer(rebasing: bytes[at...]))
            }
            take(session, UnsafeRawBufferPointer(rebasing: bytes[at..<end]))
            (at, lines) = (end + 1, lines + 1)
        }
        session.isPaused = true
        connection.pause()
        return at
    }

    package func inputEnded(_ connection: Connection, _ rest: UnsafeRawBufferPointer) {
        guard let session = session(of: connection) else { return }
        if session.upload != nil {
            cancelUpload(session, .badArg("size", "the input ended before so many bytes had come; nothing is kept"))
        } else if !rest.isEmpty, !session.isSkipping {
            // An unfinished password is its request's failure, and none of it is repeated.
            let tag = takeAsked(session) ?? parser.tag(ofBeginning: rest)
            answer(session, tag, .refused(.badLine("the last line has no line end and was not executed")))
        }
        session.end(.quiet)
        cursors.markReady(connection.slot)
    }

    func mayTakeLine(_ session: LineSession) -> Bool {
        if session.isDeaf || session.isDeciding || session.inFlight >= settings.inFlightLimit { return false }
        if let ask = session.ask, !ask.isSent { return false }
        let limit = session.isSignedIn ? settings.replyLimit : settings.replyLimitBeforeSignIn
        return session.replyBytes <= limit && !isThrottled()
    }

    /// Takes lines again from a connection that was paused.
    func resumeIfPossible(_ session: LineSession) {
        guard session.isPaused, mayTakeInput(session) else { return }
        session.isPaused = false
        session.connection.resume()
    }

    /// Bytes without a line end: kept, or, beyond the limit, refused once and skipped.
    private func keepOrSkip(_ session: LineSession, _ rest: UnsafeRawBufferPointer) -> Int {
        if session.isSkipping { return rest.count }
        if rest.count <= lineLimit(session) + 1 { return 0 }
        refuseOverlong(session, rest)
        session.isSkipping = true
        return rest.count
    }

    /// The operator's imports have items as they leave, which may be longer than they came.
    private func lineLimit(_ session: LineSession) -> Int {
        session.isOperator ? max(settings.lineLimit, 131_072) : settings.lineLimit
    }

    private func take(_ session: LineSession, _ line: UnsafeRawBufferPointer) {
        if session.isSkipping {
            session.isSkipping = false
            return
        }
        let length = line.last == 0x0D ? line.count - 1 : line.count
        if length > lineLimit(session) { return refuseOverlong(session, line) }
        session.overlong = 0
        if let ask = session.ask {
            session.ask = nil
            return take(session, parser.complete(ask.pending, answer: line, tag: ask.tag))
        }
        take(
            session,
            session.isOperator
                ? parser.parseOperator(line, arena: &arena)
                : parser.parse(line, arena: &arena, isCode: session.mustSetPassword)
        )
    }

    private func take(_ session: LineSession, _ parsed: consuming ParsedLine) {
        switch consume parsed {
        case .empty: return
        case .command(let tag, let command):
            session.misunderstood = 0
            take(session, tag, command)
        case .ask(let tag, let pending):
            session.misunderstood = 0
            if pending.needsAccount, !session.isSignedIn { return answer(session, tag, .refused(.needAuth)) }
            session.ask = (tag, pending, false)
            sendAsk(session)
        case .refused(let tag, let refusal): refuse(session, tag, refusal)
        case .refusedUpload(let tag, let refusal, let size): refuseUpload(session, tag, refusal, size: size)
        }
    }

    private func take(_ session: LineSession, _ tag: Tag, _ command: consuming Command) {
        switch command {
        case .own(let reply): answer(session, tag, reply)
        case .putBlob(let put): beginUpload(session, tag, put)
        default: submit(session, tag, command)
        }
    }

    func refuse(_ session: LineSession, _ tag: Tag, _ refusal: Refusal) {
        answer(session, tag, .refused(refusal))
        guard refusal.code == .badVerb || refusal.code == .badLine else {
            session.misunderstood = 0
            return
        }
        session.misunderstood += 1
        if session.misunderstood >= 10 {
            session.end(.bye(.badLine, "ten lines in a row were not understood"))
            cursors.markReady(session.connection.slot)
        }
    }

    private func refuseOverlong(_ session: LineSession, _ line: UnsafeRawBufferPointer) {
        let limit = KeyValue.number("limit", lineLimit(session))
        let refusal = Refusal(.tooLong, details: [limit], "the line is too long, in bytes, and was skipped")
        answer(session, takeAsked(session) ?? parser.tag(ofBeginning: line), .refused(refusal))
        session.overlong += 1
        let isUpload = parser.isUpload(beginning: line)
        if session.overlong >= 3 || isUpload {
            let text = isUpload ? "where the next request begins cannot be known" : "three overlong lines in a row"
            session.end(.bye(.tooLong, text))
            cursors.markReady(session.connection.slot)
        }
    }

    /// The tag of the request whose ASK this line was to answer; it is asked no more.
    private func takeAsked(_ session: LineSession) -> Tag? {
        defer { session.ask = nil }
        return session.ask?.tag
    }

    func submit(_ session: LineSession, _ tag: Tag, _ command: consuming Command) {
        switch command {
        case .signUp, .signIn, .signOut, .admin, .account: session.isDeciding = true
        // Answers that may be large come one at a time, so that what waits for a slow reader stays within its bound.
        case .history, .search, .items, .conversations, .list, .members, .who, .subscribeAll, .subscriptions:
            session.isDeciding = true
        case .bye: session.isDeaf = true
        default: break
        }
        session.inFlight += 1
        requests.append(Request(connection: session.key, tag: tag, command: command))
    }

    /// Says what needs no engine: at once, or behind the answers that are still to come.
    func answer(_ session: LineSession, _ tag: Tag, _ reply: OwnReply) {
        if session.inFlight > 0 { return submit(session, tag, .own(reply)) }
        session.say { ReplyRenderer.render(.own(reply), tag: tag, into: &$0) }
        cursors.markReady(session.connection.slot)
    }

    /// Sends the question once everything asked before is answered.
    func sendAsk(_ session: LineSession) {
        guard session.inFlight == 0, let ask = session.ask, !ask.isSent else { return }
        session.ask?.isSent = true
        session.say { ReplyRenderer.ask(tag: ask.tag, what: ask.pending.what, text: ask.pending.prompt, into: &$0) }
        cursors.markReady(session.connection.slot)
    }
}
