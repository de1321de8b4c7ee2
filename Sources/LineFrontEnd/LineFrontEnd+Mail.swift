import ChatModel
import Engine
import Transport
import Wire

extension LineFrontEnd {
    /// Takes the engine's mail, in its order, and leaves the array empty.
    package func take(_ mail: inout ContiguousArray<LoopMail>) {
        for index in mail.indices {
            // Moved out, as a copy would count references.
            take(exchange(&mail[index], with: .roomAgain))
        }
        mail.removeAll(keepingCapacity: true)
    }

    private func take(_ mail: LoopMail) {
        switch mail {
        case .reply(let key, let tag, let reply):
            withSession(at: Int(key.slot)) { session in
                if session.key == key { answer(session, tag, reply) }
            }
        case .extend(let conversation, let ordinal, let piece):
            cursors.extend(conversation, ordinal: ordinal, piece)
        case .open(let conversation, let lines): cursors.open(conversation, lines)
        case .replace(let conversation, let ordinal, let piece):
            cursors.replace(conversation, ordinal: ordinal, piece)
        case .trim(let conversation, let lines): cursors.trim(conversation, lines)
        case .cut(let collection, let cut, let piece, let missed):
            cursors.cut(collection, cut, piece, missed: missed)
        case .renumber(let collection, let kept): cursors.renumber(collection, kept)
        case .skipDeletions(let key, let collection):
            if session(key) != nil { cursors.skipDeletions(Int(key.slot), collection) }
        case .close(let conversation): cursors.close(conversation)
        case .subscribe(let key, let conversation, let place):
            if session(key) != nil { cursors.subscribe(Int(key.slot), conversation, at: place) }
        case .tellGone(let key, let conversation, let first):
            if session(key) != nil { cursors.tellGone(Int(key.slot), conversation, first: first) }
        case .unsubscribe(let key, let conversation):
            if session(key) != nil { cursors.unsubscribe(Int(key.slot), conversation) }
        case .end(let key, let conversation):
            if session(key) != nil { cursors.end(Int(key.slot), conversation) }
        case .notice(let key, let notice):
            if let session = session(key) {
                // The only one of its kind that a connection hears and goes on: PASSWD is wanted.
                if case .auth = notice.key { session.mustSetPassword = true }
                session.note(notice)
                cursors.markReady(Int(key.slot))
            }
        case .endSession(let key, let reason):
            if let session = session(key) { endSession(session, reason) }
        case .roomAgain:
            for case let session? in sessions { resumeIfPossible(session) }
        case .shutDown: shutDown()
        case .recycle(let batch): recycle(batch)
        case .announce(let notice): announce(notice)
        case .greeting(let fields): greeting = fields
        case .hangUp(let key): if let session = session(key) { hangUp(session) }
        case .ban(let prefix, let isOn): addressBans(prefix, isOn)
        case .census(let id, let keys): outgoing.append(.census(id, keys.compactMap(load)))
        case .uploadTaken(let key, let byteCount):
            if let session = session(key) { uploadTaken(session, byteCount) } else { blobMail(mail) }
        case .blobAnswered, .blobBytes, .partial: blobMail(mail)
        }
    }

    private func answer(_ session: LineSession, _ tag: Tag, _ reply: Reply) {
        if session.upload != nil, concernsUpload(session, reply) { return }
        session.inFlight -= 1
        if session.inFlight == 0 { session.isDeciding = false }
        switch reply {
        case .signedIn:
            session.isSignedIn = true
            session.connection.deadline = nil
        case .signedOut:
            (session.isSignedIn, session.mustSetPassword) = (false, false)
            session.connection.deadline = signInDeadline(session.connection)
        case .passwordChanged: session.mustSetPassword = false
        default: break
        }
        if case .bye = reply {
            session.say { ReplyRenderer.render(.done([]), tag: tag, into: &$0) }
            session.end(.bye(nil, "goodbye"))
        } else {
            session.say { ReplyRenderer.render(reply, tag: tag, times: &times, into: &$0) }
        }
        awaitsTurn(session)
        cursors.markReady(Int(session.key.slot))
        sendAsk(session)
        resumeIfPossible(session)
    }

    private func endSession(_ session: LineSession, _ reason: String) {
        session.isSignedIn = false
        session.note(
            Notice(key: .auth, kind: "auth", fields: [.word("state", "signed-out"), .word("reason", reason)])
        )
        cancelUpload(session, .needAuth)
        session.end(.bye(.badAuth, "this session has ended"))
        cursors.markReady(Int(session.key.slot))
    }
}
