import ChatModel

/// PUT-BLOB and BLOB.
extension CommandParser {
    /// Bytes of a blob's name.
    private static let nameLimit = 255

    static func blob(_ request: inout Request) throws(Refusal) -> Command {
        guard request.verb == .putBlob else {
            if request.has(.link) { throw .badArg("link", "this server makes no signed links yet") }
            return .blob(try id(try request.words.argument("blob")))
        }
        guard let size = try request.number(.size, in: 0...UInt64.max) else {
            throw .badArg("size", "it is missing: how many bytes follow the line")
        }
        return .putBlob(
            PutBlob(
                size: size,
                type: try type(request),
                name: try name(request),
                target: try target(request),
                hash: try hash(request)
            )
        )
    }

    /// The blob named by `blob=`; nil when the option is not there. What could be no id is one that does not exist.
    static func blobOption(_ request: Request) throws(Refusal) -> BlobID? {
        guard let value = request[.blob] else { return nil }
        if request.has(.geo) { throw .badArg("geo", "blob= or geo=, not both") }
        guard let id = value.withBytes({ BlobID($0) }) else {
            throw Refusal(.notFound, field: "blob", Refusal.notFound.text)
        }
        return id
    }

    private static func id(_ word: UnsafeRawBufferPointer) throws(Refusal) -> BlobID {
        guard let id = BlobID(word) else { throw .notFound }
        return id
    }

    private static func target(_ request: Request) throws(Refusal) -> ConversationTarget? {
        guard let value = request[.conv] else { return nil }
        let outcome = value.withBytes { bytes -> Result<ConversationTarget, Refusal> in
            if bytes.contains(0x20) { return .failure(.badArg("conv", "a conversation has no blanks")) }
            var inner = request
            inner.words = WordScanner(bytes)
            do throws(Refusal) { return .success(try inner.conversation()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// `type/subtype` (RFC 6838 section 4.2), as lower case.
    private static func type(_ request: Request) throws(Refusal) -> String {
        guard let text = request.string(.type)?.lowercased() else {
            throw .badArg("type", "it is missing: the file's media type, such as image/png")
        }
        let parts = text.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
        let isSound = parts.count == 2 && parts.allSatisfy { (1...64).contains($0.count) && $0.allSatisfy(isTypeByte) }
        guard isSound else { throw .badArg("type", "a media type without parameters, such as image/png") }
        return text
    }

    private static func isTypeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x5F, 0x21, 0x23, 0x24, 0x26, 0x5E: true
        default: false
        }
    }

    private static func name(_ request: Request) throws(Refusal) -> String {
        guard let name = request.string(.name) else { return "file" }
        if name.isEmpty { throw .badArg("name", "an empty name; leave it out") }
        let count = name.utf8.count
        if count > nameLimit {
            let details: [KeyValue] = [.number("limit", nameLimit), .number("got", count)]
            throw Refusal(.tooLong, field: "name", details: details, "the name is too long, in bytes")
        }
        return name
    }

    private static func hash(_ request: Request) throws(Refusal) -> ContentHash? {
        guard let text = request.string(.sha256) else { return nil }
        guard let hash = ContentHash(hex: text) else { throw .badArg("sha256", "64 hexadecimal digits") }
        return hash
    }
}
