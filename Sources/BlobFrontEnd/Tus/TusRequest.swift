import ChatModel
import Engine
import Wire

/// What requests of tus 1.0 say in their heads (https://tus.io/protocols/resumable-upload).
enum TusRequest {
    static let version = "1.0.0"
    static let extensions = "creation,creation-with-upload,checksum,termination,expiration"
    static let contentType = "application/offset+octet-stream"

    /// Digits alone, without leading zeros.
    /// - Throws: `Refusal` BAD-ARG with the field's name.
    static func number(_ fields: HTTPFields, _ name: HTTPFields.Name) throws(Refusal) -> UInt64 {
        guard let text = fields[name] else { throw .badArg(name.rawValue, "it is missing") }
        let isPlain = text.utf8.allSatisfy(HTTPSyntax.isDigit) && (text.utf8.count == 1 || text.utf8.first != 0x30)
        guard isPlain, let value = UInt64(text) else {
            throw .badArg(name.rawValue, "a number of bytes, in ASCII digits without sign and leading zeros")
        }
        return value
    }

    /// Whether content of a piece follows.
    /// - Throws: `Refusal` for content of another kind.
    static func hasPiece(_ request: HTTPRequest) throws(Refusal) -> Bool {
        if request.framing == .none { return false }
        guard isPiece(request) else { throw Refusal(.unsupportedType) }
        return true
    }

    static func isPiece(_ request: HTTPRequest) -> Bool {
        request.fields[.contentType]?.lowercased() == contentType
    }

    /// The upload that a `POST` wants made.
    static func plan(_ request: HTTPRequest) throws(Refusal) -> PartialPlan {
        let fields = request.fields
        if fields[.uploadDeferLength] != nil {
            throw .badArg(HTTPFields.Name.uploadDeferLength.rawValue, "the length must be known")
        }
        if fields[.uploadConcat] != nil {
            throw .badArg(HTTPFields.Name.uploadConcat.rawValue, "uploads are not joined here")
        }
        let length = try number(fields, .uploadLength)
        if try hasPiece(request), case .length(let count) = request.framing, count > length {
            throw .tooBig(limit: length, got: count)
        }
        let text = fields[.uploadMetadata] ?? ""
        let metadata = try UploadMetadata(text)
        return PartialPlan(
            length: length,
            name: try metadata["filename", "name"].map { name throws(Refusal) in try UploadField.name(name) }
                ?? UploadField.noName,
            type: try PutRequest.type(metadata["filetype", "type"]),
            conversation: try metadata["conv"].map { text throws(Refusal) in
                _ = try UploadField.target(text)
                return text
            },
            metadata: text
        )
    }

    /// `Upload-Checksum: sha1 BASE64`
    static func checksum(_ fields: HTTPFields) throws(Refusal) -> PieceChecksum? {
        guard let text = fields[.uploadChecksum] else { return nil }
        let words = text.split(separator: " " as Character, omittingEmptySubsequences: false)
        guard words.count == 2, let algorithm = PieceChecksum.Algorithm(rawValue: String(words[0])),
            let digest = Base64.bytes(words[1].utf8), digest.count == algorithm.byteCount
        else {
            let names = PieceChecksum.Algorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badArg(HTTPFields.Name.uploadChecksum.rawValue, "one of \(names), a blank, and the digest in base64")
        }
        return PieceChecksum(algorithm: algorithm, digest: digest)
    }
}

extension PieceChecksum.Algorithm {
    fileprivate var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        }
    }
}
