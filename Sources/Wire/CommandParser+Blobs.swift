import ChatModel

/// PUT-BLOB, BLOB, BLOBS and DEL-BLOB.
extension CommandParser {
    static func blob(_ request: inout Request) throws(Refusal) -> Command {
        switch request.verb {
        case .blob:
            let links = try links(request)
            return .blob(try id(&request), links)
        case .blobs: return .blobs(try request.page())
        case .delBlob: return .deleteBlob(try id(&request))
        default: return try upload(request)
        }
    }

    private static func upload(_ request: Request) throws(Refusal) -> Command {
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

    /// The blob in the next word. What could be no id is one that does not exist.
    static func id(_ request: inout Request) throws(Refusal) -> BlobID {
        guard let id = BlobID(try request.words.argument("blob")) else { throw .notFound }
        return id
    }

    private static func links(_ request: Request) throws(Refusal) -> LinkWish {
        if request.has(.links) {
            if request.has(.link) { throw .badArg("links", "link= or links=no, not both") }
            if try request.flag(.links) { throw .badArg("links", "links=no ends links; link=1h makes one") }
            return .end
        }
        guard let seconds = try request.duration(.link) else { return .none }
        guard seconds <= LinkWish.longest else { throw .badArg("link", "from 1s to 30d") }
        return .make(seconds: seconds)
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
