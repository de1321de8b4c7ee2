import Bytes
import ChatCore
import ChatModel
import Wire

/// What the operator says, as text:
///
/// ```
/// invite hash=HEX uses=1 expires=2026-…           spend-invite hash=HEX
/// address prefix=192.0.2.0/24 on=yes|no           retain conversation=2 [max=1000] [age=86400]
/// ```
extension LedgerCodec {
    static func encodeOperator(_ entry: LedgerEntry, into out: inout ByteBuffer) {
        switch entry {
        case .invite(let hash, let invite):
            let uses = KeyValue.number("uses", UInt64(invite.uses))
            append("invite", [.word("hash", hash.hex), uses, .time("expires", invite.expires)], &out)
        case .spendInvite(let hash): append("spend-invite", [.word("hash", hash.hex)], &out)
        case .addressBan(let prefix, let isOn): append("address", [.word("prefix", prefix), .flag("on", isOn)], &out)
        case .retain(let conversation, let retention):
            var fields: [KeyValue] = [.number("conversation", UInt64(conversation.raw))]
            if let max = retention.max { fields.append(.number("max", max)) }
            if let age = retention.age { fields.append(.number("age", UInt64(clamping: age))) }
            append("retain", fields, &out)
        default: break
        }
    }

    /// Nil for a kind that is none of these.
    static func decodeOperator(_ kind: String, _ fields: RecordedFields) throws(RecordFault) -> LedgerEntry? {
        switch kind {
        case "invite":
            let uses = try need(fields["uses"].flatMap { UInt32($0) }, "uses")
            let expires = try need(time(fields, "expires"), "expires")
            return .invite(try hash(fields, "hash"), Invite(uses: uses, expires: expires))
        case "spend-invite": return .spendInvite(try hash(fields, "hash"))
        case "address": return .addressBan(try need(fields["prefix"], "prefix"), fields["on"] == "yes")
        case "retain":
            let max = try fields["max"].map { text throws(RecordFault) in try need(UInt64(text), "max") }
            let age = try fields["age"].map { text throws(RecordFault) in try need(Int64(text), "age") }
            return .retain(try conversation(fields), Retention(max: max, age: age))
        default: return nil
        }
    }
}
