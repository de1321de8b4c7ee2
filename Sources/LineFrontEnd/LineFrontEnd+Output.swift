import Bytes
import Engine
import Transport
import Wire

extension LineFrontEnd {
    /// Sends one record: replies first, then events, its conversations in turn. What is left waits for its next turn.
    func flush(_ session: LineSession) {
        let connection = session.connection
        hasTurn(session)
        if !connection.takesOutput { return }
        if session.hasNotices { session.renderNotices() }
        var used = 0
        if session.replyBytes > 0 {
            used = min(session.replyBytes, CursorTable.recordSize)
            session.takeReplies(used, to: scratch)
        }
        let slot = Int(session.key.slot)
        if session.replyBytes == 0 {
            if session.isEnding { stopLiveIfEnding(session) }
            used += cursors.gather(slot, into: scratch, used: used)
        }
        if used > 0 { connection.write(UnsafeRawBufferPointer(start: scratch, count: used)) }
        if session.isPaused { resumeIfPossible(session) }
        if !connection.takesOutput { return }
        if session.replyBytes > 0 || cursors.isBehind(slot) { return cursors.markReady(slot) }
        if session.isEnding { endIfDone(session) }
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
