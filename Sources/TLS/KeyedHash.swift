import COpenSSL

/// HMAC-SHA256 (RFC 2104), whole or cut to 64 bits: equal inputs have equal hashes, and only the key's holder can aim at one.
package enum KeyedHash {
    /// The first eight bytes of the HMAC, the first byte highest. O(n).
    /// - Parameter key: 16 to 32 secret bytes.
    package static func hash(_ bytes: UnsafeRawBufferPointer, key: [UInt8]) -> UInt64 { whole(bytes, key: key).words.0 }

    /// The whole HMAC-SHA256. O(n).
    /// - Parameter key: 16 to 32 secret bytes.
    package static func whole(_ bytes: UnsafeRawBufferPointer, key: [UInt8]) -> SHA256Digest {
        precondition((16...32).contains(key.count), "a key of 16 to 32 bytes")
        var room: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        let done = withUnsafeMutableBytes(of: &room) { out in
            // HMAC(3) takes a nil input for something else, even when the count is 0.
            withUnsafeBytes(of: UInt64(0)) { nothing in
                HMAC(
                    EVP_sha256(),
                    key,
                    Int32(key.count),
                    (bytes.baseAddress ?? nothing.baseAddress)?.assumingMemoryBound(to: UInt8.self),
                    bytes.count,
                    out.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    nil
                ) != nil
            }
        }
        precondition(done, "HMAC-SHA256 needs nothing that could be missing")
        return SHA256Digest((room.0.bigEndian, room.1.bigEndian, room.2.bigEndian, room.3.bigEndian))
    }
}
