import SystemIO

extension Connection {
    /// The user at the other end of a unix socket; nil for other connections.
    package var peerUID: UInt32? { isUnix ? Sockets.peerUID(descriptor) : nil }
}
