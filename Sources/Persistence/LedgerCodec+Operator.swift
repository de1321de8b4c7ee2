import Bytes
import ChatCore
import ChatModel
import Wire

/// What the operator says, as text:
///
/// ```
/// invite hash=HEX uses=1 expires=2026-…           spend-invite hash=HEX
/// address prefix=192.0.2.0/24 on=yes|no           retain conversation=2 [max=1000] [age=86400]
/// retain-default [max=1000] [age=86400]           trim conversation=2 first=17
/// metrics-token hash=HEX
/// ```
extension LedgerCodec {
    static func encodeOperator(_ entry: LedgerEntry, into out: inout ByteBuffer) {
        switch entry {
        case .invite(let hash, let invite):
            let uses = KeyValue.number("uses", UInt64(invite.uses))
            append("invite", [.word("hash", hash.hex), uses, .time("expires", invite.expires)], &out)
        case .metricsToken(let hash): append("metrics-token", [.word("hash", hash.hex)], &out)
        case .spendInvite(let hash): append("spend-invite", [.word("hash", hash.hex)], &out)
        case .addressBan(let prefix, let isOn): append("address", [.word("prefix", prefix), .flag("on", isOn)], &out)
        case .retain(let conversation, let retention):
            append("retain", [place(conversation)] + fields(of: retention), &out)
        case .retainByDefault(let retention): append("retain-default", fields(of: retention), &out)
        case .trim(let conversation, let first):
            append("trim", [place(conversation), .number("first", first)], &out)
        default: break
        }
    }

    private static func place(_ conversation: ConversationNumber) -> KeyValue {
        .number("conversation", UInt64(conversation.raw))
    }

    private static func fields(of retention: Retention) -> [KeyValue] {
        var fields: [KeyValue] = []
        if let max = retention.max { fields.append(.number("max", max)) }
        if let age = retention.age { fields.append(.number("age", UInt64(clamping: age))) }
        return fields
    }

    private static func retention(_ fields: RecordedFields) throws(RecordFault) -> Retention {
        let max = try fields["max"].map { text throws(RecordFault) in try need(UInt64(text), "max") }
        let age = try fields["age"].map { text throws(RecordFault) in try need(Int64(text), "age") }
        if let age, age <= 0 { throw RecordFault("a ledger entry without a sound age=") }
        return Retention(max: max, age: age)
    }

    /// Nil for a kind that is none of these.
    static func decodeOperator(_ kind: String, _ fields: RecordedFields) throws(RecordFault) -> LedgerEntry? {
        switch kind {
        case "invite":
            let uses = try need(fields["uses"].flatMap { UInt32($0) }, "uses")
            let expires = try need(time(fields, "expires"), "expires")
            return .invite(try hash(fields, "hash"), Invite(uses: uses, expires: expires))
        case "metrics-token": return .metricsToken(try hash(fields, "hash"))
        case "spend-invite": return .spendInvite(try hash(fields, "hash"))
        case "address": return .addressBan(try need(fields["prefix"], "prefix"), fields["on"] == "yes")
        case "retain":
            return .retain(try conversation(fields), try retention(fields))
        case "retain-default": return .retainByDefault(try retention(fields))
        case "trim":
            return .trim(try conversation(fields), first: try need(fields["first"].flatMap { Seq($0) }, "first"))
        default: return nil
        }
    }
}
