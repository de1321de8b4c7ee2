import ChatCore
import ChatModel
import Wire

extension EventKind {
    /// The kind and content of an event read back from its line. A message's text stays in the line.
    /// - Throws: `RecordFault` when the line names a kind or a handle that is not known.
    init(_ line: RecordedEvent, nonce: UInt64?, _ state: State) throws(RecordFault) {
        switch line.kind {
        case .msg:
            // A blob that was deleted since has no record any more.
            let blob = line.blob.flatMap { state.blob($0) }
            self = .message(Message(text: nil, kind: nil, geo: nil, reply: nil, nonce: nonce, blob: blob))
        case .join: self = .join
        case .leave: self = .leave
        case .drop: self = .drop
        case .lost: self = .lost
        case .invite: self = .invite(try Self.account(line.user, state))
        case .grant:
            guard let role = line.field("role").flatMap(Role.init(rawValue:)) else {
                throw RecordFault("a grant without its role")
            }
            self = .grant(try Self.account(line.user, state), role)
        case .create: self = .create(try Creation(line, state))
        case .eject: self = .eject(try Self.account(line.user, state), reason: line.field("reason"))
        case .ban: self = .ban(try Self.account(line.user, state), reason: line.field("reason"))
        case .unban: self = .unban(try Self.account(line.user, state))
        case .mute: self = .mute(try Self.account(line.user, state), until: line.time("until"))
        case .unmute: self = .unmute(try Self.account(line.user, state))
        case .erase: self = .erase(try Self.account(line.user, state))
        case .topic:
            guard let title = line.field("title") else { throw RecordFault("a topic without its title") }
            self = .topic(title)
        case .rename:
            guard let from = line.user, let name = line.field("to") else {
                throw RecordFault("a rename without its names")
            }
            self = .rename(try Self.account(from, state), from: from, to: name)
        case .edit: self = .edit(try Self.message(line), text: nil)
        case .delete: self = .delete(try Self.message(line))
        case .react:
            // One of an account that is gone has no emoji any more.
            let emoji = line.field("emoji") ?? ""
            self = .react(
                Reaction(
                    message: try Self.message(line),
                    emoji: emoji,
                    isOff: emoji.isEmpty || line.field("off") == "yes"
                )
            )
        case .other: throw RecordFault("an event of a kind that this version does not know")
        }
    }

    private static func message(_ line: RecordedEvent) throws(RecordFault) -> Seq {
        guard let id = line.number("id"), id > 0, id < line.seq else {
            throw RecordFault("an event about a message that does not stand before it")
        }
        return id
    }

    fileprivate static func account(_ handle: String?, _ state: State) throws(RecordFault) -> AccountNumber {
        guard let handle, let number = state.account(handleKey: NameFolding.key(of: handle)) else {
            throw RecordFault("an event about somebody unknown")
        }
        return number
    }
}

extension Creation {
    fileprivate init(_ line: RecordedEvent, _ state: State) throws(RecordFault) {
        guard let name = line.conversation else { throw RecordFault("a conversation without a name") }
        // By bytes: what follows a sign or stands before it may make one character with it.
        let bytes = name.utf8
        let rest = bytes.dropFirst()
        if bytes.first == 0x23 {
            let isPrivate = line.field("private") == "yes"
            self = .named(String(decoding: rest, as: UTF8.self), isPrivate: isPrivate, title: line.field("title"))
            return
        }
        let handles = rest.split(separator: 0x2C, omittingEmptySubsequences: false)
        guard bytes.first == 0x40, handles.count == 2 else { throw RecordFault("a conversation with a strange name") }
        self = .direct(
            try EventKind.account(String(decoding: handles[0], as: UTF8.self), state),
            try EventKind.account(String(decoding: handles[1], as: UTF8.self), state)
        )
    }
}
