import CLinux
import ChatTesting
import Glibc
import TLS

/// A TLS handshake with a port of 127.0.0.1, for the certificate it shows.
struct LineProbe {
    let fingerprint: String

    struct Failure: Error, CustomStringConvertible { let description: String }

    init(port: UInt16) throws {
        let descriptor = fc_connect(4, "127.0.0.1", port)
        guard descriptor >= 0 else { throw Failure(description: "no connection to port \(port)") }
        defer { close(descriptor) }
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let session = try TLSSession(client: try TLSContext.client(), descriptor: descriptor, serverName: "localhost")
        guard case .bytes = session.handshake() else { throw Failure(description: "no handshake with port \(port)") }
        fingerprint = session.peerFingerprint ?? ""
    }
}
