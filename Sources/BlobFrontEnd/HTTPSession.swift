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
        case asking(HTTPRequest)
        case sending(Download)
        /// The answer waits for the peer.
        case draining
    }

    let key: ConnectionKey
    unowned let connection: Connection
    var scanner = HTTPHeadScanner()
    var state = State.head
    /// The connection ends after this answer.
    var closes = false

    init(key: ConnectionKey, connection: Connection) { (self.key, self.connection) = (key, connection) }
}

/// A body on its way: read from the file piece by piece, each when the one before has left.
final class Download {
    /// Bytes read at a time; with what the connection holds, all that is in memory of it.
    static let pieceSize = 131_072

    let content: ContentHash
    /// The next byte to be read, and the one behind the last.
    var next: UInt64
    let end: UInt64
    /// The answer's head, until the first piece shows that the file is there.
    var head: HTTPResponse?
    var piece: [UInt8] = []
    /// Bytes of the piece that have left.
    var sent = 0
    var isReading = false

    init(_ content: ContentHash, _ range: Range<UInt64>, head: HTTPResponse) {
        (self.content, next, end, self.head) = (content, range.lowerBound, range.upperBound, head)
    }
}
