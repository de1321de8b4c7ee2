import ChatModel

/// Names are found by their folded key, and are unique by what they look like as well (protocol.md, Accounts).
///
/// A look is kept only where it is not the key of the name itself, which most names are spared: so it is taken when a name
/// has it as its key, or when it is kept.
extension State {
    /// Whether an account has or had a handle that cannot be told from this one. Handles are never free again.
    package func isTaken(_ handle: Handle) -> Bool {
        handles[handle.key] != nil || handle.looks.contains { handles[$0] != nil || handleLooks.contains($0) }
    }

    /// Whether a conversation has or had a name that cannot be told from this one.
    package func isTaken(_ name: ConversationName) -> Bool {
        names[name.key] != nil || name.looks.contains { names[$0] != nil || nameLooks.contains($0) }
    }

    /// Gives a handle to an account. Total: of handles that were made under older rules and look alike, each is found by its
    /// key, and the look stays taken.
    func claim(_ handle: Handle, for number: AccountNumber) {
        handles[handle.key] = number
        for look in handle.looks where look != handle.key { handleLooks.insert(look) }
    }

    /// Gives a name to a conversation; total, as for handles.
    func claim(_ name: ConversationName, for number: ConversationNumber) {
        names[name.key] = number
        for look in name.looks where look != name.key { nameLooks.insert(look) }
    }

    /// Frees the handle of a guest that was never written down. It was made when nothing looked like it, so its looks are
    /// no one else's.
    func release(_ handle: Handle) {
        handles[handle.key] = nil
        for look in handle.looks { handleLooks.remove(look) }
    }
}
