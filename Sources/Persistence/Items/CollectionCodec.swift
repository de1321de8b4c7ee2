import Bytes
import ChatCore
import ChatModel
import Wire

/// A shard of collections, without their items, as a file of a snapshot:
///
/// ```
/// {"format":3,"collections":[
/// {"n":1,"at":4711,"name":"tea","maker":5,"next-seq":18,"last-time":…,"gone":0,"schema":"price:double! name:string"},
/// {"n":2,"at":4711,"conversation":2,"name":"todo","maker":5,"next-seq":4,"last-time":…,"gone":0,"dropped":true}
/// ]}
/// ```
package enum CollectionCodec {
    package static func begin(_ out: inout ByteBuffer) { out.append("{\"format\":3,\"collections\":[\n") }
    package static func separate(_ out: inout ByteBuffer) { out.append(",\n") }
    package static func end(_ out: inout ByteBuffer) { out.append("\n]}\n") }

    package static func encode(_ collection: Collection, at: UInt64, into out: inout ByteBuffer) {
        var object = JSONObject(in: &out)
        object.member("n", UInt64(collection.number.raw), &out)
        object.member("at", at, &out)
        if case .conversation(let number) = collection.space { object.member("conversation", UInt64(number.raw), &out) }
        object.member("name", collection.label.text, &out)
        if let maker = collection.maker { object.member("maker", UInt64(maker.raw), &out) }
        object.member("next-seq", collection.nextSeq, &out)
        object.member("last-time", UInt64(clamping: collection.lastTime.milliseconds), &out)
        object.member("gone", collection.goneThrough, &out)
        if collection.isDropped { object.member("dropped", true, &out) }
        if !collection.schema.fields.isEmpty { object.member("schema", collection.schema.text, &out) }
        object.end(&out)
    }

    /// Reads a shard: each collection with the global sequence it holds.
    package static func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (CollectionSnapshot, _ at: UInt64) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        var reader = JSONReader(bytes)
        try reader.object { (reader, key) throws(JSONFault) in
            switch key {
            case "format": try SnapshotFormat.check(&reader)
            case "collections":
                try reader.array { (reader) throws(JSONFault) in
                    let (snapshot, at) = try decodeOne(&reader)
                    try body(snapshot, at)
                }
            default: throw reader.fault("an unknown key")
            }
        }
        try reader.end()
    }

    static func decodeOne(_ reader: inout JSONReader) throws(JSONFault) -> (CollectionSnapshot, UInt64) {
        var (number, at, name): (CollectionNumber?, UInt64?, String?)
        var (space, maker) = (CollectionSpace.everyone, AccountNumber?.none)
        var (next, gone, time) = (Seq(1), Seq(0), Timestamp(milliseconds: 0))
        var (isDropped, schema) = (false, ItemSchema())
        try reader.object { (reader, key) throws(JSONFault) in
            switch key {
            case "n": number = try reader.collectionNumber()
            case "at": at = try reader.number()
            case "conversation": space = .conversation(try reader.conversationNumber())
            case "name": name = try reader.string()
            case "maker": maker = try reader.accountNumber()
            case "next-seq": next = try reader.number()
            case "last-time": time = try reader.timestamp()
            case "gone": gone = try reader.number()
            case "dropped": isDropped = try reader.flag()
            case "schema":
                guard let sound = ItemSchema(text: try reader.string()) else { throw reader.fault("an unsound schema") }
                schema = sound
            default: throw reader.fault("an unknown key")
            }
        }
        guard let number, let at, let name, !name.isEmpty else {
            throw reader.fault("a collection without n, at or name")
        }
        var snapshot = CollectionSnapshot(
            record: CollectionRecord(number: number, space: space, label: name, maker: maker)
        )
        (snapshot.schema, snapshot.nextSeq, snapshot.lastTime) = (schema, next, time)
        (snapshot.goneThrough, snapshot.isDropped) = (gone, isDropped)
        return (snapshot, at)
    }
}

extension JSONReader {
    mutating func collectionNumber() throws(JSONFault) -> CollectionNumber {
        guard let raw = UInt32(exactly: try number()), raw > 0, raw <= UInt32.max / 2 else {
            throw fault("an unsound collection number")
        }
        return CollectionNumber(raw)
    }
}
