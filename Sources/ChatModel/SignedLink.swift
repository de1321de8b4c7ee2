/// HMAC-SHA256 of a signed link: 32 bytes, written as 64 lower-case hexadecimal digits (RFC 2104; protocol.md, Links).
///
/// Compared in a time that says nothing about where two of them differ, and of one spelling each.
package struct LinkSignature: Equatable, Sendable {
    private let words: TokenHash
    package init(_ words: TokenHash) { self.words = words }

    /// Nil unless `hex` is 64 digits as `hex` writes them.
    package init?(hex: some StringProtocol) {
        guard let words = TokenHash(hex: String(hex)), words.hex.utf8.elementsEqual(hex.utf8) else { return nil }
        self.words = words
    }

    package var hex: String { words.hex }

    package static func == (a: LinkSignature, b: LinkSignature) -> Bool {
        let first = (a.words.a ^ b.words.a) | (a.words.b ^ b.words.b)
        return first | (a.words.c ^ b.words.c) | (a.words.d ^ b.words.d) == 0
    }
}

/// A link by which anybody reads a blob until it expires: what its address says.
package struct SignedLink: Equatable, Sendable {
    package let blob: BlobID
    /// Seconds since 1970, the server's clock.
    package let expires: UInt64
    package let signature: LinkSignature
    package init(blob: BlobID, expires: UInt64, signature: LinkSignature) {
        (self.blob, self.expires, self.signature) = (blob, expires, signature)
    }

    /// What is signed.
    /// - Parameter generation: `BlobRecord.linkGeneration`.
    package static func text(_ blob: BlobID, expires: UInt64, generation: UInt64) -> [UInt8] {
        Array("fcd link 1\n\(blob.text)\n\(expires)\n\(generation)".utf8)
    }

    /// Behind the path of the blob's address.
    package var query: String { "?exp=\(expires)&sig=\(signature.hex)" }
}

/// What BLOB is to do about signed links, beside telling of the blob.
package enum LinkWish: Equatable, Sendable {
    case none
    /// One that is good for so many seconds.
    case make(seconds: Int64)
    /// None that was made is good any more.
    case end

    /// Seconds that a link may be good for: 30 days.
    package static let longest: Int64 = 30 * 86_400
}
