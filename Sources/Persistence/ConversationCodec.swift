import Bytes
import ChatCore
import ChatModel

/// A shard of conversations, without their lines, as a file of a snapshot:
///
/// ```
/// {"format":1,"conversations":[
/// {"n":2,"at":4711,"name":"garden","title":"…","private":false,"dropped":false,"next-seq":18,"last-time":…,
///  "last-kind":"msg","activity":4709,"members":[[5,"owner",1,7]],"invited":[[6,3]]},
/// {"n":3,"at":4711,"direct":[5,6],"text":"@ada,bob",…}
/// ]}
/// ```
///
/// A member is account, role, seq of the join, messages read; eldest first. An invitation is account and seq.
package enum ConversationCodec {
    package static func begin(_ out: inout ByteBuffer) { out.append("{\"format\":1,\"conversations\":[\n") }
    package static func separate(_ out: inout ByteBuffer) { out.append(",\n") }
    package static func end(_ out: inout ByteBuffer) { out.append("\n]}\n") }

    /// Appends a conversation. O(members).
    package static func encode(_ conversation: Conversation, at: UInt64, into out: inout ByteBuffer) {
        var object = JSONObject(in: &out)
        object.member("n", UInt64(conversation.number.raw), &out)
        object.member("at", at, &out)
        switch conversation.title {
        case .named(let name): object.member("name", name.text, &out)
        case .direct(let a, let b, let text):
            object.array("direct", [a, b], &out) { $1.append(decimal: UInt64($0.raw)) }
            object.member("text", text, &out)
        }
        if let topic = conversation.topic { object.member("title", topic, &out) }
        object.member("private", conversation.isPrivate, &out)
        object.member("dropped", conversation.isDropped, &out)
        object.member("next-seq", conversation.nextSeq, &out)
        object.member("last-time", UInt64(clamping: conversation.lastTime.milliseconds), &out)
        object.member("last-kind", conversation.lastKind, &out)
        object.member("activity", conversation.activity, &out)
        object.array("members", conversation.order, &out) { number, out in
            guard let member = conversation.member(number) else { return out.append("[]") }
            out.append(byte: 0x5B)
            out.append(decimal: UInt64(number.raw))
            out.append(",\"")
            out.append(string: member.role.rawValue)
            out.append("\",")
            out.append(decimal: member.joinSeq)
            out.append(byte: 0x2C)
            out.append(decimal: member.read)
            out.append(byte: 0x5D)
        }
        object.array("invited", conversation.invited.keys.sorted(), &out) { number, out in
            out.append(byte: 0x5B)
            out.append(decimal: UInt64(number.raw))
            out.append(byte: 0x2C)
            out.append(decimal: conversation.invited[number] ?? 0)
            out.append(byte: 0x5D)
        }
        object.end(&out)
    }

    /// Reads a shard: each conversation with the global sequence it holds.
    package static func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (ConversationSnapshot, _ at: UInt64) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        var reader = JSONReader(bytes)
        try reader.object { (reader, key) throws(JSONFault) in
            switch key {
            case "format": try SnapshotFormat.check(&reader)
            case "conversations":
                try reader.array { (reader) throws(JSONFault) in
                    let (snapshot, at) = try decodeOne(&reader)
                    try body(snapshot, at)
                }
            default: throw reader.fault("an unknown key")
            }
        }
        try reader.end()
    }

    static func decodeOne(_ reader: inout JSONReader) throws(JSONFault) -> (ConversationSnapshot, UInt64) {
        var fields = ConversationFields()
        try reader.object { (reader, key) throws(JSONFault) in try fields.read(key, &reader) }
        guard let at = fields.at, let snapshot = fields.snapshot else {
            throw reader.fault("a conversation without its number or name")
        }
        return (snapshot, at)
    }
}

/// The members of a conversation's object, as they are read.
private struct ConversationFields {
    var number: ConversationNumber?
    var at: UInt64?
    private var name: String?
    private var direct: [AccountNumber] = []
    private var text: String?
    private var rest = ConversationSnapshot(number: .lobby, title: .named(ConversationName(trusted: "")))

    init() {}

    /// What was read; nil when it is not whole.
    var snapshot: ConversationSnapshot? {
        guard let number else { return nil }
        var snapshot: ConversationSnapshot
        if let name {
            snapshot = ConversationSnapshot(number: number, title: .named(ConversationName(trusted: name)))
        } else if let text, direct.count == 2 {
            snapshot = ConversationSnapshot(number: number, title: .direct(direct[0], direct[1], text: text))
        } else {
            return nil
        }
        (snapshot.topic, snapshot.isPrivate, snapshot.isDropped) = (rest.topic, rest.isPrivate, rest.isDropped)
        (snapshot.nextSeq, snapshot.lastTime, snapshot.lastKind) = (rest.nextSeq, rest.lastTime, rest.lastKind)
        (snapshot.activity, snapshot.members, snapshot.invited) = (rest.activity, rest.members, rest.invited)
        return snapshot
    }

    mutating func read(_ key: String, _ reader: inout JSONReader) throws(JSONFault) {
        switch key {
        case "n": number = try reader.conversationNumber()
        case "at": at = try reader.number()
        case "name": name = try reader.string()
        case "text": text = try reader.string()
        case "title": rest.topic = try reader.string()
        case "private": rest.isPrivate = try reader.flag()
        case "dropped": rest.isDropped = try reader.flag()
        case "next-seq": rest.nextSeq = try reader.number()
        case "last-time": rest.lastTime = try reader.timestamp()
        case "last-kind": rest.lastKind = try reader.string()
        case "activity": rest.activity = try reader.number()
        default: try readList(key, &reader)
        }
    }

    private mutating func readList(_ key: String, _ reader: inout JSONReader) throws(JSONFault) {
        switch key {
        case "direct":
            var pair: [AccountNumber] = []
            try reader.tuple(2) { (reader, _) throws(JSONFault) in pair.append(try reader.accountNumber()) }
            direct = pair
        case "members":
            var members: [ConversationSnapshot.Member] = []
            try reader.array { (reader) throws(JSONFault) in members.append(try Self.member(&reader)) }
            rest.members = members
        case "invited":
            var invited: [(account: AccountNumber, seq: Seq)] = []
            try reader.array { (reader) throws(JSONFault) in
                var entry = (account: AccountNumber.server, seq: Seq(0))
                try reader.tuple(2) { (reader, index) throws(JSONFault) in
                    if index == 0 {
                        entry.account = try reader.accountNumber()
                    } else {
                        entry.seq = try reader.number()
                    }
                }
                invited.append(entry)
            }
            rest.invited = invited
        default: throw reader.fault("an unknown key")
        }
    }

    private static func member(_ reader: inout JSONReader) throws(JSONFault) -> ConversationSnapshot.Member {
        var (account, role) = (AccountNumber.server, Role.reader)
        var (join, read): (Seq, UInt64) = (0, 0)
        try reader.tuple(4) { (reader, index) throws(JSONFault) in
            switch index {
            case 0: account = try reader.accountNumber()
            case 1: role = try reader.role()
            case 2: join = try reader.number()
            default: read = try reader.number()
            }
        }
        return ConversationSnapshot.Member(account: account, role: role, joinSeq: join, read: read)
    }
}
