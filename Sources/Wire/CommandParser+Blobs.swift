import ChatModel

/// PUT-BLOB and BLOB.
extension CommandParser {
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
        return try value.withBytes { UploadField.target($0) }.get()
    }

    private static func type(_ request: Request) throws(Refusal) -> String {
        guard let text = request.string(.type) else {
            throw .badArg("type", "it is missing: the file's media type, such as image/png")
        }
        return try UploadField.type(text)
    }

    private static func name(_ request: Request) throws(Refusal) -> String {
        guard let name = request.string(.name) else { return UploadField.noName }
        return try UploadField.name(name)
    }

    private static func hash(_ request: Request) throws(Refusal) -> ContentHash? {
        try request.string(.sha256).map { text throws(Refusal) in try UploadField.hash(text) }
    }
}
