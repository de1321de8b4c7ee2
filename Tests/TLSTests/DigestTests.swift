import TLS
import Testing

@Suite("SHA-256 and HMAC-SHA256") struct DigestTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `digests the examples of FIPS 180`(text: String, hex: String) {
        #expect(SHA256Digest.of(string: text).hex == hex)
        #expect(SHA256Digest(hex: hex) == SHA256Digest.of(string: text))
        #expect(SHA256Digest(hex: hex.uppercased())?.hex == hex)
    }

    @Test func `a digest differs from any other in a single bit`() throws {
        let base = String(repeating: "0", count: 64)
        let digest = try #require(SHA256Digest(hex: base))
        for at in 0..<64 {
            let other = String(base.prefix(at)) + "1" + String(base.dropFirst(at + 1))
            #expect(try #require(SHA256Digest(hex: other)) != digest)
        }
    }

    @Test(arguments: ["", "ab", String(repeating: "0", count: 63), String(repeating: "0", count: 65)])
    func `anything but 64 digits is no digest`(hex: String) { #expect(SHA256Digest(hex: hex) == nil) }

    @Test func `other characters are no digest`() {
        for wrong in ["g", "G", "/", ":", "@", "`", "é"] {
            #expect(SHA256Digest(hex: String(repeating: "0", count: 63) + wrong) == nil)
        }
    }

    @Test func `hashes the example of RFC 4231, cut to eight bytes`() {
        // Test case 1: b0344c61d8db3853…
        let hash = Array("Hi There".utf8).withUnsafeBytes {
            KeyedHash.hash($0, key: Array(repeating: 0x0B, count: 20))
        }
        #expect(hash == 0xb034_4c61_d8db_3853)
        // Test case 4, a key of 25 bytes: 82558a389a443c0e…
        let second = Array(repeating: UInt8(0xCD), count: 50).withUnsafeBytes {
            KeyedHash.hash($0, key: Array(1...25))
        }
        #expect(second == 0x8255_8a38_9a44_3c0e)
    }

    @Test func `nothing has a hash of its own for every key`() {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        let one = KeyedHash.hash(nothing, key: Array(repeating: 1, count: 16))
        #expect(one != KeyedHash.hash(nothing, key: Array(repeating: 2, count: 16)))
        #expect(one == [UInt8]().withUnsafeBytes { KeyedHash.hash($0, key: Array(repeating: 1, count: 16)) })
    }
}
