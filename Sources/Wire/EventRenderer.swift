import Bytes
import ChatModel

/// Writes the one line of an event (protocol.md, Events): the same bytes go to the journal, the timeline and every
/// subscriber.
package enum EventRenderer {
    /// Appends `EV kind conv= seq= ts= by= …` and LF, exactly one line. `arena` is what the message's `ArenaRange`
    /// counts in. O(length); a message allocates nothing but room in `out`.
    package static func render(
        _ event: Event,
        names: EventNames,
        arena: UnsafeRawBufferPointer,
        into out: inout ByteBuffer
    ) {
        out.append(word(of: event.kind))
        out.append(" conv=")
        var times = TimeWriter()
        appendOrigin(names.conversation, event.seq, event.time, by: names.by, &times, &out)
        switch event.kind {
        case .message(let message): append(message, arena, &out)
        case .create(let creation): append(creation, &out)
        case .edit(let message, let text):
            ValueRenderer.append(.number("id", message), into: &out)
            if let text { append(text: text, arena, &out) }
        case .delete(let message): ValueRenderer.append(.number("id", message), into: &out)
        case .react(let reaction): append(reaction, &out)
        case .topic(let title): ValueRenderer.append(.word("title", title), into: &out)
        case .join, .leave, .drop, .lost: break
        default: appendMembership(event.kind, names.user, &out)
        }
        out.append(byte: 0x0A)
    }

    /// The line of a message of text alone, by the same rules. Allocates nothing but room in `out`, and counts no
    /// reference.
    package static func render(
        _ message: TextMessage,
        conversation: String,
        by author: String,
        arena: UnsafeRawBufferPointer,
        times: inout TimeWriter,
        into out: inout ByteBuffer
    ) {
        out.append("EV msg conv=")
        appendOrigin(conversation, message.seq, message.time, by: author, &times, &out)
        if let reply = message.reply {
            out.append(" reply=")
            out.append(decimal: reply)
        }
        append(text: message.text, arena, &out)
        out.append(byte: 0x0A)
    }

    /// What every event says behind its kind: the log it stands in, where and when, and who made it.
    static func appendOrigin(
        _ log: String,
        _ seq: Seq,
        _ time: Timestamp,
        by author: String,
        _ times: inout TimeWriter,
        _ out: inout ByteBuffer
    ) {
        ValueRenderer.append(word: log, into: &out)
        out.append(" seq=")
        out.append(decimal: seq)
        out.append(" ts=")
        times.append(time, into: &out)
        out.append(" by=")
        ValueRenderer.append(word: author, into: &out)
    }

    /// What an event says of the user it concerns.
    private static func appendMembership(_ kind: EventKind, _ user: String?, _ out: inout ByteBuffer) {
        if let user { ValueRenderer.append(.word("user", user), into: &out) }
        switch kind {
        case .grant(_, let role): ValueRenderer.append(.word("role", role.rawValue), into: &out)
        case .eject(_, let reason?), .ban(_, let reason?): ValueRenderer.append(.word("reason", reason), into: &out)
        case .mute(_, let until?): ValueRenderer.append(.time("until", until), into: &out)
        case .rename(_, _, let name): ValueRenderer.append(.word("to", name), into: &out)
        default: break
        }
    }

    private static func append(_ reaction: Reaction, _ out: inout ByteBuffer) {
        ValueRenderer.append(.number("id", reaction.message), into: &out)
        ValueRenderer.append(.word("emoji", reaction.emoji), into: &out)
        if reaction.isOff { ValueRenderer.append(.flag("off", true), into: &out) }
    }

    private static func append(text: ArenaRange, _ arena: UnsafeRawBufferPointer, _ out: inout ByteBuffer) {
        out.append(" text=")
        JSONString.append(UnsafeRawBufferPointer(rebasing: arena[text.range]), into: &out)
    }

    private static func word(of kind: EventKind) -> StaticString {
        switch kind {
        case .message: "EV msg"
        case .create: "EV create"
        case .join: "EV join"
        case .leave: "EV leave"
        case .invite: "EV invite"
        case .eject: "EV eject"
        case .ban: "EV ban"
        case .unban: "EV unban"
        case .mute: "EV mute"
        case .unmute: "EV unmute"
        case .grant: "EV grant"
        case .topic: "EV topic"
        case .edit: "EV edit"
        case .delete: "EV delete"
        case .react: "EV react"
        case .rename: "EV rename"
        case .erase: "EV erase"
        case .drop: "EV drop"
        case .lost: "EV lost"
        }
    }

    private static func append(_ message: Message, _ arena: UnsafeRawBufferPointer, _ out: inout ByteBuffer) {
        if let kind = message.kind {
            out.append(" kind=")
            ValueRenderer.append(word: kind, into: &out)
        }
        if let blob = message.blob { append(blob, &out) }
        if let geo = message.geo {
            out.append(" geo=")
            out.append(string: geo.latitude)
            out.append(byte: 0x2C)
            out.append(string: geo.longitude)
        }
        if let reply = message.reply {
            out.append(" reply=")
            out.append(decimal: reply)
        }
        if let text = message.text { append(text: text, arena, &out) }
    }

    private static func append(_ blob: BlobRecord, _ out: inout ByteBuffer) {
        let fields: [KeyValue] = [
            .word("blob", blob.id.text), .word("type", blob.type), .number("size", blob.size), .word("name", blob.name),
        ]
        ValueRenderer.append(fields, into: &out)
    }

    private static func append(_ creation: Creation, _ out: inout ByteBuffer) {
        guard case .named(_, let isPrivate, let title) = creation else { return }
        if isPrivate { out.append(" private=yes") }
        if let title { ValueRenderer.append(.word("title", title), into: &out) }
    }
}
