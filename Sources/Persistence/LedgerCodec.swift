import Bytes
import ChatCore
import ChatModel
import Wire

/// Ledger entries as text: a kind and `key=value`s, values quoted as on the wire.
///
/// ```
/// log id=…                 nonce-key key=HEX            link-key key=HEX
/// start interval=yes|no    stop
/// account n=5 name=ada display="Ada" [phone=…] [email=…] [password=scrypt:N:r:p:SALT:HASH] guest=no
///         created=2026-… [session=HEX] lobby-read=0
/// session account=5 hash=HEX created=2026-…   end-session account=5 hash=HEX   end-sessions account=5   expire account=5
/// setting key=limits.text [value=10]             disabled account=5 on=yes|no
/// reset account=5 password=scrypt:…              spend-code account=5           password account=5 password=scrypt:…
/// ```
///
/// What an account has and is besides stands in `LedgerCodec+Accounts.swift`, what the operator says in
/// `LedgerCodec+Operator.swift`, what collections are in `LedgerCodec+Items.swift`, and uploads in `BlobCodec.swift`.
enum LedgerCodec {
    static func encode(_ entry: LedgerEntry, into out: inout ByteBuffer) {
        switch entry {
        case .log(let id): append("log", [.word("id", id)], &out)
        case .nonceKey(let key): append("nonce-key", [.word("key", Hex.text(key))], &out)
        case .linkKey(let key): append("link-key", [.word("key", Hex.text(key))], &out)
        case .start(let interval): append("start", [.flag("interval", interval)], &out)
        case .stop: append("stop", [], &out)
        case .account(let record): append("account", fields(of: record), &out)
        case .session(let account, let session): append("session", fields(of: session, account), &out)
        case .endSession(let account, let hash): append("end-session", Self.session(account, hash), &out)
        case .endSessions(let account): append("end-sessions", [.number("account", UInt64(account.raw))], &out)
        case .expire(let account): append("expire", [.number("account", UInt64(account.raw))], &out)
        case .setting(let key, let value):
            append("setting", [.word("key", key)] + (value.map { [.word("value", $0)] } ?? []), &out)
        case .disabled(let account, let isDisabled):
            append("disabled", [.number("account", UInt64(account.raw)), .flag("on", isDisabled)], &out)
        case .reset(let account, let code): append("reset", Self.password(account, code), &out)
        case .spendCode(let account): append("spend-code", [.number("account", UInt64(account.raw))], &out)
        case .password(let account, let password): append("password", Self.password(account, password), &out)
        case .blob(let record): append("blob", BlobCodec.fields(of: record), &out)
        case .collection, .schema, .forgetItems: encodeItems(entry, into: &out)
        case .endBlob(let owner, let id): append("end-blob", BlobCodec.place(owner, id), &out)
        case .endLinks(let owner, let id, let generation):
            append("end-links", BlobCodec.place(owner, id) + [.number("generation", generation)], &out)
        case .invite, .spendInvite, .metricsToken, .addressBan, .retain, .retainByDefault, .trim:
            encodeOperator(entry, into: &out)
        default: encodeAccount(entry, into: &out)
        }
    }

    /// Reads the entry that begins at `start` of `bytes`.
    static func decode(_ bytes: UnsafeRawBufferPointer, from start: Int) throws(RecordFault) -> LedgerEntry {
        let end = bytes[start...].firstIndex(of: 0x20) ?? bytes.count
        let kind = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
        let fields = RecordedFields(bytes, from: end)
        switch kind {
        case "log": return .log(id: try need(fields["id"], "id"))
        case "nonce-key": return .nonceKey(try secretKey(fields))
        case "link-key": return .linkKey(try secretKey(fields))
        case "start": return .start(interval: fields["interval"] == "yes")
        case "stop": return .stop
        case "account": return .account(try account(fields))
        case "session":
            let session = Session(hash: try hash(fields, "hash"), created: try time(fields, "created"))
            return .session(try number(fields, "account"), session)
        case "end-session": return .endSession(try number(fields, "account"), try hash(fields, "hash"))
        case "expire": return .expire(try number(fields, "account"))
        case "end-sessions": return .endSessions(try number(fields, "account"))
        case "setting": return .setting(key: try need(fields["key"], "key"), value: fields["value"])
        case "disabled": return .disabled(try number(fields, "account"), fields["on"] == "yes")
        case "reset": return .reset(try number(fields, "account"), try password(fields))
        case "spend-code": return .spendCode(try number(fields, "account"))
        case "password": return .password(try number(fields, "account"), try password(fields))
        default:
            if let entry = try BlobCodec.entry(kind, fields) { return entry }
            if let entry = try decodeAccount(kind, fields) { return entry }
            if let entry = try decodeOperator(kind, fields) { return entry }
            if let entry = try decodeItems(kind, fields) { return entry }
            throw RecordFault("a ledger entry of a kind that this version does not know")
        }
    }

