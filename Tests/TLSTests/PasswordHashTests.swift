import TLS
import Testing

@Suite("Password hash") struct PasswordHashTests {
    private func scrypt(_ password: String, _ salt: String, _ n: UInt32, _ r: UInt32, _ p: UInt32) throws -> String {
        let hash = try Array(password.utf8).withUnsafeBytes {
            try PasswordHash.scrypt(password: $0, salt: Array(salt.utf8), n: n, r: r, p: p)
        }
        return hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    // The vectors have 64 bytes; PBKDF2 makes them in blocks of 32, so that the first half is what we make.
    @Test func `makes the vectors of RFC 7914 section 12`() throws {
        #expect(
            try scrypt("", "", 16, 1, 1) == "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
        )
        #expect(
            try scrypt("password", "NaCl", 1024, 8, 16)
                == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
        )
        #expect(
            try scrypt("pleaseletmein", "SodiumChloride", 16_384, 8, 1)
                == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
        )
    }

    @Test func `the default of 32768, 8, 3 is allowed`() throws {
        #expect(try scrypt("password", "salt", 32_768, 8, 3).utf8.count == 64)
    }

    @Test(arguments: [
        (UInt32(0), UInt32(8), UInt32(1)), (1, 8, 1), (1000, 8, 1), (1 << 21, 8, 1), (1 << 31, 8, 1), (1024, 0, 1),
        (1024, 65, 1), (1024, 8, 0), (1024, 8, 65), (1 << 20, 16, 1), (.max, .max, .max),
        // N must be below 2^(128 r / 8) (RFC 7914 section 2).
        (1 << 16, 1, 1),
    ])
    func `parameters out of range are refused`(n: UInt32, r: UInt32, p: UInt32) throws {
        #expect(throws: TLSFailure.self) { try scrypt("password", "salt", n, r, p) }
    }

    @Test func `equal compares every byte and the length`() {
        let hash = [UInt8](0..<32)
        #expect(PasswordHash.equal(hash, hash))
        #expect(PasswordHash.equal([], []))
        #expect(!PasswordHash.equal(hash, Array(hash.dropLast())))
        for at in 0..<32 {
            var other = hash
            other[at] ^= 1
            #expect(!PasswordHash.equal(hash, other))
        }
    }
}
