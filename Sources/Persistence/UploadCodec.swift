import Bytes
import ChatCore
import ChatModel

/// An upload in its owner's object of a snapshot.
enum UploadCodec {
    static func encode(_ record: BlobRecord, into out: inout ByteBuffer) {
        var object = JSONObject(in: &out)
        object.member("id", record.id.text, &out)
        object.member("name", record.name, &out)
        object.member("type", record.type, &out)
        object.member("size", record.size, &out)
        object.member("sha256", record.hash.hex, &out)
        object.member("created", UInt64(clamping: record.created.milliseconds), &out)
        if record.isSent { object.member("sent", true, &out) }
        if record.linkGeneration > 0 { object.member("links", record.linkGeneration, &out) }
        object.end(&out)
    }
}

/// The members of an upload's object, all of them there and sound.
struct UploadFields {
    private var id: BlobID?
    private var name = ""
    private var type = ""
    private var size: UInt64 = 0
    private var hash: ContentHash?
    private var created = Timestamp(milliseconds: 0)
    private var linkGeneration: UInt64 = 0
    private var isSent = false

    init(_ reader: inout JSONReader) throws(JSONFault) {
        var (links, isSent) = (UInt64(0), false)
        var fields = (id: "", name: "", type: "", size: UInt64(0), hash: "", created: Timestamp(milliseconds: 0))
        try reader.object { (reader, key) throws(JSONFault) in
            switch key {
            case "id": fields.id = try reader.string()
            case "name": fields.name = try reader.string()
            case "type": fields.type = try reader.string()
            case "size": fields.size = try reader.number()
            case "sha256": fields.hash = try reader.string()
            case "created": fields.created = try reader.timestamp()
            case "sent": isSent = try reader.flag()
            case "links": links = try reader.number()
            default: throw reader.fault("an unknown key")
            }
        }
        (id, hash) = (BlobID(fields.id.utf8), ContentHash(hex: fields.hash))
        guard id != nil, hash != nil else { throw reader.fault("an unsound upload") }
        (name, type, size, created) = (fields.name, fields.type, fields.size, fields.created)
        (linkGeneration, self.isSent) = (links, isSent)
    }

    func record(_ owner: AccountNumber) -> BlobRecord? {
        guard let id, let hash else { return nil }
        return BlobRecord(
            id: id,
            owner: owner,
            name: name,
            type: type,
            size: size,
            hash: hash,
            created: created,
            linkGeneration: linkGeneration,
            isSent: isSent
        )
    }
}
