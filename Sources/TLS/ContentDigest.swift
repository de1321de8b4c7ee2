import COpenSSL

/// A digest of bytes that come in pieces, by one of the algorithms that a client may choose to compare them. Used by one thread
/// at a time.
package final class ContentDigest {
    package enum Algorithm: Sendable { case sha1, sha256, md5 }

    private let context: OpaquePointer?
    /// False where OpenSSL lacks the algorithm, as with MD5 under FIPS rules.
    private let works: Bool

    package init(_ algorithm: Algorithm) {
        context = EVP_MD_CTX_new()
        let kind =
            switch algorithm {
            case .sha1: EVP_sha1()
            case .sha256: EVP_sha256()
            case .md5: EVP_md5()
            }
        works = EVP_DigestInit_ex(context, kind, nil) == 1
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Takes the next bytes. O(n).
    package func update(_ bytes: UnsafeRawBufferPointer) {
        if works, !bytes.isEmpty { _ = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) }
    }

    /// The digest of all bytes taken; call it once, as the last. Nil where it cannot be made.
    package func finish() -> [UInt8]? {
        guard works else { return nil }
        var room = [UInt8](repeating: 0, count: 64)
        var count: UInt32 = 0
        guard EVP_DigestFinal_ex(context, &room, &count) == 1 else { return nil }
        return Array(room[..<Int(count)])
    }
}
