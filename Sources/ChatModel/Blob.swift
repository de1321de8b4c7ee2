/// SHA-256 of a blob's bytes: its name on disk and its `ETag`.
package struct ContentHash: Hashable, Sendable {
    private let words: TokenHash
    package init(a: UInt64, b: UInt64, c: UInt64, d: UInt64) { words = TokenHash(a: a, b: b, c: c, d: d) }

    /// Nil unless `hex` is 64 hexadecimal digits.
    package init?(hex: String) {
        guard let words = TokenHash(hex: hex) else { return nil }
        self.words = words
    }

    /// 64 lower-case hexadecimal digits.
    package var hex: String { words.hex }

    /// The same in quotes: the strong entity tag of the bytes (RFC 9110 section 8.8.3).
    package var entityTag: String {
        String(unsafeUninitializedCapacity: TokenHash.digits + 2) { room in
            let inside = UnsafeMutableBufferPointer(rebasing: room[1...TokenHash.digits])
            let count = words.render(into: inside)
            (room[0], room[count + 1]) = (0x22, 0x22)
            return count + 2
        }
    }
}

/// What is known of one upload; its bytes stand on disk by their hash. Never changes.
package final class BlobRecord: Sendable {
    package let id: BlobID
    /// Who put it there.
    package let owner: AccountNumber
    /// As given, with whatever it holds; never a path.
    package let name: String
    /// `type/subtype`, lower case, as given; checked against the bytes for raster images.
    package let type: String
    package let size: UInt64
    package let hash: ContentHash
    package let created: Timestamp
    /// How often its signed links were ended: those made before count no more.
    package let linkGeneration: UInt64
    /// It was sent with a message since nothing had it, so that it ends with the last that has it.
    package let isSent: Bool

    package init(
        id: BlobID,
        owner: AccountNumber,
        name: String,
        type: String,
        size: UInt64,
        hash: ContentHash,
        created: Timestamp,
        linkGeneration: UInt64 = 0,
        isSent: Bool = false
    ) {
        (self.id, self.owner, self.name, self.type) = (id, owner, name, type)
        (self.size, self.hash, self.created) = (size, hash, created)
        (self.linkGeneration, self.isSent) = (linkGeneration, isSent)
    }

    /// The same upload with something changed.
    package func with(linkGeneration: UInt64? = nil, isSent: Bool? = nil) -> BlobRecord {
        BlobRecord(
            id: id,
            owner: owner,
            name: name,
            type: type,
            size: size,
            hash: hash,
            created: created,
            linkGeneration: linkGeneration ?? self.linkGeneration,
            isSent: isSent ?? self.isSent
        )
    }

    /// What it costs of its owner's quota: at least a block of the disk, so that empty ones are not free.
    package var charge: UInt64 { BlobCharge.of(size) }

    /// `kind=` of a message that has it.
    package var messageKind: String { RasterImage(type: type) == nil ? "file" : "photo" }
}

/// PUT-BLOB: what is announced before the bytes.
package struct PutBlob: Sendable {
    /// Bytes that follow the line.
    package let size: UInt64
    /// Nil: to be told from the bytes and the name.
    package let type: String?
    package let name: String
    /// The conversation it is meant for; one must be able to write there.
    package let target: ConversationTarget?
    /// What the bytes must hash to.
    package let hash: ContentHash?
    package init(size: UInt64, type: String?, name: String, target: ConversationTarget?, hash: ContentHash?) {
        (self.size, self.type, self.name, self.target, self.hash) = (size, type, name, target, hash)
    }

    /// What it will cost of the quota.
    package var charge: UInt64 { BlobCharge.of(size) }
}

/// What a blob costs of its owner's quota.
package enum BlobCharge {
    /// At least a block of the disk.
    package static func of(_ size: UInt64) -> UInt64 { max(size, 4096) }
}
