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
        ValueRenderer.append(word: names.conversation, into: &out)
        out.append(" seq=")
        out.append(decimal: event.seq)
        out.append(" ts=")
        ValueRenderer.append(time: event.time, into: &out)
        out.append(" by=")
        ValueRenderer.append(word: names.by, into: &out)
        switch event.kind {
        case .message(let message): append(message, arena, &out)
        case .create(let creation): append(creation, &out)
        case .invite: append(user: names.user, &out)
        case .grant(_, let role):
            append(user: names.user, &out)
            ValueRenderer.append(.word("role", role.rawValue), into: &out)
        case .join, .leave, .drop, .lost: break
        }
        out.append(byte: 0x0A)
    }

    private static func word(of kind: EventKind) -> StaticString {
        switch kind {
        case .message: "EV msg"
        case .create: "EV create"
        case .join: "EV join"
        case .leave: "EV leave"
        case .invite: "EV invite"
        case .grant: "EV grant"
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
        if let text = message.text {
            out.append(" text=")
            JSONString.append(UnsafeRawBufferPointer(rebasing: arena[text.range]), into: &out)
        }
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

    private static func append(user: String?, _ out: inout ByteBuffer) {
        if let user { ValueRenderer.append(.word("user", user), into: &out) }
    }
}