    static func append(_ kind: StaticString, _ fields: [KeyValue], _ out: inout ByteBuffer) {
        out.append(kind)
        ValueRenderer.append(fields, into: &out)
    }

    static func session(_ account: AccountNumber, _ hash: TokenHash) -> [KeyValue] {
        [.number("account", UInt64(account.raw)), .word("hash", hash.hex)]
    }

    private static func fields(of session: Session, _ account: AccountNumber) -> [KeyValue] {
        Self.session(account, session.hash) + (session.created.map { [.time("created", $0)] } ?? [])
    }

    static func fields(of record: AccountRecord) -> [KeyValue] {
        var fields: [KeyValue] = [
            .number("n", UInt64(record.number.raw)), .word("name", record.handle), .text("display", record.display),
        ]
        if let phone = record.phone { fields.append(.text("phone", phone)) }
        if let email = record.email { fields.append(.word("email", email)) }
        if let password = record.password { fields.append(.word("password", text(of: password))) }
        fields += [.flag("guest", record.isGuest), .time("created", record.created)]
        if let session = record.session { fields.append(.word("session", session.hex)) }
        fields.append(.number("lobby-read", record.lobbyRead))
        return fields
    }

    static func account(_ fields: RecordedFields) throws(RecordFault) -> AccountRecord {
        AccountRecord(
            number: try number(fields, "n"),
            handle: try need(fields["name"], "name"),
            display: try need(fields["display"], "display"),
            phone: fields["phone"],
            email: fields["email"],
            password: try fields["password"].map { text throws(RecordFault) in
                try need(password(from: text), "password")
            },
            isGuest: fields["guest"] == "yes",
            created: try need(time(fields, "created"), "created"),
            session: try fields["session"].map { text throws(RecordFault) in
                try need(TokenHash(hex: text), "session")
            },
            lobbyRead: try need(fields["lobby-read"].flatMap { UInt64($0) }, "lobby-read")
        )
    }

    private static func text(of password: PasswordRecord) -> String {
        "scrypt:\(password.n):\(password.r):\(password.p):\(Hex.text(password.salt)):\(Hex.text(password.hash))"
    }

    private static func password(from text: String) -> PasswordRecord? {
        let parts = text.split(separator: ":" as Character, omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let n = UInt32(parts[1]), let r = UInt32(parts[2]),
            let p = UInt32(parts[3]), let salt = Hex.bytes(String(parts[4])), let hash = Hex.bytes(String(parts[5]))
        else { return nil }
        return PasswordRecord(n: n, r: r, p: p, salt: salt, hash: hash)
    }

    private static func password(_ account: AccountNumber, _ password: PasswordRecord) -> [KeyValue] {
        [.number("account", UInt64(account.raw)), .word("password", text(of: password))]
    }

    private static func password(_ fields: RecordedFields) throws(RecordFault) -> PasswordRecord {
        try need(fields["password"].flatMap { password(from: $0) }, "password")
    }

    static func number(_ fields: RecordedFields, _ key: String) throws(RecordFault) -> AccountNumber {
        let number = AccountNumber(try need(fields[key].flatMap { UInt32($0) }, key))
        guard number.isAccount else { throw RecordFault("a ledger entry without a sound \(key)=") }
        return number
    }

    /// A moment; nil when it is not there.
    static func time(_ fields: RecordedFields, _ key: String) throws(RecordFault) -> Timestamp? {
        guard var text = fields[key] else { return nil }
        return try need(text.withUTF8 { Timestamp(UnsafeRawBufferPointer($0)) }, key)
    }

    private static func secretKey(_ fields: RecordedFields) throws(RecordFault) -> [UInt8] {
        let key = try need(fields["key"].flatMap(Hex.bytes), "key")
        guard (16...32).contains(key.count) else { throw RecordFault("a ledger entry without a sound key=") }
        return key
    }

    static func hash(_ fields: RecordedFields, _ key: String) throws(RecordFault) -> TokenHash {
        try need(fields[key].flatMap(TokenHash.init(hex:)), key)
    }

    static func need<Value>(_ value: Value?, _ key: String) throws(RecordFault) -> Value {
        guard let value else { throw RecordFault("a ledger entry without a sound \(key)=") }
        return value
    }
}
