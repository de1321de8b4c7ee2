/// A checksum of bytes that come piece by piece. Implemented above, where the cryptographic library is.
package protocol ByteDigest {
    mutating func update(_ bytes: UnsafeRawBufferPointer)
    /// The checksum as lower-case hexadecimal digits; nothing is added afterwards.
    mutating func hex() -> String
}
