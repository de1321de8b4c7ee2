import ChatModel
import Engine
import Transport

/// The control socket's sessions, and what the operator does to all.
extension LineFrontEnd {
    /// The operator is signed in by being who it is.
    func becomeOperator(_ session: LineSession, _ uid: UInt32) {
        (session.isOperator, session.isSignedIn) = (true, true)
        session.connection.deadline = nil
        outgoing.append(.operatorOpened(session.key, uid: uid))
    }

    func announce(_ notice: Notice) {
        for case let session? in sessions {
            session.note(notice)
            cursors.markReady(Int(session.key.slot))
        }
    }

    /// Ends a connection: with a last word, or, when it takes nothing, at once.
    func hangUp(_ session: LineSession) {
        if session.connection.isBlocked { return session.connection.abort() }
        session.end(.bye(.denied, "the operator has ended this connection"))
        cursors.markReady(Int(session.key.slot))
    }

    func load(_ key: ConnectionKey) -> ConnectionLoad? {
        guard let session = session(key) else { return nil }
        return ConnectionLoad(key: key, replies: session.replyBytes, behind: cursors.bytesBehind(Int(key.slot)))
    }
}
