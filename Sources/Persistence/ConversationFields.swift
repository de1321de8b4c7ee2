import Bytes
import ChatCore
import ChatModel

/// The members of a conversation's object, as they are read.
struct ConversationFields {
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
        (snapshot.banned, snapshot.muted, snapshot.retention) = (rest.banned, rest.muted, rest.retention)
        (snapshot.firstSeq, snapshot.messages) = (rest.firstSeq, rest.messages)
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
        case "messages": rest.messages = try reader.number()
        case "first": rest.firstSeq = try reader.number()
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
                let (account, values) = try Self.entry(&reader, values: 1)
                invited.append((account, values[0]))
            }
            rest.invited = invited
        case "banned":
            var banned: [(account: AccountNumber, seq: Seq)] = []
            try reader.array { (reader) throws(JSONFault) in
                let (account, values) = try Self.entry(&reader, values: 1)
                banned.append((account, values[0]))
            }
            rest.banned = banned
        case "muted":
            var muted: [(account: AccountNumber, mute: Conversation.Mute)] = []
            try reader.array { (reader) throws(JSONFault) in
                let (account, values) = try Self.entry(&reader, values: 2)
                guard let until = Int64(exactly: values[1]) else { throw reader.fault("an unsound time") }
                let end = until == 0 ? nil : Timestamp(milliseconds: until)
                muted.append((account, Conversation.Mute(seq: values[0], until: end)))
            }
            rest.muted = muted
        case "retain": rest.retention = try Retention(&reader)
        default: throw reader.fault("an unknown key")
        }
    }

    /// An account and so many numbers behind it.
    private static func entry(
        _ reader: inout JSONReader,
        values count: Int
    ) throws(JSONFault) -> (AccountNumber, [UInt64]) {
        var account = AccountNumber.server
        var values: [UInt64] = []
        try reader.tuple(count + 1) { (reader, index) throws(JSONFault) in
            if index == 0 { account = try reader.accountNumber() } else { values.append(try reader.number()) }
        }
        return (account, values)
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
