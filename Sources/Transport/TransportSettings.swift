/// Bounds of the transport, the same for all loops; immutable once a loop has them.
package struct TransportSettings: Sendable {
    /// Milliseconds without one byte taken by the peer after which a connection with waiting output is cut off, and the
    /// TCP_USER_TIMEOUT of its socket (tcp(7)). 100 ... 2^31.
    package var stallMilliseconds = 60_000
    /// Seconds from accept to the end of the TLS handshake, in total. 1 ... 600.
    package var handshakeSeconds = 10
    /// Milliseconds for which input is discarded after our end of output, so that the last line is not lost by a reset.
    package var lingerMilliseconds = 2000
    /// Descriptors kept free for files: more connections than RLIMIT_NOFILE less these are refused.
    package var reservedDescriptors = 32
    /// Connections in all, where that is lower than what the descriptors allow.
    package var connectionLimit = Int.max
    /// Connections accepted in a turn from one listener.
    package var acceptsPerTurn = 64
    /// Handshake steps in a turn: each may cost more than a hundred lines.
    package var handshakesPerTurn = 8
    /// Bytes read from one connection in a turn. 4 KiB ... 16 MiB.
    package var bytesPerTurn = 65536
    /// Milliseconds a listener rests when the system is out of descriptors or memory.
    package var acceptRestMilliseconds = 500
    /// Called on the loop's thread, at most once a second for each loop, with a line for the log.
    package var onIncident: @Sendable (String) -> Void = { _ in }

    package init() {}
}
