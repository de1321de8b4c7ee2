/// What the operator asks for over the control socket (protocol.md, The operator).
package enum AdminCommand: Sendable {
    case status
    /// One setting, or all.
    case get(key: String?)
    case set(key: String, value: String)
    /// Takes a SET back: what file, environment and command line say counts again.
    case unset(key: String)
    case users(prefix: String?, Page)
    case user(AdminUserAction, who: String)
    case conversations(Page)
    /// How much of a conversation is kept.
    case retain(ConversationTarget, Retention)
    case snapshot
    /// Writes again after the journal has failed.
    case resume
    /// Keeps what is on disk from being removed for as long as the connection lasts.
    case backup
    case clients(Page)
    /// The connection as CLIENTS names it.
    case end(connection: String)
    case notice(String)
    /// A code for SIGNUP, good for so many accounts and so many seconds.
    case invite(uses: UInt32, lifetime: Int64)
    /// A new token for `/metrics`, in place of the one before.
    case metricsToken
    /// An account that its owner signs in to with a code.
    case addUser(name: String, email: String)
    /// Takes a message away.
    case delete(ConversationTarget, Seq)
    /// Ends a conversation.
    case drop(ConversationTarget)
    /// Takes an upload away.
    case deleteBlob(BlobID)
    /// What the items of a collection must be like from now on.
    case schema(CollectionTarget, ItemSchema)
    /// Everything, from where the page before has ended.
    case export(after: String?)
    case importRecord(ImportRecord)
    /// Refuses connections from these addresses, or takes that back.
    case banAddress(prefix: String, isOn: Bool)
    case addressBans(Page)
}

/// What happens to an account; the raw values are the words of `ADMIN USER`.
package enum AdminUserAction: String, Sendable, CaseIterable {
    case disable, enable, reset, promote, delete, verify
    case endSessions = "end-sessions"
}

/// A command of the operator with the words it was given in, for the audit.
package struct AdminRequest: Sendable {
    package let command: AdminCommand
    /// Behind `ADMIN`, as written.
    package let words: String
    package init(command: AdminCommand, words: String) { (self.command, self.words) = (command, words) }

    /// Whether it shows nobody's data and changes nothing, so that a watcher may ask often: not audited.
    package var isHarmless: Bool {
        switch command {
        case .status, .get: true
        default: false
        }
    }
}
