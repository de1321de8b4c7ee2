import ChatModel
import Engine
import Testing
import Wire

extension Stage {
    /// An upload of so many bytes by the account of a connection.
    /// - Returns: its id.
    func upload(_ key: ConnectionKey, content: UInt64 = 1, size: UInt64 = 10) throws -> String {
        let put = PutBlob(size: size, type: "image/png", name: "n.png", target: nil, hash: nil)
        let outcome = Result<ContentHash, Refusal>.success(Self.content(content))
        _ = takeReplies(key)
        handle(.blobStored(StoredUpload(connection: key, tag: Wire.Tag.none, request: put, outcome: outcome)))
        sync()
        engine.settledBlobs = []
        return try #require(takeReplies(key).first).field("blob")
    }

    static func content(_ number: UInt64) -> ContentHash { ContentHash(a: number, b: 0, c: 0, d: 0) }

    /// Files the host was told to remove since this was last asked, by their numbers.
    func takeRemoved() -> [UInt64] {
        defer { engine.removableBlobs = [] }
        return engine.removableBlobs.compactMap { UInt64($0.hex.prefix(16), radix: 16) }
    }

    /// Seconds pass, each with its tick.
    func tick(_ count: Int = 1, seconds: Int64 = 1) {
        for _ in 0..<count {
            now += seconds * 1000
            handle(.tick(residentBytes: 0))
            sync()
        }
    }

    /// Whether the account of a connection may read a blob.
    func mayRead(_ id: String, _ key: ConnectionKey) -> Bool { ask(key, "BLOB \(id)").first?.hasPrefix("OK ") == true }

    /// What the blob port answers to a question, once that is durable.
    func port(_ question: BlobQuestion) -> String {
        let before = mail[0].count
        handle(.blobAsked(ConnectionKey(loop: 0, slot: 99, generation: 1), question))
        sync()
        for item in mail[0][before...] {
            guard case .blobAnswered(_, let answer) = item else { continue }
            if case .readable(let record) = answer { return record.id.text }
            return "\(answer)"
        }
        return "nothing"
    }
}
