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
    var sessions: [TokenHash] = []
    var conversations: [ConversationNumber] = []
    var invitations: [ConversationNumber] = []
    var nonces: [NonceMemory.Entry] = []

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
        default: try readList(key, &reader)
        }
    }

    private mutating func readList(_ key: String, _ reader: inout JSONReader) throws(JSONFault) {
        switch key {
        case "sessions":
            var list: [TokenHash] = []
            try reader.array { (reader) throws(JSONFault) in list.append(try reader.tokenHash()) }
            sessions = list
        case "conversations": conversations = try Self.numbers(&reader)
        case "invitations": invitations = try Self.numbers(&reader)
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
