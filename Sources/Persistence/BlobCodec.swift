import ChatCore
import ChatModel
import Wire

/// An upload's record as text, and what becomes of it:
///
/// ```
/// blob id=b_… account=5 name="cat.png" type=image/png size=48213 sha256=HEX created=2026-…
/// end-blob account=5 id=b_…                       end-links account=5 id=b_… generation=1
/// ```
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

    /// `account= id=`
    static func place(_ owner: AccountNumber, _ id: BlobID) -> [KeyValue] {
        [.number("account", UInt64(owner.raw)), .word("id", id.text)]
    }

    /// Nil for a kind that is none of these.
    static func entry(_ kind: String, _ fields: RecordedFields) throws(RecordFault) -> LedgerEntry? {
        func id() throws(RecordFault) -> BlobID {
            try LedgerCodec.need(fields["id"].flatMap { BlobID($0.utf8) }, "id")
        }
        switch kind {
        case "blob": return .blob(try record(fields))
        case "end-blob": return .endBlob(try LedgerCodec.number(fields, "account"), try id())
        case "end-links":
            let generation = try LedgerCodec.need(fields["generation"].flatMap { UInt64($0) }, "generation")
            return .endLinks(try LedgerCodec.number(fields, "account"), try id(), generation: generation)
        default: return nil
        }
    }

    private static func time(_ text: String) -> Timestamp? {
        var copy = text
        return copy.withUTF8 { Timestamp(UnsafeRawBufferPointer($0)) }
    }
}
