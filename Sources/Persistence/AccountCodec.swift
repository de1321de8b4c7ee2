import Bytes
import ChatCore
import ChatModel
import Wire

/// A shard of accounts as a file of a snapshot. Times are milliseconds since 1970; `at` is the global sequence that the
/// object holds:
///
/// ```
/// {"format":2,"accounts":[
/// {"n":5,"at":4711,"name":"ada","display":"Ada","email":"…","password":{"n":…,"r":8,"p":3,"salt":"HEX","hash":"HEX"},
///  ["aliases":["guest-abc"],"bio":"…","avatar":"b_…","verified":true,"erasing":true,]
///  "guest":false,"created":…,["disabled":true,"reset":true,]"lobby-read":7,"sessions":[["HEX",…]],"conversations":[2],
///  "invitations":[],["tokens":[{"hash":"HEX","label":"bot","scope":"read","created":…,"expires":…}],"blocked":[6],]
///  "spoken":[1,2],
///  "uploads":[{"id":"b_…","name":"cat.png","type":"image/png","size":48213,"sha256":"HEX","created":…,["sent":true,"links":1]}],
///  "nonces":[["HEX",2,17,1764500000000]]},
/// {"n":6,"at":4711,"expired":"guest-abc"}
/// ]}
/// ```
package enum AccountCodec {
    package static func begin(_ out: inout ByteBuffer) { out.append("{\"format\":2,\"accounts\":[\n") }
    package static func separate(_ out: inout ByteBuffer) { out.append(",\n") }
    package static func end(_ out: inout ByteBuffer) { out.append("\n]}\n") }

    /// Appends a forgotten guest.
    package static func encode(expired handle: String, _ number: AccountNumber, at: UInt64, into out: inout ByteBuffer)
    {
        var object = JSONObject(in: &out)
        object.member("n", UInt64(number.raw), &out)
        object.member("at", at, &out)
        object.member("expired", handle, &out)
        object.end(&out)
    }

    /// Appends an account; nonces noted before `oldest` are left out. O(what it holds).
    package static func encode(
        _ account: Account,
        at: UInt64,
        oldest: MonotonicTime,
        uploads: [BlobRecord] = [],
        into out: inout ByteBuffer
    ) {
        var object = JSONObject(in: &out)
        object.member("n", UInt64(account.number.raw), &out)
        object.member("at", at, &out)
        object.member("name", account.handle.text, &out)
        object.member("display", account.display, &out)
        if let phone = account.phone { object.member("phone", phone, &out) }
        if let email = account.email { object.member("email", email.text, &out) }
        if let password = account.password {
            object.key("password", &out)
            encode(password, into: &out)
        }
        encodeProfile(account, &object, &out)
        object.member("guest", account.isGuest, &out)
        object.member("created", UInt64(clamping: account.created.milliseconds), &out)
        if account.isDisabled { object.member("disabled", true, &out) }
        if account.mustChangePassword { object.member("reset", true, &out) }
        object.member("lobby-read", account.lobbyRead, &out)
        object.array("sessions", account.sessions, &out) { encode($0, into: &$1) }
        object.array("conversations", account.conversations, &out) { $1.append(decimal: UInt64($0.raw)) }
        object.array("invitations", account.invitations, &out) { $1.append(decimal: UInt64($0.raw)) }
        if !account.tokens.isEmpty { object.array("tokens", account.tokens, &out) { encode($0, into: &$1) } }
        if !account.blocked.isEmpty {
            object.array("blocked", account.blocked, &out) { $1.append(decimal: UInt64($0.raw)) }
        }
        object.array("spoken", account.spoken, &out) { $1.append(decimal: UInt64($0.raw)) }
        if !uploads.isEmpty { object.array("uploads", uploads, &out) { UploadCodec.encode($0, into: &$1) } }
        object.key("nonces", &out)
        encode(account.nonces, oldest: oldest, into: &out)
        object.end(&out)
    }

    private static func encodeProfile(_ account: Account, _ object: inout JSONObject, _ out: inout ByteBuffer) {
        if !account.aliases.isEmpty {
            object.array("aliases", account.aliases, &out) { JSONString.append(string: $0, into: &$1) }
        }
        if let bio = account.bio { object.member("bio", bio, &out) }
        if let avatar = account.avatar { object.member("avatar", avatar.text, &out) }
        if account.isVerified { object.member("verified", true, &out) }
        if account.isErasing { object.member("erasing", true, &out) }
    }

    private static func encode(_ session: Session, into out: inout ByteBuffer) {
        out.append("[\"")
        out.append(string: session.hash.hex)
        out.append("\",")
        out.append(decimal: UInt64(clamping: session.created?.milliseconds ?? 0))
        out.append(byte: 0x5D)
    }

    private static func encode(_ token: TokenRecord, into out: inout ByteBuffer) {
        var object = JSONObject(in: &out)
        object.member("hash", token.hash.hex, &out)
        object.member("label", token.label, &out)
        object.member("scope", token.scope.text, &out)
        object.member("created", UInt64(clamping: token.created.milliseconds), &out)
        if let expires = token.expires { object.member("expires", UInt64(clamping: expires.milliseconds), &out) }
        object.end(&out)
    }

    private static func encode(_ password: PasswordRecord, into out: inout ByteBuffer) {
        var object = JSONObject(in: &out)
        object.member("n", UInt64(password.n), &out)
        object.member("r", UInt64(password.r), &out)
        object.member("p", UInt64(password.p), &out)
        object.member("salt", Hex.text(password.salt), &out)
        object.member("hash", Hex.text(password.hash), &out)
        object.end(&out)
    }

    private static func encode(_ nonces: NonceMemory, oldest: MonotonicTime, into out: inout ByteBuffer) {
        out.append(byte: 0x5B)
        var isFirst = true
        nonces.forEach(since: oldest) { entry in
            if !isFirst { out.append(byte: 0x2C) }
            isFirst = false
            out.append("[\"")
            JournalPayload.append(hex: entry.hash, into: &out)
            out.append("\",")
            out.append(decimal: UInt64(entry.sent.conversation.raw))
            out.append(byte: 0x2C)
            out.append(decimal: entry.sent.seq)
            out.append(byte: 0x2C)
            out.append(decimal: UInt64(clamping: entry.sent.time.milliseconds))
            out.append(byte: 0x5D)
        }
        out.append(byte: 0x5D)
    }

    /// Reads a shard: each account, or forgotten guest, with the global sequence it holds.
    package static func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (AccountSlot, _ at: UInt64) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        var reader = JSONReader(bytes)
        try reader.object { (reader, key) throws(JSONFault) in
            switch key {
            case "format": try SnapshotFormat.check(&reader)
            case "accounts":
                try reader.array { (reader) throws(JSONFault) in
                    let (slot, at) = try decodeSlot(&reader)
                    try body(slot, at)
                }
            default: throw reader.fault("an unknown key")
            }
        }
        try reader.end()
    }

    static func decodeSlot(_ reader: inout JSONReader) throws(JSONFault) -> (AccountSlot, UInt64) {
        var fields = AccountFields()
        try reader.object { (reader, key) throws(JSONFault) in try fields.read(key, &reader) }
        guard let number = fields.number, let at = fields.at else { throw reader.fault("an account without n or at") }
        if let handle = fields.expired { return (.expired(number, handle: handle), at) }
        guard let handle = fields.handle, let display = fields.display, let created = fields.created else {
            throw reader.fault("an account without its name, display or created")
        }
        let record = AccountRecord(
            number: number,
            handle: handle,
            display: display,
            phone: fields.phone,
            email: fields.email,
            password: fields.password,
            isGuest: fields.isGuest,
            created: created,
            session: nil,
            lobbyRead: fields.lobbyRead
        )
        var snapshot = AccountSnapshot(
            record: record,
            sessions: fields.sessions,
            conversations: fields.conversations,
            invitations: fields.invitations,
            nonces: fields.nonces
        )
        fields.complete(&snapshot)
        snapshot.uploads = fields.uploads(of: number)
        (snapshot.isDisabled, snapshot.mustChangePassword) = (fields.isDisabled, fields.mustChangePassword)
        return (.account(snapshot), at)
    }
}
