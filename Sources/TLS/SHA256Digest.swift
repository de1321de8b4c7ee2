import COpenSSL

/// A SHA-256 value: 32 bytes as a plain value, for tokens, blobs and certificates (FIPS 180-4).
package struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
    /// The 32 bytes in order, eight to a word, the first byte highest.
    /// The digest as four big-endian words.
    package let words: (UInt64, UInt64, UInt64, UInt64)

    init(_ words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// The digest of `bytes`. O(n).
    package static func of(_ bytes: UnsafeRawBufferPointer) -> SHA256Digest {
        var room: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        let done = withUnsafeMutableBytes(of: &room) { out in
            EVP_Digest(bytes.baseAddress, bytes.count, out.baseAddress, nil, EVP_sha256(), nil)
        }
        precondition(done == 1, "SHA-256 needs nothing that could be missing")
        return SHA256Digest((room.0.bigEndian, room.1.bigEndian, room.2.bigEndian, room.3.bigEndian))
    }

    /// The digest of a string's UTF-8.
    package static func of(string: String) -> SHA256Digest {
        var copy = string
        return copy.withUTF8 { of(UnsafeRawBufferPointer($0)) }
    }

    /// From exactly 64 hexadecimal digits, either case; nil for anything else.
    package init?(hex: String) {
        var copy = hex
        let words = copy.withUTF8 { digits -> [UInt64]? in
            if digits.count != 64 { return nil }
            var words: [UInt64] = [0, 0, 0, 0]
            for (at, digit) in digits.enumerated() {
                guard let value = Self.value(of: digit) else { return nil }
                words[at / 16] = words[at / 16] << 4 | value
            }
            return words
        }
        guard let words else { return nil }
        self.words = (words[0], words[1], words[2], words[3])
    }

    /// 64 lower-case hexadecimal digits.
    package var hex: String {
        String(unsafeUninitializedCapacity: 64) { room in
            var at = 0
            for word in [words.0, words.1, words.2, words.3] {
                for shift in stride(from: UInt64(60), through: 0, by: -4) {
                    room[at] = Self.digit(UInt8(word >> shift & 15))
                    at += 1
                }
            }
            return at
        }
    }

    package var description: String { hex }

    package static func == (a: SHA256Digest, b: SHA256Digest) -> Bool {
        // All words are looked at, so that the time says nothing about where two digests differ.
        let first = (a.words.0 ^ b.words.0) | (a.words.1 ^ b.words.1)
        return first | (a.words.2 ^ b.words.2) | (a.words.3 ^ b.words.3) == 0
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

    private static func value(of digit: UInt8) -> UInt64? {
        switch digit {
        case 0x30...0x39: UInt64(digit - 0x30)
        case 0x41...0x46: UInt64(digit - 0x37)
        case 0x61...0x66: UInt64(digit - 0x57)
        default: nil
        }
    }
}
