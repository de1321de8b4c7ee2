import ChatModel

/// What the parser needs from above it, so that no secret and no nonce leaves it as text.
package struct Hashers: Sendable {
    /// Keyed hash of a nonce.
    package let nonce: @Sendable (UnsafeRawBufferPointer) -> UInt64
    /// SHA-256 of a token.
    package let token: @Sendable (UnsafeRawBufferPointer) -> TokenHash

    package init(
        nonce: @escaping @Sendable (UnsafeRawBufferPointer) -> UInt64,
        token: @escaping @Sendable (UnsafeRawBufferPointer) -> TokenHash
    ) {
        (self.nonce, self.token) = (nonce, token)
    }
}
