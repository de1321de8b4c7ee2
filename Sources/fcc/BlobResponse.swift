import ChatClient
import SystemIO

/// The answer of the blob port as it comes in.
final class BlobResponse {
    private let connection: Connection
    private var waiting: [UInt8] = []

    init(_ connection: Connection) { self.connection = connection }

    /// Waits for the head.
    func head() throws(Failure) -> HTTPHead {
        while true {
            switch HTTPHead.parse(waiting) {
            case .complete(let head, let count):
                waiting.removeFirst(count)
                // Interim answers are followed by the real one (RFC 9110, 15.2).
                if head.status >= 200 { return head }
            case .malformed: throw .lost("the blob port does not speak HTTP as we do")
            case .incomplete: try more()
            }
        }
    }

    /// Hands over the body as it comes: a part, and how many bytes there were with it.
    /// - Throws: `Failure` when it ends before `length` bytes.
    func body(_ length: UInt64, _ take: ([UInt8], UInt64) throws(Failure) -> Void) throws(Failure) {
        var done: UInt64 = 0
        while done < length {
            if waiting.isEmpty { try more() }
            let part = Array(waiting.prefix(Int(min(UInt64(waiting.count), length - done))))
            waiting = []
            done += UInt64(part.count)
            try take(part, done)
        }
    }

    private func more() throws(Failure) {
        while true {
            let bytes = connection.takeInput()
            if !bytes.isEmpty {
                waiting += bytes
                return
            }
            if connection.isEnded { throw .lost("the blob port closed the connection before the end") }
            guard try connection.step(milliseconds: Session.answerLimit) else {
                throw .lost("the blob port does not answer")
            }
        }
    }
}
