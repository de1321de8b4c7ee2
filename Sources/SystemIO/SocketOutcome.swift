/// What one read from or write to a non-blocking socket came to. A plain value: nothing is allocated.
package enum SocketOutcome: Equatable, Sendable {
    /// So many bytes were moved, at least 1.
    case bytes(Int)
    /// Nothing can be moved now.
    case wouldBlock
    /// The peer has ended its side (reading only).
    case ended
    /// The connection is of no more use (ECONNRESET, EPIPE, ETIMEDOUT and the like).
    case failed(code: Int32)
}
