import ChatModel

extension Settings {
    /// What the core checks, in its own type; the rest has the core's fixed values.
    var coreLimits: ChatModel.Limits {
        var core = ChatModel.Limits()
        (core.text, core.line) = (limits.text, limits.line)
        (core.conversationsOwned, core.conversationsJoined) = (limits.conversationsOwned, limits.conversationsJoined)
        (core.sessions, core.nonces, core.subscriptions) = (limits.sessions, limits.nonces, limits.subscriptions)
        (core.reactions, core.avatar, core.tokens) = (limits.reactions, limits.avatar, limits.tokens)
        core.guestDays = limits.guestIdle
        (core.inFlight, core.replies, core.signInSeconds) = (limits.inFlight, limits.replies, limits.signInTime)
        core.items = limits.items
        (core.blob, core.quota, core.blobUnused) = (limits.blob, limits.quota, limits.blobUnused)
        core.retention = Retention(
            max: history.maxMessages.map { UInt64(clamping: $0) },
            age: history.maxAge.map { Int64(clamping: $0) }
        )
        (core.anonymous, core.anonymousCreate) = (auth.anonymous, auth.anonymousCreate)
        switch auth.passwordRule {
        case .length8: core.passwordRule = .length8
        case .classes6: core.passwordRule = .classes6
        }
        switch auth.signup {
        case .open: core.signUp = .open
        case .invite: core.signUp = .invite
        case .closed: core.signUp = .closed
        }
        return core
    }
}
