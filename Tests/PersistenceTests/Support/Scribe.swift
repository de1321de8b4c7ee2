import Bytes
import ChatCore
import ChatModel
import ChatTesting
import Persistence
import Wire

/// Writes changes down as the engine does, and applies what it reads back.
struct Scribe {
    private(set) var payloads: [[UInt8]] = []

    /// Writes `change`, looking names up in `state` before it is applied.
    mutating func write(_ change: Change, _ state: State) {
        var out = ByteBuffer()
        switch change {
        case .ledger(let entry): JournalPayload.encode(entry, into: &out)
        case .event(let event):
            var nonce: UInt64?
            if case .message(let message) = event.kind { nonce = message.nonce }
            JournalPayload.encodeHeader(of: event, nonce: nonce, into: &out)
            Array("hi".utf8).withUnsafeBytes { arena in
                EventRenderer.render(event, names: Self.names(event, state), arena: arena, into: &out)
            }
            out.removeLast(1)
        case .item(let event):
            JournalPayload.encodeHeader(of: event, into: &out)
            let (name, by) = (state.collection(event.collection).name, state.handleText(event.by))
            Array("{}".utf8).withUnsafeBytes { arena in
                ItemRenderer.render(event, collection: name, by: by, arena: arena, into: &out)
            }
            out.removeLast(1)
        }
        payloads.append(Array(out.readable))
    }

    private static func names(_ event: Event, _ state: State) -> EventNames {
        var (conversation, user): (String, String?) = ("", nil)
        switch event.kind {
        case .create(.named(let name, _, _)): conversation = "#" + name
        case .create(.direct(let a, let b)): conversation = state.directName(a, b)
        default: conversation = state.name(of: event.conversation)
        }
        if case .invite(let number) = event.kind { user = state.handleText(number) }
        if case .grant(let number, _) = event.kind { user = state.handleText(number) }
        return EventNames(conversation: conversation, by: state.handleText(event.by), user: user)
    }

    /// A fresh state to which everything written was applied.
    func replayed(_ limits: Limits) throws -> State {
        let state = State(limits: limits)
        for payload in payloads { try Self.apply(payload, to: state) }
        return state
    }

    static func apply(_ payload: [UInt8], to state: State) throws {
        try payload.withUnsafeBytes { bytes in
            switch try JournalPayload.decode(bytes, state) {
            case .ledger(let entry): state.apply(entry)
            case .event(let event, _): state.apply(event)
            case .item(let event, _): state.apply(event)
            }
        }
    }
}
