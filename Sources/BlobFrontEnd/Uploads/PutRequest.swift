import ChatModel
import Engine
import Wire

/// What `PUT /blobs/NAME[?conv=…&sha256=…]` says of its file.
struct PutRequest {
    let upload: PortUpload

    /// - Throws: `Refusal` naming the field at fault, as PUT-BLOB would.
    init(_ request: HTTPRequest, name: String) throws(Refusal) {
        let fields = request.fields
        if fields[.contentRange] != nil {
            throw .badArg("content-range", "a file is put whole; /tus/ takes it in pieces")
        }
        if let coding = fields[.contentEncoding], coding.lowercased() != "identity" {
            throw .badArg("content-encoding", "bytes are kept as they are")
        }
        var (target, hash) = (ConversationTarget?.none, ContentHash?.none)
        for (key, value) in HTTPQuery(request.query).pairs {
            switch key {
            case "conv" where target == nil:
                target = try value.withUnsafeBytes { UploadField.target($0) }.get()
            case "sha256" where hash == nil: hash = try UploadField.hash(String(decoding: value, as: UTF8.self))
            case "conv", "sha256": throw .badArg(key, "it is there twice")
            default: throw .badArg(WordsOf.key(key), "there is no such parameter")
            }
        }
        let size: UInt64? =
            switch request.framing {
            case .none: 0
            case .length(let count): count
            case .chunked: nil
            }
        let put = PutBlob(
            size: size ?? 0,
            type: try Self.type(fields[.contentType]),
            name: try Self.name(name),
            target: target,
            hash: hash
        )
        upload = PortUpload(put: put, isSizeKnown: size != nil)
    }

    /// A media type without its parameters; nil when nothing is said, so that the bytes and the name tell.
    static func type(_ value: String?) throws(Refusal) -> String? {
        guard let value else { return nil }
        let type = value.prefix { $0 != ";" }
        let trimmed = type.utf8.filter { $0 != 0x20 && $0 != 0x09 }
        return trimmed.isEmpty ? nil : try UploadField.type(String(decoding: trimmed, as: UTF8.self))
    }

    /// The last part of the path, its escapes resolved.
    private static func name(_ part: String) throws(Refusal) -> String {
        let bytes = HTTPQuery.bytes(of: part.utf8)
        guard let name = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw .badArg("name", "the name is no UTF-8")
        }
        return name.isEmpty ? UploadField.noName : try UploadField.name(name)
    }
}

/// Words of a client in an answer.
enum WordsOf {
    /// A key as `field=` shows it, whatever the client wrote.
    static func key(_ key: String) -> String {
        let letters = key.utf8.prefix(32)
        return letters.allSatisfy { HTTPSyntax.isTokenByte($0) } && !letters.isEmpty
            ? String(decoding: letters, as: UTF8.self) : "query"
    }
}
