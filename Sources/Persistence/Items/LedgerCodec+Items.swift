import Bytes
import ChatCore
import ChatModel
import Wire

/// What is written of collections beside their items, as text:
///
/// ```
/// collection n=1 [conversation=2] name=tea [account=5]
/// schema collection=1 [fields="price:double! name:string"]     forget-items collection=1 through=17
/// ```
extension LedgerCodec {
    static func encodeItems(_ entry: LedgerEntry, into out: inout ByteBuffer) {
        func place(_ number: CollectionNumber) -> KeyValue { .number("collection", UInt64(number.raw)) }
        switch entry {
        case .collection(let record):
            var fields = [KeyValue.number("n", UInt64(record.number.raw))]
            if case .conversation(let number) = record.space {
                fields.append(.number("conversation", UInt64(number.raw)))
            }
            fields.append(.word("name", record.label))
            if let maker = record.maker { fields.append(.number("account", UInt64(maker.raw))) }
            append("collection", fields, &out)
        case .schema(let number, let schema):
            append("schema", [place(number)] + (schema.fields.isEmpty ? [] : [.text("fields", schema.text)]), &out)
        case .forgetItems(let number, let seq):
            append("forget-items", [place(number), .number("through", seq)], &out)
        default: break
        }
    }

    /// Nil for a kind that is none of these.
    static func decodeItems(_ kind: String, _ fields: RecordedFields) throws(RecordFault) -> LedgerEntry? {
        func collection(_ key: String) throws(RecordFault) -> CollectionNumber {
            let raw = try need(fields[key].flatMap { UInt32($0) }, key)
            if raw == 0 || raw > UInt32.max / 2 { throw RecordFault("a ledger entry without a sound \(key)=") }
            return CollectionNumber(raw)
        }
        switch kind {
        case "collection":
            let space =
                fields["conversation"] == nil ? CollectionSpace.everyone : .conversation(try conversation(fields))
            let maker = fields["account"] == nil ? nil : try number(fields, "account")
            let label = try need(fields["name"], "name")
            return .collection(CollectionRecord(number: try collection("n"), space: space, label: label, maker: maker))
        case "schema":
            let schema = try need(ItemSchema(text: fields["fields"] ?? ""), "fields")
            return .schema(try collection("collection"), schema)
        case "forget-items":
            let seq = try need(fields["through"].flatMap { Seq($0) }, "through")
            return .forgetItems(try collection("collection"), through: seq)
        default: return nil
        }
    }
}
