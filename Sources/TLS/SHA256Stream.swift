import Bytes
import COpenSSL

/// The SHA-256 of bytes that come piece by piece (FIPS 180-4). Owned by one thread at a time.
package final class SHA256Stream: ByteDigest {
    private let context: OpaquePointer?

    package init() {
        context = EVP_MD_CTX_new()
        let begun = EVP_DigestInit_ex(context, EVP_sha256(), nil)
        precondition(begun == 1, "SHA-256 needs nothing that could be missing")
    }

    deinit { EVP_MD_CTX_free(context) }

    package func update(_ bytes: UnsafeRawBufferPointer) { EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) }

    package func finish() -> String {
        var room: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        _ = withUnsafeMutableBytes(of: &room) { EVP_DigestFinal_ex(context, $0.baseAddress, nil) }
        return withUnsafeBytes(of: &room) { bytes in
            String(unsafeUninitializedCapacity: 64) { text in
                for (at, byte) in bytes.enumerated() {
                    (text[at * 2], text[at * 2 + 1]) = (Self.digit(byte >> 4), Self.digit(byte & 15))
                }
                return 64
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
