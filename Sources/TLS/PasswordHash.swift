import COpenSSL
import Glibc

/// Password hashing with scrypt (RFC 7914). Slow on purpose: runs on workers, never on a loop.
package enum PasswordHash {
    /// Bytes of a hash.
    package static let byteCount = 32
    /// Memory one hash may take: N = 2^20 with r = 8.
    private static let memoryLimit: UInt64 = 1 << 30

    /// The hash of `password`, 32 bytes. Takes about 128 · N · r bytes of memory and time in proportion to N · r · p.
    /// - Parameters:
    ///   - n: a power of two, 2 ... 2^20.
    ///   - r: 1 ... 64.
    ///   - p: 1 ... 64.
    /// - Throws: `TLSFailure` when a parameter is out of range, N · r needs more than 1 GiB, or memory is short.
    package static func scrypt(
        password: UnsafeRawBufferPointer,
        salt: [UInt8],
        n: UInt32,
        r: UInt32,
        p: UInt32
    ) throws(TLSFailure) -> [UInt8] {
        guard n.nonzeroBitCount == 1, (2...(1 << 20)).contains(n), (1...64).contains(r), (1...64).contains(p) else {
            throw TLSFailure("scrypt: N \(n), r \(r), p \(p) is out of range")
        }
        let memory = 128 * UInt64(n) * UInt64(r)
        guard memory <= memoryLimit else { throw TLSFailure("scrypt: N \(n), r \(r) needs more than 1 GiB") }
        var hash: [UInt8] = Array(repeating: 0, count: byteCount)
        ERR_clear_error()
        let done = EVP_PBE_scrypt(
            password.baseAddress?.assumingMemoryBound(to: CChar.self),
            password.count,
            salt,
            salt.count,
            UInt64(n),
            UInt64(r),
            UInt64(p),
            // The blocks of the p lanes and working space come on top of 128 · N · r.
            memory + 128 * UInt64(r) * UInt64(p) + (1 << 20),
            &hash,
            hash.count
        )
        guard done == 1 else { throw .ofOpenSSL("scrypt with N \(n), r \(r), p \(p)") }
        return hash
    }

    /// Compares two hashes in a time that depends on their length only.
    package static func equal(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        a.count == b.count && CRYPTO_memcmp(a, b, a.count) == 0
    }
}
