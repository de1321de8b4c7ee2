import CLinux

extension Sockets {
    /// The user of the process at the other end of a unix socket, as it was when that process connected (unix(7),
    /// SO_PEERCRED); nil for other sockets.
    package static func peerUID(_ descriptor: Int32) -> UInt32? {
        let uid = fc_peer_uid(descriptor)
        return uid < 0 ? nil : UInt32(uid)
    }
}
