import COpenSSL

extension TLSSession {
    /// After a `write` that said `.wantWrite`: whether OpenSSL has sealed the record and now needs its length only.
    ///
    /// False while it is stuck before that, sending its answer to a peer's change of keys (RFC 8446 section 4.6.3): then
    /// nothing was taken and the same bytes must be written again. A peer can bring this about at will, so the difference
    /// must not be guessed: other bytes would reach him.
    package var writeIsSealed: Bool { SSL_in_init(handle) == 0 }
}
