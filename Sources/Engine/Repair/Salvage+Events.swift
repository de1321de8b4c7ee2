import Bytes
import ChatCore
import ChatModel
import Persistence
import Wire

extension Salvage {
    mutating func takeEvent(_ payload: UnsafeRawBufferPointer, _ globalSequence: UInt64, isTorn: Bool) {
        let event: EventPayload
        do throws(RecordFault) { event = try EventPayload(payload) } catch {
            return setAside(globalSequence, error.reason)
        }
        do throws(RecordFault) {
            if isTorn { throw RecordFault(Self.torn) }
            let isAhead = isInSnapshot(event)
            try ensureAccounts(of: event)
            if !isAhead {
                try makeRoom(for: event)
                admitByEvidence(event.conversation, by: event.by, event.recorded.kind)
            }
            try content.replay(payload, globalSequence: globalSequence)
        } catch {
            setAside(globalSequence, error.reason, event.conversation, event.seq)
        }
    }

    private func isInSnapshot(_ event: EventPayload) -> Bool {
        state.isAhead(
            of: Event(
                conversation: event.conversation,
                seq: event.seq,
                time: event.recorded.time,
                by: event.by,
                kind: .lost
            )
        )
    }

    /// Makes the event the next one of its conversation, with `lost` events for those between.
    private mutating func makeRoom(for event: EventPayload) throws(RecordFault) {
        let (number, time) = (event.conversation, event.recorded.time)
        guard number.raw > 0 else { throw RecordFault("an event of no conversation") }
        if !state.exists(number) {
            let isFirst = event.recorded.kind == .create && event.seq == 1
            let missing = UInt64(number.raw) - UInt64(state.conversations.count) - (isFirst ? 1 : 0)
            guard missing <= unplaced else { throw RecordFault("its conversation does not follow") }
            for _ in 0..<missing { makeConversation(at: time) }
            if isFirst { return }
        }
        let next = state.conversation(number).nextSeq
        guard event.seq >= next else { throw RecordFault("another event stands in its place") }
        guard event.seq - next <= unplaced else { throw RecordFault("it does not follow the one before") }
        for _ in next..<event.seq { leaveLost(in: number) }
    }

    /// Appends the event `lost` to a conversation; where a snapshot has the line itself, that.
    mutating func leaveLost(in number: ConversationNumber) {
        let conversation = state.conversation(number)
        let seq = conversation.nextSeq
        let lost = Event(conversation: number, seq: seq, time: conversation.lastTime, by: .server, kind: .lost)
        let index = Int(number.raw) - 1
        unplaced -= min(1, unplaced)
        let known =
            index < content.timelines.count
            ? content.timelines[index].withLine(seq) { JournalPayload.event(ofLine: $0, of: number, state) ?? lost }
            : nil
        if let known { return state.apply(known) }
        state.apply(lost)
        appendLost(lost, name: conversation.name)
    }

    /// The line of a `lost` event, appended to its timeline.
    mutating func appendLost(_ event: Event, name: String) {
        var out = ByteBuffer(capacity: 128)
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        EventRenderer.render(event, names: EventNames(conversation: name, by: "server"), arena: nothing, into: &out)
        content.append(UnsafeRawBufferPointer(rebasing: out.readable.dropLast()), to: event.conversation)
        report.note(lost: event.seq, in: event.conversation)
    }

    /// Makes the next conversation, whose first event is gone, and leaves `lost` in that one's place.
    private mutating func makeConversation(at time: Timestamp) {
        let number = state.nextConversation
        beginLost(number, named: hints.names[number], at: time)
        unplaced -= min(1, unplaced)
        appendLost(
            Event(conversation: number, seq: 1, time: time, by: .server, kind: .lost),
            name: state.name(of: number)
        )
    }

    /// Makes a conversation without its first event: by the name that other events give it, private, since nobody knows
    /// whether it was; without a name as one that was dropped.
    mutating func beginLost(_ number: ConversationNumber, named name: String?, at time: Timestamp) {
        let creation: Creation
        var isDropped = false
        if number == .lobby {
            creation = .named("lobby", isPrivate: false, title: nil)
        } else if let name, let known = self.creation(named: name) {
            creation = known
            report.rebuilt.append(.conversation(number))
        } else {
            creation = .named(String(unusedName(for: number).dropFirst()), isPrivate: true, title: nil)
            report.rebuilt.append(.unknownConversation(number))
            isDropped = true
        }
        state.apply(Event(conversation: number, seq: 1, time: time, by: .server, kind: .create(creation)))
        let conversation = state.conversation(number)
        (conversation.lastKind, conversation.isDropped) = (EventKind.lost.name, isDropped)
    }

    private mutating func creation(named name: String) -> Creation? {
        let bytes = name.utf8
        if bytes.first == 0x23 {
            let rest = String(decoding: bytes.dropFirst(), as: UTF8.self)
            guard state.conversation(key: NameFolding.key(of: rest)) == nil else { return nil }
            return .named(rest, isPrivate: true, title: nil)
        }
        let handles = bytes.dropFirst().split(separator: 0x2C, omittingEmptySubsequences: false)
        guard bytes.first == 0x40, handles.count == 2 else { return nil }
        let sides = handles.map { String(decoding: $0, as: UTF8.self) }
        guard let a = account(named: sides[0]), let b = account(named: sides[1]), a != b, state.direct(a, b) == nil
        else { return nil }
        return .direct(a, b)
    }

    /// `#lost-N`, with more digits when somebody has that name.
    func unusedName(for number: ConversationNumber) -> String {
        var name = "#lost-\(number.raw)"
        while hints.hasName(name) || state.isTaken(ConversationName(trusted: String(name.dropFirst()))) {
            name += "-\(number.raw)"
        }
        return name
    }

    /// Takes for a member who does what only members do, in a conversation of which events are lost, or that was put together
    /// from lines that are not all kept.
    mutating func admitByEvidence(_ number: ConversationNumber, by account: AccountNumber, _ kind: RecordedEvent.Kind) {
        guard number != .lobby, account.isAccount, state.exists(number) else { return }
        let conversation = state.conversation(number)
        let unknown = conversation.validFrom == .max && conversation.firstSeq > 1 ? conversation.firstSeq - 1 : nil
        guard let lost = report.lost[number]?.last?.upperBound ?? unknown, !conversation.isDirect else { return }
        let needed: Role
        switch kind {
        case .msg, .edit, .delete, .react: needed = .member
        case .invite, .eject, .ban, .unban, .mute, .unmute, .grant, .topic: needed = .op
        default: return
        }
        if state.conversation(number).member(account) == nil {
            state.admitByEvidence(account, to: number, as: needed, since: lost)
        } else {
            state.raise(account, to: needed, in: number)
        }
    }
}
