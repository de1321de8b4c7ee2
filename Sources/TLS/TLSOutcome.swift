import COpenSSL
import Glibc

/// What one call on a `TLSSession` came to. A plain value: nothing is allocated.
package enum TLSOutcome: Equatable, Sendable {
    /// So many bytes were read or taken for writing, at least 1; a finished handshake says 0.
    case bytes(Int)
    /// Nothing more until the descriptor is readable.
    case wantRead
    /// Nothing more until the descriptor is writable.
    case wantWrite
    /// The peer has ended its side, with close_notify or with a plain FIN.
    case closed
    /// The connection is of no more use; close the descriptor.
    case failed(TLSFault)

    init(_ result: fc_tls_result) {
        switch result.kind {
        case SSL_ERROR_NONE: self = .bytes(Int(result.value))
        case SSL_ERROR_WANT_READ: self = .wantRead
        case SSL_ERROR_WANT_WRITE: self = .wantWrite
        case SSL_ERROR_ZERO_RETURN: self = .closed
        case SSL_ERROR_SYSCALL:
            // No errno is the end of input where OpenSSL expected more, as a FIN within the handshake.
            self = result.system == 0 ? .closed : .failed(.system(result.system))
        default: self = .failed(.tls(result.code))
        }
    }
}

/// Why a connection failed; its text is made only when somebody asks for it.
package enum TLSFault: Equatable, Sendable, CustomStringConvertible {
    /// The system call under TLS failed with this errno.
    case system(Int32)
    /// OpenSSL refused, with this packed error code.
    case tls(UInt)

    package var description: String {
        switch self {
        case .system(let code): String(cString: strerror(code))
        case .tls(let code): TLSFailure.reason(of: code)
        }
    }

    /// The peer went away without a word: ordinary life of a network, not worth a line in the log.
    package var isDisconnect: Bool {
        self == .system(ECONNRESET) || self == .system(EPIPE) || self == .system(ETIMEDOUT)
    }
}
