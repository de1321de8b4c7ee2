/// Why a `TestClient` could not go on.
package enum ClientFailure: Error, CustomStringConvertible {
    /// The stream ended, in order; what was left of an unfinished line.
    case ended(rest: String)
    /// Nothing came in time, while waiting for this.
    case timedOut(String)
    /// The socket or the TLS session failed.
    case broken(String)
    case malformed(ReceivedLine.Malformed)
    /// A line that must not come here: an EV inside a reply, a reply to another tag.
    case outOfPlace(String)
    /// The server refused what the test took for granted, or granted what it must refuse.
    case unexpected(Reply)

    /// True when the connection was lost, as by a kill of the server.
    package var isLoss: Bool {
        switch self {
        case .ended, .broken: true
        default: false
        }
    }

    package var description: String {
        switch self {
        case .ended(let rest): "the server ended the connection; left over: \(rest.prefix(200))"
        case .timedOut(let what): "nothing came in time, waiting for \(what)"
        case .broken(let what): "the connection broke: \(what)"
        case .malformed(let line): line.description
        case .outOfPlace(let what): "out of place: \(what.prefix(300))"
        case .unexpected(let reply): "unexpected: \(reply.description.prefix(600))"
        }
    }
}
