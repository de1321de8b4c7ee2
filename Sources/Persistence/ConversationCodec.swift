import Bytes
import ChatCore
import ChatModel

/// A shard of conversations, without their lines, as a file of a snapshot:
///
/// ```
/// {"format":2,"conversations":[
/// {"n":2,"at":4711,"name":"garden","title":"…","private":false,"dropped":false,"next-seq":18,"last-time":…,
///  "last-kind":"msg","activity":4709,"messages":14,"members":[[5,"owner",1,7]],"invited":[[6,3]]},
/// {"n":3,"at":4711,"direct":[5,6],"text":"@ada,bob",…}
/// ]}
/// ```
///
/// A member is account, role, seq of the join, messages read; eldest first; in the lobby only who has a role of its own.
/// An invitation is account and seq. Where there are any: `"banned":[[7,12]]` (account, seq), `"muted":[[8,13,…]]` (account,
/// seq, until or 0), `"retain":[1000,86400]` (messages or 0, seconds or 0), `"first":5` (what stands below is gone; among
/// `messages` it counts).
package enum ConversationCodec {
    package static func begin(_ out: inout ByteBuffer) { out.append("{\"format\":2,\"conversations\":[\n") }
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
        object.member("messages", conversation.messages.count, &out)
        if conversation.firstSeq > 1 { object.member("first", conversation.firstSeq, &out) }
        let members = conversation.isLobby ? conversation.lobbyRoles[...] : conversation.order[...]
        object.array("members", members, &out) { number, out in
            guard let member = conversation.member(number) else { return out.append("[]") }
            out.append(byte: 0x5B)
            out.append(decimal: UInt64(number.raw))
            out.append(",\"")
            out.append(string: member.role.rawValue)
            out.append("\",")
            out.append(decimal: member.joinSeq)
            out.append(byte: 0x2C)
            out.append(decimal: max(member.read, conversation.messagesGone))
            out.append(byte: 0x5D)
        }
        object.array("invited", conversation.invited.keys.sorted(), &out) { number, out in
            append([UInt64(number.raw), conversation.invited[number] ?? 0], &out)
        }
        encodeModeration(of: conversation, &object, &out)
        object.end(&out)
    }

    private static func encodeModeration(
        of conversation: Conversation,
        _ object: inout JSONObject,
        _ out: inout ByteBuffer
    ) {
        if !conversation.banned.isEmpty {
            object.array("banned", conversation.banned.keys.sorted(), &out) { number, out in
                append([UInt64(number.raw), conversation.banned[number] ?? 0], &out)
            }
        }
        if !conversation.muted.isEmpty {
            object.array("muted", conversation.muted.keys.sorted(), &out) { number, out in
                let mute = conversation.muted[number]
                let until = UInt64(clamping: mute?.until?.milliseconds ?? 0)
                append([UInt64(number.raw), mute?.seq ?? 0, until], &out)
            }
        }
        conversation.retention.encode(&object, into: &out)
    }

    private static func append(_ values: [UInt64], _ out: inout ByteBuffer) {
        out.append(byte: 0x5B)
        for (index, value) in values.enumerated() {
            if index > 0 { out.append(byte: 0x2C) }
            out.append(decimal: value)
        }
        out.append(byte: 0x5D)
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
