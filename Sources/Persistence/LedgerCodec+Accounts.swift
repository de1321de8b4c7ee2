import Bytes
import ChatCore
import ChatModel
import Wire

/// What an account has and is, as text:
///
/// ```
/// token account=5 hash=HEX label=bot scope=read,send created=2026-… [expires=2026-…]     end-token account=5 hash=HEX
/// profile account=5 display="Ada" [phone="…"] [bio="…"] [avatar=b_…]
/// email account=5 email=ada@example.test          verified account=5 on=yes|no
/// link n=7 name=gina display="gina" …             (as `account`)
/// block account=5 user=6 on=yes|no                marker account=5 conversation=2 read=17
/// erasing account=5                               erased account=5
/// ```
extension LedgerCodec {
    static func encodeAccount(_ entry: LedgerEntry, into out: inout ByteBuffer) {
        func account(_ number: AccountNumber) -> KeyValue { .number("account", UInt64(number.raw)) }
        switch entry {
        case .token(let number, let token): append("token", [account(number)] + fields(of: token), &out)
        case .endToken(let number, let hash): append("end-token", session(number, hash), &out)
        case .profile(let number, let profile): append("profile", [account(number)] + fields(of: profile), &out)
        case .email(let number, let email): append("email", [account(number), .word("email", email)], &out)
        case .verified(let number, let isOn): append("verified", [account(number), .flag("on", isOn)], &out)
        case .link(let record): append("link", fields(of: record), &out)
        case .block(let number, let other, let isOn):
            append("block", [account(number), .number("user", UInt64(other.raw)), .flag("on", isOn)], &out)
        case .marker(let number, let conversation, let count):
            let place = KeyValue.number("conversation", UInt64(conversation.raw))
            append("marker", [account(number), place, .number("read", count)], &out)
        case .erasing(let number): append("erasing", [account(number)], &out)
        case .erased(let number): append("erased", [account(number)], &out)
        default: break
        }
    }

    /// Nil for a kind that is none of these.
    static func decodeAccount(_ kind: String, _ fields: RecordedFields) throws(RecordFault) -> LedgerEntry? {
        func account() throws(RecordFault) -> AccountNumber { try number(fields, "account") }
        switch kind {
        case "token": return .token(try account(), try token(fields))
        case "end-token": return .endToken(try account(), try hash(fields, "hash"))
        case "profile": return .profile(try account(), try profile(fields))
        case "email": return .email(try account(), try need(fields["email"], "email"))
        case "verified": return .verified(try account(), fields["on"] == "yes")
        case "link": return .link(try self.account(fields))
        case "block": return .block(try account(), try number(fields, "user"), fields["on"] == "yes")
        case "marker":
            let conversation = try conversation(fields)
            return .marker(try account(), conversation, count: try need(fields["read"].flatMap { UInt64($0) }, "read"))
        case "erasing": return .erasing(try account())
        case "erased": return .erased(try account())
        default: return nil
        }
    }

    static func conversation(_ fields: RecordedFields) throws(RecordFault) -> ConversationNumber {
        let raw = try need(fields["conversation"].flatMap { UInt32($0) }, "conversation")
        if raw == 0 { throw RecordFault("a ledger entry without a sound conversation=") }
        return ConversationNumber(raw)
    }

    private static func fields(of token: TokenRecord) -> [KeyValue] {
        var fields: [KeyValue] = [
            .word("hash", token.hash.hex), .word("label", token.label), .word("scope", token.scope.text),
            .time("created", token.created),
        ]
        if let expires = token.expires { fields.append(.time("expires", expires)) }
        return fields
    }

    private static func token(_ fields: RecordedFields) throws(RecordFault) -> TokenRecord {
        TokenRecord(
            hash: try hash(fields, "hash"),
            label: try need(fields["label"], "label"),
            scope: try need(fields["scope"].flatMap(TokenScope.init), "scope"),
            created: try need(time(fields, "created"), "created"),
            expires: try time(fields, "expires")
        )
    }

    private static func fields(of profile: Profile) -> [KeyValue] {
        var fields: [KeyValue] = [.text("display", profile.display)]
        if let phone = profile.phone { fields.append(.text("phone", phone)) }
        if let bio = profile.bio { fields.append(.text("bio", bio)) }
        if let avatar = profile.avatar { fields.append(.word("avatar", avatar.text)) }
        return fields
    }

    private static func profile(_ fields: RecordedFields) throws(RecordFault) -> Profile {
        Profile(
            display: try need(fields["display"], "display"),
            phone: fields["phone"],
            bio: fields["bio"],
            avatar: try fields["avatar"].map { text throws(RecordFault) in try need(BlobID(text.utf8), "avatar") }
        )
    }
}
