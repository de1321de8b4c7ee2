import Bytes
import ChatModel

/// A token's object, as it is read.
struct TokenFields {
    let token: TokenRecord

    init(_ reader: inout JSONReader) throws(JSONFault) {
        var (hash, label, scope): (TokenHash?, String?, TokenScope?)
        var (created, expires): (Timestamp?, Timestamp?)
        try reader.object { (reader, key) throws(JSONFault) in
            switch key {
            case "hash": hash = try reader.tokenHash()
            case "label": label = try reader.string()
            case "scope": scope = TokenScope(try reader.string())
            case "created": created = try reader.timestamp()
            case "expires": expires = try reader.timestamp()
            default: throw reader.fault("an unknown key")
            }
        }
        guard let hash, let label, let scope, let created else { throw reader.fault("an unsound token") }
        token = TokenRecord(hash: hash, label: label, scope: scope, created: created, expires: expires)
    }
}
