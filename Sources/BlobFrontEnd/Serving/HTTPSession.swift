import ChatModel
import Engine
import Transport

/// One connection's side of the blob port: one request at a time, from its head to the last byte of its answer.
/// Confined to its loop.
final class HTTPSession {
    enum State {
        /// A head is awaited or coming.
        case head
        /// The engine is asked.
        case asking(HTTPRequest, BlobQuestion)
        /// The blob writer is asked.
        case working(HTTPRequest, PartialUpload)
        /// Content is coming and is kept.
        case receiving(Intake)
        /// All content has come; the answer is made elsewhere.
        case storing(Intake)
        case sending(Download)
        /// The answer waits for the peer.
        case draining
        /// The answer is given; what is left of the content is read and thrown away.
        case dropping
    }

    let key: ConnectionKey
    unowned let connection: Connection
    var reader = HTTPReader()
    var state = State.head
    /// The connection ends after this answer.
    var closes = false
    /// The answer has no body, whatever it says of one.
    var isHead = false
    /// The request is one of tus.
    var isTus = false
    /// The client waits for `100 Continue`.
    var expectsContinue = false
    /// The token of the last request and its hash: most clients show the same one each time.
    var lastToken: (text: String, hash: TokenHash)?
    /// In the front end's list of those that have something to send.
    var isReady = false

    init(key: ConnectionKey, connection: Connection) { (self.key, self.connection) = (key, connection) }

    /// Content that nobody will take stands behind the request: little of it is read and dropped, else the connection ends
    /// after the answer (RFC 9112 section 9.3).
    func decideWhetherToClose() {
        guard reader.isInContent else { return }
        if expectsContinue || (reader.contentLeft ?? .max) > Self.dropLimit { closes = true }
    }

    /// Bytes of refused content that are read so that the connection can go on.
    private static let dropLimit: UInt64 = 1 << 20

    /// Everything about the request that was answered is forgotten.
    func forgetRequest() { (state, isHead, isTus, expectsContinue) = (.head, false, false, false) }
}
