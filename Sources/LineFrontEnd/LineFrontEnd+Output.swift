import Bytes
import Engine
import Transport
import Wire

extension LineFrontEnd {
    /// Sends one record: replies first, then events, its conversations in turn. What is left waits for its next turn.
    func flush(_ session: LineSession) {
        let connection = session.connection
        if connection.isBlocked || connection.isClosing { return }
        renderNotices(session)
        var used = 0
        if !session.replies.isEmpty {
            used = min(session.replies.count, CursorTable.recordSize)
            copyReplies(session, used)
        }
        if session.replies.isEmpty { used += gather(session, used) }
        if used > 0 { connection.write(UnsafeRawBufferPointer(start: scratch, count: used)) }
        resumeIfPossible(session)
        let slot = Int(session.key.slot)
        if connection.isBlocked || connection.isClosing { return }
        if !session.replies.isEmpty || cursors.isBehind(slot) { return cursors.markReady(slot) }
        endIfDone(session)
    }

    private func gather(_ session: LineSession, _ used: Int) -> Int {
        stopLiveIfEnding(session)
        return cursors.gather(Int(session.key.slot), into: scratch, used: used)
    }

    /// Notices are rendered when the socket takes something, so that only the latest is.
    private func renderNotices(_ session: LineSession) {
        if session.notices.isEmpty { return }
        for notice in session.notices {
            ReplyRenderer.notice(kind: notice.kind, fields: notice.fields, into: &session.replies)
        }
        session.notices.removeAll()
    }

    private func copyReplies(_ session: LineSession, _ count: Int) {
        guard let source = session.replies.readable.baseAddress else { return }
        scratch.copyMemory(from: source, byteCount: count)
        session.replies.consume(count)
        // An idle connection owns no buffer.
        if session.replies.isEmpty { session.replies.release() }
    }

    private func stopLiveIfEnding(_ session: LineSession) {
        guard let ending = session.ending, session.inFlight == 0, !session.isLiveStopped else { return }
        session.isLiveStopped = true
        var catchUpOnly = false
        if case .quiet = ending { catchUpOnly = true }
        cursors.stopLive(Int(session.key.slot), catchUpOnly: catchUpOnly)
    }

    /// The last word and the end, once everything asked is answered and sent.
    private func endIfDone(_ session: LineSession) {
        guard let ending = session.ending, session.inFlight == 0, session.isLiveStopped else { return }
        if case .bye(let code, let text) = ending {
            var line = ByteBuffer()
            ReplyRenderer.bye(code, text: text, into: &line)
            session.connection.write(line.readable)
        }
        session.connection.finish()
    }
}
