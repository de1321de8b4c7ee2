import COpenSSL
import CSocketBIO
import Glibc

/// One connection's TLS, reading and writing its non-blocking descriptor directly.
///
/// Confined to one loop; deliberately not `Sendable`. The descriptor belongs to the caller and must stay open as long
/// as the session lives.
package final class TLSSession {
    let handle: OpaquePointer
    /// After a failure OpenSSL must not be asked for close_notify (SSL_shutdown(3)).
    private var broken = false

    /// The server's end of an accepted connection.
    package init(server context: TLSContext, descriptor: Int32) throws(TLSFailure) {
        handle = try Self.make(context, descriptor)
        SSL_set_accept_state(handle)
    }

    /// The client's end of a connected socket.
    /// - Parameter serverName: sent as SNI unless it is an address or empty (RFC 6066 section 3).
    package init(client context: TLSContext, descriptor: Int32, serverName: String) throws(TLSFailure) {
        handle = try Self.make(context, descriptor)
        SSL_set_connect_state(handle)
        if !serverName.isEmpty && !Self.isAddress(serverName) { fc_SSL_set_tlsext_host_name(handle, serverName) }
    }

    deinit { SSL_free(handle) }

    /// Goes on with the handshake; `.bytes(0)` once it is complete.
    package func handshake() -> TLSOutcome {
        let outcome = concluded(fc_tls_handshake(handle))
        if case .bytes = outcome { return .bytes(0) }
        return outcome
    }

    /// Reads at most one record's worth into `buffer`, which is not empty. Repeat until `.wantRead`.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> TLSOutcome {
        concluded(fc_tls_read(handle, buffer.baseAddress, Int32(clamping: buffer.count)))
    }

    /// The most bytes one record holds and one `write` takes (RFC 8446 section 5.1).
    package static let recordLimit = 16_384

    /// Writes the first `recordLimit` of `bytes`, which is not empty, as one record.
    ///
    /// After `.wantWrite` the record is normally sealed inside OpenSSL: the next call must come with the same count, and
    /// the bytes may then be anywhere or anything, they are not read again. The outcome of that call counts them. The
    /// exception is a write that was stopped before it was sealed, by an answer to the peer's change of keys; a caller
    /// that wants to let go of the bytes must ask for it.
    package func write(_ bytes: UnsafeRawBufferPointer) -> TLSOutcome {
        // Never more than a record: of a longer input OpenSSL, having sent the sealed record, would read the rest.
        concluded(fc_tls_write(handle, bytes.baseAddress, Int32(min(bytes.count, Self.recordLimit))))
    }

    /// Whether OpenSSL holds input already taken from the descriptor, which no poll will report again. It may be less
    /// than a record, so that the next `read` still says `.wantRead`.
    package var hasPending: Bool { SSL_has_pending(handle) == 1 }

    /// Sends close_notify, as far as the socket takes it at once. Nothing can be written afterwards.
    package func shutdown() {
        if broken || SSL_in_init(handle) != 0 { return }
        ERR_clear_error()
        _ = SSL_shutdown(handle)
    }

    /// SHA-256 of the peer's certificate as "AB:CD:…", for pinning; nil before the handshake is complete.
    package var peerFingerprint: String? {
        SSL_get1_peer_certificate(handle).map { Certificate(owning: $0).fingerprint }
    }

    /// Protocol version and suite for people, as "TLSv1.3 TLS_AES_128_GCM_SHA256".
    package var summary: String {
        let suite = SSL_CIPHER_get_name(SSL_get_current_cipher(handle)).map { String(cString: $0) }
        return "\(SSL_get_version(handle).map { String(cString: $0) } ?? "?") \(suite ?? "?")"
    }

    @inline(__always)
    private func concluded(_ result: fc_tls_result) -> TLSOutcome {
        let outcome = TLSOutcome(result)
        if case .failed = outcome { broken = true }
        return outcome
    }

    private static func make(_ context: TLSContext, _ descriptor: Int32) throws(TLSFailure) -> OpaquePointer {
        ERR_clear_error()
        guard let handle = SSL_new(context.handle) else { throw .ofOpenSSL("no TLS for a connection") }
        guard fc_tls_set_socket(handle, descriptor) == 1 else {
            SSL_free(handle)
            throw .ofOpenSSL("no TLS for a connection")
        }
        return handle
    }

    private static func isAddress(_ name: String) -> Bool {
        var room = in6_addr()
        return inet_pton(AF_INET, name, &room) == 1 || inet_pton(AF_INET6, name, &room) == 1
    }
}
