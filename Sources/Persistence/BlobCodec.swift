import ChatModel
import Wire

/// An upload's record as text: `id= account= name= type= size= sha256= created=`.
enum BlobCodec {
    static func fields(of record: BlobRecord) -> [KeyValue] {
        [
            .word("id", record.id.text), .number("account", UInt64(record.owner.raw)), .text("name", record.name),
            .word("type", record.type), .number("size", record.size), .word("sha256", record.hash.hex),
            .time("created", record.created),
        ]
    }

    static func record(_ fields: RecordedFields) throws(RecordFault) -> BlobRecord {
        guard let id = fields["id"].flatMap({ BlobID($0.utf8) }), let owner = fields["account"].flatMap({ UInt32($0) }),
            owner > 0, let name = fields["name"], let type = fields["type"],
            let size = fields["size"].flatMap({ UInt64($0) }),
            let hash = fields["sha256"].flatMap(ContentHash.init(hex:)), let created = fields["created"].flatMap(time)
        else { throw RecordFault("a blob's record without all of its sound fields") }
        return BlobRecord(
            id: id,
            owner: AccountNumber(owner),
            name: name,
            type: type,
            size: size,
            hash: hash,
            created: created
        )
    }

    private static func time(_ text: String) -> Timestamp? {
        var copy = text
        return copy.withUTF8 { Timestamp(UnsafeRawBufferPointer($0)) }
    }
}
