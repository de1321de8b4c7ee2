import Bytes
import Engine
import Transport
import Wire

extension LineFrontEnd {
    /// Sends one record: replies first, then events, its conversations in turn. What is left waits for its next turn.
    func flush(_ session: LineSession) {
        let connection = session.connection
        hasTurn(session)
        if connection.isBlocked || connection.isClosing { return }
        session.renderNotices()
        var used = 0
        if session.replyBytes > 0 {
            used = min(session.replyBytes, CursorTable.recordSize)
            session.takeReplies(used, to: scratch)
        }
        if session.replyBytes == 0 { used += gather(session, used) }
        if used > 0 { connection.write(UnsafeRawBufferPointer(start: scratch, count: used)) }
        resumeIfPossible(session)
        let slot = Int(session.key.slot)
        if connection.isBlocked || connection.isClosing { return }
        if session.replyBytes > 0 || cursors.isBehind(slot) { return cursors.markReady(slot) }
        endIfDone(session)
    }

    private func gather(_ session: LineSession, _ used: Int) -> Int {
        stopLiveIfEnding(session)
        return cursors.gather(Int(session.key.slot), into: scratch, used: used)
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
