import ChatModel
import Persistence
import Wire

/// Names that the lines of a journal give to numbers: what is left of an account or a conversation whose own record is
/// gone.
struct SalvageHints {
    /// Handles by account number, names by conversation number.
    private(set) var handles: [AccountNumber: String] = [:]
    private(set) var names: [ConversationNumber: String] = [:]
    private var numbers: [String: AccountNumber] = [:]
    private var nameKeys: Set<String> = []
    /// The highest account number that anything refers to.
    private(set) var highestAccount: UInt32 = 0

    init() {}

    mutating func note(_ event: EventPayload) {
        guard event.by.isAccount else { return noteName(of: event) }
        highestAccount = max(highestAccount, event.by.raw)
        if handles[event.by] == nil, let handle = event.recorded.by {
            note(handle, of: event.by)
        }
        noteName(of: event)
    }

    mutating func note(_ item: ItemPayload) {
        guard item.by.isAccount else { return }
        highestAccount = max(highestAccount, item.by.raw)
        if handles[item.by] == nil { note(String(decoding: item.recorded.by, as: UTF8.self), of: item.by) }
    }

    private mutating func noteName(of event: EventPayload) {
        if names[event.conversation] == nil, let name = event.recorded.conversation {
            note(name, of: event.conversation)
        }
    }

    mutating func note(_ handle: String, of account: AccountNumber) {
        let key = NameFolding.key(of: handle)
        guard !handle.isEmpty, numbers[key] == nil else { return }
        (handles[account], numbers[key]) = (handle, account)
    }

    mutating func note(_ name: String, of conversation: ConversationNumber) {
        guard name.utf8.count > 1, nameKeys.insert(NameFolding.key(of: name)).inserted else { return }
        names[conversation] = name
    }

    func number(ofHandleKey key: String) -> AccountNumber? { numbers[key] }

    /// Whether some conversation has the name, given with its `#`.
    func hasName(_ name: String) -> Bool { nameKeys.contains(NameFolding.key(of: name)) }
}
