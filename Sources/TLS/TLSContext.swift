import COpenSSL
import Glibc

/// An SSL_CTX: certificate and settings shared by all connections of a listener. Another certificate is another context.
///
/// `@unchecked Sendable`: nothing changes the SSL_CTX after init (no session cache, no callbacks), SSL_new(3) only reads
/// it, and its reference count is atomic, so that all loops may use one context at once.
package final class TLSContext: @unchecked Sendable {
    let handle: OpaquePointer
    /// SHA-256 of the leaf certificate's DER form as "AB:CD:…"; nil for clients.
    package let fingerprint: String?
    /// When the leaf certificate expires, in seconds since 1970; nil for clients.
    package let expiry: Int64?

    private init(handle: OpaquePointer, fingerprint: String?, expiry: Int64?) {
        (self.handle, self.fingerprint, self.expiry) = (handle, fingerprint, expiry)
    }

    deinit { SSL_CTX_free(handle) }

    /// Seconds until the leaf certificate expires, negative when it has; nil for clients.
    package var secondsUntilExpiry: Int64? { expiry.map { $0 - Int64(time(nil)) } }

    /// A server's context.
    ///
    /// TLS 1.2 with ECDHE and AEAD suites alone, and 1.3; the server's order of suites; one stateless ticket, no
    /// session cache; no renegotiation, no compression; a plain FIN counts as an ordinary end.
    /// - Parameters:
    ///   - certificateFile: PEM, the leaf first, then its chain.
    ///   - keyFile: PEM, the leaf's key without a passphrase; may be the same file.
    /// - Throws: `TLSFailure` naming file and reason, when a file cannot be read or parsed, the key is not the
    ///   certificate's or is too weak (below RSA 2048, EC 256), or the certificate is not valid now.
    package static func server(
        certificateFile: String,
        keyFile: String,
        minimum: TLSVersion
    ) throws(TLSFailure) -> TLSContext {
        let identity = try ServerIdentity(certificateFile: certificateFile, keyFile: keyFile)
        let handle = try make(TLS_server_method(), minimum: minimum)
        let context = TLSContext(handle: handle, fingerprint: identity.fingerprint, expiry: identity.expiry)
        SSL_CTX_set_options(handle, fc_SSL_OP_SERVER_ORDER())
        SSL_CTX_set_num_tickets(handle, 1)
        try identity.install(in: handle)
        return context
    }

    /// A client's context, which verifies nothing itself: the caller compares `TLSSession.peerFingerprint`.
    /// - Parameter suite: one suite of TLS 1.3, which is then the only thing offered; nil for all that are good.
    package static func client(suite: String? = nil) throws(TLSFailure) -> TLSContext {
        let handle = try make(TLS_client_method(), minimum: suite == nil ? .tls12 : .tls13)
        if let suite, SSL_CTX_set_ciphersuites(handle, suite) != 1 {
            SSL_CTX_free(handle)
            throw .ofOpenSSL("the suite \(suite) cannot be used")
        }
        SSL_CTX_set_verify(handle, SSL_VERIFY_NONE, nil)
        // Two full records a read, for a client that is sent much.
        SSL_CTX_set_default_read_buffer_len(handle, 34 * 1024)
        return TLSContext(handle: handle, fingerprint: nil, expiry: nil)
    }

    /// Cheapest first: AES-128 costs less than AES-256 and is as safe here.
    private static let suites13 = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    private static let suites12 = """
        ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:\
        ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305
        """

    private static func make(_ method: OpaquePointer?, minimum: TLSVersion) throws(TLSFailure) -> OpaquePointer {
        ERR_clear_error()
        guard let handle = SSL_CTX_new(method) else { throw .ofOpenSSL("TLS cannot be set up") }
        guard fc_SSL_CTX_set_min_proto_version(handle, minimum.number) == 1,
            SSL_CTX_set_ciphersuites(handle, suites13) == 1,
            SSL_CTX_set_cipher_list(handle, suites12) == 1
        else {
            SSL_CTX_free(handle)
            throw .ofOpenSSL("TLS cannot be set up")
        }
        SSL_CTX_set_options(
            handle,
            fc_SSL_OP_NO_RENEGOTIATION() | fc_SSL_OP_NO_COMPRESSION() | fc_SSL_OP_IGNORE_UNEXPECTED_EOF()
        )
        // Partial writes and moving buffers: a retried write needs no copy of the bytes, only their count.
        // Released buffers: 34 KiB less for every connection that is quiet (SSL_CTX_set_mode(3)).
        let modes = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS
        _ = fc_SSL_CTX_set_mode(handle, Int(modes))
        // One read(2) for many records instead of two for each.
        fc_SSL_CTX_set_read_ahead(handle, 1)
        _ = fc_SSL_CTX_set_session_cache_mode(handle, Int(SSL_SESS_CACHE_OFF))
        return handle
    }
}
