/// What happens on connections of one kind (chat, blobs). One object per loop and kind, called on the loop's thread.
///
/// Every call may use the connection freely, also `finish` and `abort`: the connection is then taken down after the
/// call has returned.
package protocol ConnectionHandler: AnyObject {
    /// A connection is ready for bytes: accepted, and with TLS its handshake complete. Before any input.
    func opened(_ connection: Connection)

    /// Input has come.
    ///
    /// At most one call for a connection in a turn, unless it was paused and resumed. While more than
    /// `TransportSettings.bytesPerTurn` is unconsumed nothing is read: a handler that cannot go on pauses, and is shown
    /// the bytes again after `resume`.
    /// - Parameter bytes: all bytes not yet consumed, in memory of the loop: valid during the call.
    /// - Returns: how many were consumed, 0 ... `bytes.count`; the rest is kept and shown again in front of the next.
    func received(_ connection: Connection, _ bytes: UnsafeRawBufferPointer) -> Int

    /// The peer has ended its side (FIN or close_notify). Writing goes on.
    /// - Parameter rest: what was not consumed, an unfinished line; valid during the call.
    func inputEnded(_ connection: Connection, _ rest: UnsafeRawBufferPointer)

    /// A connection that was blocked takes bytes again.
    func writable(_ connection: Connection)

    /// The last call: the descriptor is gone. Exactly once for every connection that was `opened`.
    func closed(_ connection: Connection)

    /// The connection's `deadline` has passed; it is nil again.
    func expired(_ connection: Connection)

    /// The peer's address may no longer connect (`EventLoop.ban`): the connection is to end. Only what was `opened`.
    func turnedAway(_ connection: Connection)

    /// Sent before closing to who may not connect, on ports without TLS. May be empty.
    var bannedAnswer: StaticString { get }

    /// Sent in plain before closing, when a TLS connection's first byte is not a handshake's, or no byte came until the
    /// handshake's deadline. May be empty.
    var plainTextAnswer: StaticString { get }
}

extension ConnectionHandler {
    package func turnedAway(_ connection: Connection) { connection.abort() }
    package var bannedAnswer: StaticString { "" }
}
