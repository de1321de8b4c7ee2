import ChatModel

/// What the line protocol's front end must know; the same for all loops.
package struct LineSettings: Sendable {
    /// Bytes of a line, its end not counted.
    package var lineLimit = 16384
    /// Requests in flight a connection; above it reading stops.
    package var inFlightLimit = 256
    /// Bytes of replies queued a connection, above which its reading stops; one reply may pass it.
    package var replyLimit = 262_144
    /// The same before sign-in.
    package var replyLimitBeforeSignIn = 16384
    /// Seconds to sign in.
    package var signInSeconds: UInt64 = 60
    /// `HI …` for a log, but for `time=`, which comes last.
    package var greeting: @Sendable (String) -> [KeyValue] = { _ in [] }
    /// `log=` of HI.
    package var logID = ""
    /// Lines of one connection that are decided in a turn before others have theirs.
    package var linesPerTurn = 512
    /// Bytes of text a loop hands over in a turn, about: the bound of what may wait for the disk is judged once a turn.
    package var textPerTurn = 1 << 20
    /// Bytes a blob may have; what announces more ends the connection.
    package var blobLimit: UInt64 = 26_214_400
    package init() {}
}
