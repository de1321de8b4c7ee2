import ChatModel
import Engine

/// Content of a request on its way to the disk.
final class Intake {
    enum Sink {
        /// A file of its own.
        case blob
        /// A piece of an upload; the request may have made it.
        case piece(PartialUpload, isNew: Bool)
    }

    /// Bytes that may wait for the disk. With what the connection holds unread it is 256 KiB.
    static let waitingLimit = 196_608
    /// Seconds in which so many bytes must come.
    static let watchSeconds: UInt64 = 30
    static let leastProgress: UInt64 = 16_384

    let request: HTTPRequest
    let sink: Sink
    /// Bytes that may come, and what is said of more.
    let most: UInt64
    let beyond: Refusal
    var taken: UInt64 = 0
    /// Bytes that the writer has not taken.
    var waiting = 0
    /// What had come when the time began to run.
    var mark: UInt64 = 0

    init(_ request: HTTPRequest, _ sink: Sink, most: UInt64, beyond: Refusal) {
        (self.request, self.sink, self.most, self.beyond) = (request, sink, most, beyond)
    }
}
