import ChatCore
import ChatModel

/// A state that is moved as the engine moves it, decide and then apply, without journal, lines or connections. Keeps all
/// changes, so that they can be applied again.
package final class World {
    package var state: State
    package var now = Timestamp(milliseconds: 1_764_500_000_000)
    package private(set) var changes: [Change] = []
    private var tokens: UInt64 = 0

    package init(_ limits: Limits = Limits()) {
        state = State(limits: limits)
        let lobby = Creation.named("lobby", isPrivate: false, title: nil)
        apply([.event(Event(conversation: .lobby, seq: 1, time: now, by: .server, kind: .create(lobby)))])
    }

    package func apply(_ changes: [Change]) {
        for change in changes { state.apply(change) }
        self.changes += changes
    }

    @discardableResult
    package func apply(_ decision: Decision) -> ChatModel.Reply {
        apply(decision.changes)
        return decision.reply
    }

    package func token() -> TokenHash {
        tokens += 1
        return TokenHash(a: tokens, b: 0, c: 0, d: 0)
    }

    /// Signs up with a sound address and password.
    @discardableResult
    package func signUp(_ name: String) throws(Refusal) -> AccountNumber {
        let request = World.request(name: name, email: "u\(state.nextAccount.raw)@example.test")
        try state.checkSignUp(request)
        let hash = PasswordRecord(n: 1024, r: 8, p: 1, salt: [1, 2], hash: [3, 4])
        let record = try state.decideSignUp(request, password: hash, session: token(), now: now)
        apply([.ledger(.account(record))])
        return record.number
    }

    package static func request(
        name: String? = "ada",
        email: String = "ada@example.test",
        password: String = "correct horse",
        display: String? = nil,
        phone: String? = nil
    ) -> SignUp {
        SignUp(
            name: name,
            display: display,
            phone: phone,
            invite: nil,
            email: email,
            password: Secret(Array(password.utf8))
        )
    }

    /// A guest that nothing is written down of yet.
    package func guest(word: UInt64) throws -> AccountNumber {
        guard let record = state.makeGuest(word: word, session: token(), now: now) else {
            throw Refusal.exists("name", "this guest is there")
        }
        state.addUnrecordedGuest(record)
        return record.number
    }

    @discardableResult
    package func create(
        _ name: String,
        by account: AccountNumber,
        isPrivate: Bool = false,
        title: String? = nil
    ) throws(Refusal) -> ConversationNumber {
        let create = Create(name: name, isPrivate: isPrivate, title: title)
        apply(try state.decideCreate(create, by: account, now: now))
        return ConversationNumber(UInt32(state.conversations.count))
    }

    @discardableResult
    package func join(_ name: String, _ account: AccountNumber) throws(Refusal) -> ChatModel.Reply {
        apply(try state.decideJoin(.named(NameFolding.key(of: name)), by: account, now: now))
    }

    @discardableResult
    package func leave(_ name: String, _ account: AccountNumber) throws(Refusal) -> ChatModel.Reply {
        apply(try state.decideLeave(.named(NameFolding.key(of: name)), by: account, now: now))
    }

    @discardableResult
    package func invite(_ user: String, to name: String, by account: AccountNumber) throws(Refusal) -> ChatModel.Reply {
        apply(try state.decideInvite(.named(NameFolding.key(of: name)), user: user, by: account, now: now))
    }

    /// Decides a SEND and applies what it comes to, a guest's own record in front of it.
    @discardableResult
    package func send(
        to target: ConversationTarget,
        by account: AccountNumber,
        text: String? = "hi",
        nonce: UInt64? = nil,
        reply: Seq? = nil,
        geo: Location? = nil,
        blob: BlobID? = nil
    ) throws(Refusal) -> SendDecision {
        let send = Send(
            target: target,
            text: text.map { ArenaRange(offset: 0, count: $0.utf8.count) },
            scalarCount: text?.unicodeScalars.count ?? 0,
            isBlank: text?.unicodeScalars.allSatisfy(\.properties.isWhitespace) ?? false,
            nonce: nonce,
            reply: reply,
            geo: geo,
            kind: nil,
            blob: blob
        )
        let decision = try state.decideSend(send, by: account, now: now)
        let guestRecord = state.isRecorded(account) ? [] : state.changesBefore(actionOf: account)
        switch decision {
        case .repeated: break
        case .text(let message, _): apply(guestRecord + [.event(message.event)])
        case .message(let event): apply(guestRecord + [.event(event)])
        case .opening(let create, let message): apply(guestRecord + [.event(create), .event(message)])
        }
        return decision
    }

    package func send(_ name: String, _ account: AccountNumber) throws(Refusal) {
        try send(to: .named(NameFolding.key(of: name)), by: account)
    }

    /// A time some milliseconds from now on.
    package func pass(milliseconds: Int64) {
        now = Timestamp(milliseconds: now.milliseconds + milliseconds)
        state.monotonic = state.monotonic.adding(milliseconds: milliseconds)
    }
}

extension SendDecision {
    /// The seq of the message, new or old.
    package var seq: Seq {
        switch self {
        case .repeated(let sent): sent.seq
        case .text(let message, _): message.seq
        case .message(let event): event.seq
        case .opening(_, let message): message.seq
        }
    }

    package var isRepeat: Bool { if case .repeated = self { true } else { false } }
}

extension World {
    /// The next event of a conversation, for what no verb makes yet.
    package func event(_ number: ConversationNumber, _ kind: EventKind, by account: AccountNumber) -> Event {
        Event(
            conversation: number,
            seq: state.conversation(number).nextSeq,
            time: now,
            by: account,
            kind: kind
        )
    }
}
