import ChatCore
import ChatModel
import Persistence
import Wire

extension Salvage {
    /// Makes sure that everybody whom an event names is there.
    /// - Throws: `RecordFault` when somebody is not, and nothing is known of them.
    mutating func ensureAccounts(of event: EventPayload) throws(RecordFault) {
        if event.by.isAccount, !ensure(event.by) {
            throw RecordFault("by account \(event.by.raw), of which nothing is left")
        }
        if let user = event.recorded.user, account(named: user) == nil {
            throw RecordFault("about somebody of whom nothing is left")
        }
        guard event.recorded.kind == .create, let name = event.recorded.conversation, name.utf8.first == 0x40 else {
            return
        }
        for side in name.utf8.dropFirst().split(separator: 0x2C) {
            guard account(named: String(decoding: side, as: UTF8.self)) != nil else {
                throw RecordFault("a conversation with somebody of whom nothing is left")
            }
        }
    }

    /// Whether the account is there, made from the handle that lines give it if need be.
    mutating func ensure(_ number: AccountNumber) -> Bool {
        if state.account(number) != nil || state.expiredHandles[number] != nil { return true }
        guard let handle = hints.handles[number] else { return false }
        return make(number, handle)
    }

    /// The account with this handle; where its record is gone, one made from the handle.
    mutating func account(named handle: String) -> AccountNumber? {
        let key = NameFolding.key(of: handle)
        if let number = state.account(handleKey: key) { return number }
        if let number = hints.number(ofHandleKey: key) { return ensure(number) ? number : nil }
        // Its own number is not known; one that nobody has or had.
        let above = max(UInt64(state.accountNumbers), UInt64(hints.highestAccount)) + 1
        guard let raw = UInt32(exactly: above) else { return nil }
        hints.note(handle, of: AccountNumber(raw))
        return make(AccountNumber(raw), handle) ? AccountNumber(raw) : nil
    }

    private mutating func make(_ number: AccountNumber, _ handle: String) -> Bool {
        let key = NameFolding.key(of: handle)
        let entry = LedgerEntry.account(
            AccountRecord(
                number: number,
                handle: handle,
                display: handle,
                phone: nil,
                email: nil,
                password: nil,
                isGuest: key.utf8.starts(with: "guest-".utf8),
                created: state.exists(.lobby) ? state.conversation(.lobby).lastTime : Timestamp(milliseconds: 0),
                session: nil,
                lobbyRead: state.exists(.lobby) ? state.conversation(.lobby).messages.count : 0
            )
        )
        guard state.account(handleKey: key) == nil, JournalPayload.fits(entry, state) else { return false }
        state.apply(entry)
        report.rebuilt.append(.account(number))
        return true
    }

    /// Gives every number that a conversation names an account, so that no later account can be given the number and with
    /// it the rights.
    mutating func accountForReferences() {
        for conversation in state.conversations {
            for number in conversation.everybodyNamed where !ensure(number) {
                var handle = "lost-\(number.raw)"
                while state.isTaken(Handle(trusted: handle)) { handle += "-\(number.raw)" }
                guard make(number, handle) else { continue }
                report.rebuilt[report.rebuilt.count - 1] = .unknownAccount(number)
                state.disableUnknown(number)
            }
        }
    }
}
