import COpenSSL

/// What a server gave a client so that its next handshake costs less (RFC 8446 section 2.2). It may serve many
/// connections, as long as the server takes it.
///
/// Confined to one thread; deliberately not `Sendable`.
package final class TLSTicket {
    fileprivate let handle: OpaquePointer

    fileprivate init(owning handle: OpaquePointer) { self.handle = handle }

    deinit { SSL_SESSION_free(handle) }
}

extension TLSSession {
    /// The newest ticket of the server, nil while it has sent none. With TLS 1.3 it comes behind the handshake and is
    /// taken in by the first `read`. The session must end with `shutdown`: OpenSSL voids the ticket of a broken one.
    package var ticket: TLSTicket? {
        guard let session = SSL_get1_session(handle) else { return nil }
        let ticket = TLSTicket(owning: session)
        return SSL_SESSION_is_resumable(session) == 1 ? ticket : nil
    }

    /// Offers a ticket in the client's handshake, which has not begun. A server that does not take it goes on without.
    package func resume(with ticket: TLSTicket) { _ = SSL_set_session(handle, ticket.handle) }

    /// Whether the handshake, which is complete, was shortened by a ticket.
    package var isResumed: Bool { SSL_session_reused(handle) == 1 }
}
