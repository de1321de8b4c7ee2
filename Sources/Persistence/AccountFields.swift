import Bytes
import ChatCore
import ChatModel

/// The members of an account's object, as they are read.
struct AccountFields {
    var number: AccountNumber?
    var at: UInt64?
    var expired: String?
    var handle: String?
    var display: String?
    var phone: String?
    var email: String?
    var password: PasswordRecord?
    var isGuest = false
    var isDisabled = false
    var mustChangePassword = false
    var created: Timestamp?
    var lobbyRead: UInt64 = 0
    var sessions: [Session] = []
    private var aliases: [String] = []
    private var bio: String?
    private var avatar: BlobID?
    private var (isVerified, isErasing) = (false, false)
    private var tokens: [TokenRecord] = []
    private var blocked: [AccountNumber] = []
    private var spoken: [ConversationNumber] = []
    var conversations: [ConversationNumber] = []
    var invitations: [ConversationNumber] = []
    var nonces: [NonceMemory.Entry] = []
    private var uploads: [UploadFields] = []

    func uploads(of owner: AccountNumber) -> [BlobRecord] { uploads.compactMap { $0.record(owner) } }

    /// Puts in what the account's record does not tell.
    func complete(_ snapshot: inout AccountSnapshot) {
        (snapshot.aliases, snapshot.bio, snapshot.avatar) = (aliases, bio, avatar)
        (snapshot.isVerified, snapshot.isErasing) = (isVerified, isErasing)
        (snapshot.tokens, snapshot.blocked, snapshot.spoken) = (tokens, blocked, spoken)
    }

    mutating func read(_ key: String, _ reader: inout JSONReader) throws(JSONFault) {
        switch key {
        case "n": number = try reader.accountNumber()
        case "at": at = try reader.number()
        case "expired": expired = try reader.string()
        case "name": handle = try reader.string()
        case "display": display = try reader.string()
        case "phone": phone = try reader.string()
        case "email": email = try reader.string()
        case "password": password = try Self.password(&reader)
        case "guest": isGuest = try reader.flag()
        case "disabled": isDisabled = try reader.flag()
        case "reset": mustChangePassword = try reader.flag()
        case "created": created = try reader.timestamp()
        case "lobby-read": lobbyRead = try reader.number()
        case "bio": bio = try reader.string()
        case "avatar":
            guard let id = BlobID(try reader.string().utf8) else { throw reader.fault("an unsound picture") }
            avatar = id
        case "verified": isVerified = try reader.flag()
        case "erasing": isErasing = try reader.flag()
        default: try readList(key, &reader)
        }
    }

    private mutating func readList(_ key: String, _ reader: inout JSONReader) throws(JSONFault) {
        switch key {
        case "sessions":
            var list: [Session] = []
            try reader.array { (reader) throws(JSONFault) in list.append(try Self.session(&reader)) }
            sessions = list
        case "aliases":
            var list: [String] = []
            try reader.array { (reader) throws(JSONFault) in list.append(try reader.string()) }
            aliases = list
        case "tokens":
            var list: [TokenRecord] = []
            try reader.array { (reader) throws(JSONFault) in list.append(try TokenFields(&reader).token) }
            tokens = list
        case "blocked":
            var list: [AccountNumber] = []
            try reader.array { (reader) throws(JSONFault) in list.append(try reader.accountNumber()) }
            blocked = list.sorted()
        case "spoken": spoken = try Self.numbers(&reader)
        case "conversations": conversations = try Self.numbers(&reader)
        case "invitations": invitations = try Self.numbers(&reader)
        case "uploads":
            var list: [UploadFields] = []
            try reader.array { (reader) throws(JSONFault) in list.append(try UploadFields(&reader)) }
            uploads = list
        case "nonces":
            var list: [NonceMemory.Entry] = []
            try reader.array { (reader) throws(JSONFault) in list.append(try Self.nonce(&reader)) }
            nonces = list
        default: throw reader.fault("an unknown key")
        }
    }

    private static func numbers(_ reader: inout JSONReader) throws(JSONFault) -> [ConversationNumber] {
        var list: [ConversationNumber] = []
        try reader.array { (reader) throws(JSONFault) in list.append(try reader.conversationNumber()) }
        return list
    }

    /// A hash with the time of the sign-in; format 1 has the hash alone.
    private static func session(_ reader: inout JSONReader) throws(JSONFault) -> Session {
        if reader.isAtString { return Session(hash: try reader.tokenHash(), created: nil) }
        var hash: TokenHash?
        var created = Timestamp(milliseconds: 0)
        try reader.tuple(2) { (reader, index) throws(JSONFault) in
            if index == 0 { hash = try reader.tokenHash() } else { created = try reader.timestamp() }
        }
        guard let hash else { throw reader.fault("an unsound session") }
        return Session(hash: hash, created: created.milliseconds == 0 ? nil : created)
    }

    private static func nonce(_ reader: inout JSONReader) throws(JSONFault) -> NonceMemory.Entry {
        var hash: UInt64 = 0
        var conversation = ConversationNumber.lobby
        var seq: UInt64 = 0
        var time = Timestamp(milliseconds: 0)
        try reader.tuple(4) { (reader, index) throws(JSONFault) in
            switch index {
            case 0:
                let text = try reader.string()
                guard text.utf8.count == 16, text.utf8.first != 0x2B, let value = UInt64(text, radix: 16) else {
                    throw reader.fault("an unsound nonce")
                }
                hash = value
            case 1: conversation = try reader.conversationNumber()
            case 2: seq = try reader.number()
            default: time = try reader.timestamp()
            }
        }
        return NonceMemory.Entry(hash: hash, sent: .init(conversation: conversation, seq: seq, time: time))
    }

    private static func password(_ reader: inout JSONReader) throws(JSONFault) -> PasswordRecord {
        var (n, r, p) = (UInt64(0), UInt64(0), UInt64(0))
        var (salt, hash): ([UInt8]?, [UInt8]?)
        try reader.object { (reader, key) throws(JSONFault) in
            switch key {
            case "n": n = try reader.number()
            case "r": r = try reader.number()
            case "p": p = try reader.number()
            case "salt": salt = Hex.bytes(try reader.string())
            case "hash": hash = Hex.bytes(try reader.string())
            default: throw reader.fault("an unknown key")
            }
        }
        guard let n = UInt32(exactly: n), let r = UInt32(exactly: r), let p = UInt32(exactly: p), let salt, let hash
        else { throw reader.fault("an unsound password record") }
        return PasswordRecord(n: n, r: r, p: p, salt: salt, hash: hash)
    }
}
