import COpenSSL

@testable import TLS

extension TLSSession {
    /// Certificates the peer has sent, its own with them.
    var chainCount: Int { SSL_get_peer_cert_chain(handle).map { Int(OPENSSL_sk_num($0)) } ?? 0 }
}
