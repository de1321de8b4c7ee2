import ChatModel

/// EJECT, BAN, UNBAN, MUTE, UNMUTE, GRANT, TOPIC and DROP (protocol.md, Conversations).
extension State {
    /// - Throws: `Refusal`: first what hides the conversation, then DENIED, then what is wrong with the user named.
    package func decideModeration(
        _ moderation: Moderation,
        by account: AccountNumber,
        now: Timestamp
    ) throws(Refusal) -> Decision {
        let number = try findChangeable(moderation.target, account)
        let conversation = self.conversation(number)
        guard let user = handles[NameFolding.key(of: moderation.user)], self.account(user) != nil else { throw noUser }
        if user == account, moderation.act.isAgainst { throw .badArg("user", "this cannot be done to oneself") }
        if conversation.role(of: user) == .owner, conversation.role(of: account) != .owner {
            throw .denied("only the owner changes that of the owner")
        }
        if conversation.isLobby, moderation.act.endsMembership { throw .denied("everybody is in the lobby") }
        let kind: EventKind
        switch moderation.act {
        case .eject(let reason):
            try checkMember(user, conversation)
            kind = .eject(user, reason: try checkReason(reason))
        case .ban(let reason):
            if let seq = conversation.banned[user] { return repeated(number, seq: seq) }
            kind = .ban(user, reason: try checkReason(reason))
        case .unban:
            guard conversation.banned[user] != nil else { return repeated(number, seq: conversation.lastSeq) }
            kind = .unban(user)
        case .mute(let seconds):
            try checkMember(user, conversation)
            let until = seconds.map { Timestamp(milliseconds: now.milliseconds + $0 * 1000) }
            if let mute = conversation.muted[user], mute.until == until { return repeated(number, seq: mute.seq) }
            kind = .mute(user, until: until)
        case .unmute:
            guard conversation.muted[user] != nil else { return repeated(number, seq: conversation.lastSeq) }
            kind = .unmute(user)
        case .grant(let role): return try decideGrant(role, to: user, in: conversation, by: account, now)
        }
        let event = next(number, kind, by: account, now: now)
        return Decision(recordingGuest(user) + [.event(event)], reply: made(event))
    }

    private func decideGrant(
        _ role: Role,
        to user: AccountNumber,
        in conversation: Conversation,
        by account: AccountNumber,
        _ now: Timestamp
    ) throws(Refusal) -> Decision {
        try checkMember(user, conversation)
        let number = conversation.number
        if conversation.role(of: user) == role { return repeated(number, seq: conversation.lastSeq) }
        if user == account, conversation.role(of: account) == .owner {
            throw Refusal(.conflict, field: "user", "an owner makes somebody else the owner first")
        }
        let event = next(number, .grant(user, role), by: account, now: now)
        var changes = recordingGuest(user) + [.event(event)]
        if role == .owner {
            guard conversation.role(of: account) == .owner else { throw .denied("only the owner makes an owner") }
            guard let heir = self.account(user) else { throw noUser }
            try checkOwned(heir)
            changes.append(.event(next(number, .grant(account, .op), by: account, now: now, offset: 1)))
        }
        return Decision(changes, reply: made(event))
    }

    /// TOPIC: title and topic are one thing.
    package func decideTopic(
        _ target: ConversationTarget,
        _ title: String,
        by account: AccountNumber,
        now: Timestamp
    ) throws(Refusal) -> Decision {
        let number = try findChangeable(target, account)
        let title = try checkFreeText(title, "text")
        let conversation = self.conversation(number)
        if conversation.topic == title { return repeated(number, seq: conversation.lastSeq) }
        let event = next(number, .topic(title), by: account, now: now)
        return Decision([.event(event)], reply: made(event))
    }

    /// DROP: the owner, or the operator.
    package func decideDrop(
        _ target: ConversationTarget,
        by account: AccountNumber,
        now: Timestamp
    ) throws(Refusal) -> Decision {
        let conversation = self.conversation(try findModerated(target, account))
        if conversation.isLobby { throw .denied("the lobby is always there") }
        guard Access.conversation(.delete, asker(account, in: conversation), isPublic: !conversation.isPrivate) else {
            throw .denied("only the owner drops a conversation")
        }
        let event = next(conversation.number, .drop, by: account, now: now)
        return Decision([.event(event)], reply: made(event))
    }

    /// A conversation with a name that `account` may change.
    private func findChangeable(
        _ target: ConversationTarget,
        _ account: AccountNumber
    ) throws(Refusal) -> ConversationNumber {
        let number = try findModerated(target, account)
        let conversation = self.conversation(number)
        guard Access.conversation(.change, asker(account, in: conversation), isPublic: !conversation.isPrivate) else {
            throw .denied("only an op or the owner does this")
        }
        return number
    }

    /// A conversation with a name that `account` is in, or any for the operator.
    private func findModerated(
        _ target: ConversationTarget,
        _ account: AccountNumber
    ) throws(Refusal) -> ConversationNumber {
        guard case .named(let key) = target else {
            _ = try findAsMember(target, account)
            throw .denied("in a 1:1 both have the same rights")
        }
        if account == .operator {
            guard let number = names[key], !conversation(number).isDropped else { throw .notFound }
            return number
        }
        guard case .conversation(let number) = try findAsMember(target, account) else { throw .notFound }
        return number
    }

    private func checkMember(_ user: AccountNumber, _ conversation: Conversation) throws(Refusal) {
        guard conversation.role(of: user) != nil else { throw noUser }
    }

    private func checkReason(_ reason: String?) throws(Refusal) -> String? {
        guard let reason else { return nil }
        return try checkNote(reason, "reason")
    }

    private var noUser: Refusal { Refusal(.notFound, field: "user", Refusal.notFound.text) }
}

extension Moderation.Act {
    /// Takes something from somebody.
    fileprivate var isAgainst: Bool {
        switch self {
        case .eject, .ban, .mute: true
        case .unban, .unmute, .grant: false
        }
    }

    fileprivate var endsMembership: Bool {
        switch self {
        case .eject, .ban, .unban: true
        case .mute, .unmute, .grant: false
        }
    }
}
