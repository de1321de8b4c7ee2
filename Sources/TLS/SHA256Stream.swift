import COpenSSL

/// SHA-256 of bytes that come in pieces. Used by one thread at a time.
package final class SHA256Stream {
    private let context: OpaquePointer?

    package init() {
        context = EVP_MD_CTX_new()
        precondition(EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1, "SHA-256 needs nothing that could be missing")
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Takes the next bytes. O(n).
    package func update(_ bytes: UnsafeRawBufferPointer) {
        if bytes.isEmpty { return }
        precondition(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1, "SHA-256 takes any bytes")
    }

    /// The digest of all bytes taken; call it once, as the last.
    package func finish() -> SHA256Digest {
        var room: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        let done = withUnsafeMutableBytes(of: &room) { out in
            EVP_DigestFinal_ex(context, out.baseAddress, nil)
        }
        precondition(done == 1, "SHA-256 needs nothing that could be missing")
        return SHA256Digest((room.0.bigEndian, room.1.bigEndian, room.2.bigEndian, room.3.bigEndian))
    }
}
