import Bytes
import ChatModel
import Engine
import Transport
import Wire

/// One connection's side of the line protocol: what was asked and not answered, and what waits to be sent. It knows
/// nothing of conversations. Confined to its loop.
final class LineSession {
    /// How the connection ends once everything asked is answered and sent.
    enum Ending {
        /// The client ended its input: no further word.
        case quiet
        /// `BYE CODE - text`; nil is `BYE OK`.
        case bye(Code?, String)
    }

    let key: ConnectionKey
    /// Each holds the other until the loop has buried the connection and lets go of its `context`.
    let connection: Connection
    var isSignedIn = false
    /// It signed in with the operator's code and has not set a password.
    var mustSetPassword = false
    /// It came by the control socket.
    var isOperator = false
    /// Requests the engine has not answered.
    var inFlight = 0
    /// AUTH, SIGNUP, LOGOUT or a request with a large answer is being decided: no further line is taken.
    var isDeciding = false
    /// A question to the client, and whether it was sent.
    var ask: (tag: Tag, pending: PendingAsk, isSent: Bool)?
    /// Inside an overlong line, up to its LF.
    var isSkipping = false
    /// BAD-VERB and BAD-LINE in a row, and TOO-LONG in a row.
    var misunderstood = 0
    var overlong = 0
    /// No further line is taken at all.
    var isDeaf = false
    var isPaused = false
    /// Its time is over: it has a moment for the last word.
    var isOverdue = false
    /// PUT-BLOB under way.
    var upload: Upload?
    private(set) var ending: Ending?
    /// Whether there is an `ending`: to look costs no copy.
    private(set) var isEnding = false
    /// Catch-up only, from now on.
    var isLiveStopped = false
    /// Replies that have not left.
    private var replies = ByteBuffer()
    /// Bytes of them; kept beside them so that looking costs no exclusivity check on the hot path.
    private(set) var replyBytes = 0
    /// It got a reply and has not had its turn since.
    var awaitsTurn = false
    /// What happened outside the log, the latest of each key.
    private var notices: [Notice] = []
    private var noticePlaces: [Notice.Key: Int] = [:]
    private(set) var hasNotices = false

    init(key: ConnectionKey, connection: Connection) { (self.key, self.connection) = (key, connection) }

    /// Ends the connection in this way unless it is ending already.
    func end(_ ending: Ending) {
        isDeaf = true
        if isEnding { return }
        (self.ending, isEnding) = (ending, true)
    }

    /// Appends server lines to what waits.
    func say(_ render: (inout ByteBuffer) -> Void) {
        render(&replies)
        replyBytes = replies.count
    }

    /// Moves the first `count` bytes of what waits to `target`.
    func takeReplies(_ count: Int, to target: UnsafeMutableRawPointer) {
        guard let source = replies.readable.baseAddress else { return }
        target.copyMemory(from: source, byteCount: count)
        replies.consume(count)
        replyBytes -= count
        // An idle connection owns no buffer.
        if replyBytes == 0 { replies.release() }
    }

    /// Notices that may wait; beyond that new ones are skipped, but for those that come once.
    private static let noticeLimit = 1000

    /// Takes a notice in the place of an earlier one with its key. O(1).
    func note(_ notice: Notice) {
        if let at = noticePlaces[notice.key] {
            notices[at] = notice
            return
        }
        if notices.count >= Self.noticeLimit, notice.mayBeSkipped { return }
        noticePlaces[notice.key] = notices.count
        notices.append(notice)
        hasNotices = true
    }

    /// Renders the notices, now that the socket takes something: only the latest of each key is sent.
    func renderNotices() {
        if !hasNotices { return }
        for notice in notices {
            say { ReplyRenderer.notice(kind: notice.kind, fields: notice.fields, into: &$0) }
        }
        (notices, noticePlaces, hasNotices) = ([], [:], false)
    }
}
