import ChatModel

extension State {
    /// CREATE (protocol.md, Conversations).
    package func decideCreate(_ create: Create, by account: AccountNumber, now: Timestamp) throws(Refusal) -> Decision {
        guard let maker = self.account(account) else { throw .needAuth }
        var asker = Access.Asker()
        asker.isGuest = maker.isGuest
        guard Access.conversation(.create, asker, isPublic: true, guestsCreate: limits.anonymousCreate) else {
            throw .denied("a guest may not create conversations")
        }
        let name = try ConversationName(checking: create.name, isTaken: isTaken)
        let title = try create.title.map { given throws(Refusal) in try checkFreeText(given, "title") }
        try checkJoined(maker)
        try checkOwned(maker)
        let creation = Creation.named(name.text, isPrivate: create.isPrivate, title: title)
        let event = Event(conversation: nextConversation, seq: 1, time: now, by: account, kind: .create(creation))
        let reply = Reply.event(conversation: "#" + name.text, seq: 1, time: now, isRepeat: false)
        return Decision(recordingGuest(account) + [.event(event)], reply: reply)
    }

    /// JOIN: a public conversation, or a private one after an invitation.
    package func decideJoin(
        _ target: ConversationTarget,
        by account: AccountNumber,
        now: Timestamp
    ) throws(Refusal) -> Decision {
        let number = try findNamed(target, account, "JOIN")
        if let done = unchanged(number, account) { return done }
        if conversation(number).banned[account] != nil { throw .denied("you are banned from this conversation") }
        guard let joiner = self.account(account) else { throw .needAuth }
        try checkJoined(joiner)
        let event = next(number, .join, by: account, now: now)
        return Decision(recordingGuest(account) + [.event(event)], reply: made(event))
    }

    /// LEAVE: an owner is followed by the eldest op, else member; the last of a private conversation drops it.
    package func decideLeave(
        _ target: ConversationTarget,
        by account: AccountNumber,
        now: Timestamp
    ) throws(Refusal) -> Decision {
        let number: ConversationNumber
        switch target {
        case .named(let key): number = try findVisible(key: key, account)
        case .direct, .pair:
            _ = try findAsMember(target, account)
            throw .denied("a 1:1 cannot be left")
        }
        let conversation = self.conversation(number)
        if conversation.isLobby { throw .denied("everybody is in the lobby") }
        guard let role = conversation.role(of: account) else {
            if conversation.isPrivate { throw .notFound }
            throw .denied("you are not a member")
        }
        let leave = next(number, .leave, by: account, now: now)
        var changes: [Change] = [.event(leave)]
        if conversation.memberCount == 1 {
            if conversation.isPrivate {
                changes.append(.event(next(number, .drop, by: .server, now: now, offset: 1)))
            }
        } else if role == .owner, let heir = conversation.successor(of: account) {
            changes.append(.event(next(number, .grant(heir, .owner), by: .server, now: now, offset: 1)))
        }
        return Decision(changes, reply: made(leave))
    }

    /// INVITE: an op or the owner; the invited one may then join.
    package func decideInvite(
        _ target: ConversationTarget,
        user: String,
        by account: AccountNumber,
        now: Timestamp
    ) throws(Refusal) -> Decision {
        let number = try findNamed(target, account, "INVITE")
        let conversation = self.conversation(number)
        guard conversation.role(of: account) != nil else {
            if conversation.isPrivate { throw .notFound }
            throw .denied("join this conversation first")
        }
        guard let invited = handles[NameFolding.key(of: user)], self.account(invited) != nil else {
            throw Refusal(.notFound, field: "user", Refusal.notFound.text)
        }
        if let done = unchanged(number, invited) { return done }
        guard Access.conversation(.change, asker(account, in: conversation), isPublic: !conversation.isPrivate) else {
            throw .denied("only an op or the owner invites")
        }
        if conversation.banned[invited] != nil { throw .denied("this user is banned here: UNBAN first") }
        if let seq = conversation.invited[invited] { return repeated(number, seq: seq) }
        let event = next(number, .invite(invited), by: account, now: now)
        // A line that names a guest stands behind the guest's own record.
        let guests = recordingGuest(account) + recordingGuest(invited)
        return Decision(guests + [.event(event)], reply: made(event))
    }

    /// The answer when `account` is a member already.
    private func unchanged(_ number: ConversationNumber, _ account: AccountNumber) -> Decision? {
        let conversation = self.conversation(number)
        guard conversation.role(of: account) != nil else { return nil }
        return repeated(number, seq: conversation.joinSeq(of: account))
    }

    func repeated(_ number: ConversationNumber, seq: Seq) -> Decision {
        Decision(
            reply: .done([.word("conv", conversation(number).name), .number("seq", seq), .flag("dup", true)])
        )
    }

    /// - Throws: `Refusal` LIMIT when `account` is in as many conversations as it may, 1:1s among them.
    func checkJoined(_ account: Account) throws(Refusal) {
        if account.conversations.count >= limits.conversationsJoined {
            throw Refusal(
                .limit,
                details: [.word("key", "limits.conversations-joined"), .number("limit", limits.conversationsJoined)],
                "you are in as many conversations as you may"
            )
        }
    }

    /// A text for people beside the messages: a reason, a note. Whatever it holds, it is shown escaped.
    /// - Throws: `Refusal` TOO-LONG or BAD-ARG naming `field`.
    package func checkNote(_ given: String, _ field: String) throws(Refusal) -> String {
        let count = given.unicodeScalars.count
        if count > Self.noteLimit {
            let details: [KeyValue] = [.number("limit", Self.noteLimit), .number("got", count)]
            throw Refusal(.tooLong, field: field, details: details, "too long, counted in Unicode characters")
        }
        if given.unicodeScalars.allSatisfy(\.properties.isWhitespace) { throw .badArg(field, "it says nothing") }
        return given
    }

    /// Unicode scalars of a note.
    private static let noteLimit = 400

    /// - Throws: `Refusal` LIMIT when `account` owns as many conversations as it may.
    func checkOwned(_ account: Account) throws(Refusal) {
        guard account.ownedCount >= limits.conversationsOwned else { return }
        throw Refusal(
            .limit,
            details: [.word("key", "limits.conversations-owned"), .number("limit", limits.conversationsOwned)],
            "this account owns as many conversations as it may"
        )
    }

    /// Embeddings, overrides and isolates; the plain marks (U+200E, U+200F, U+061C) are ordinary in Arabic and Hebrew.
    private static func turnsText(_ scalar: Unicode.Scalar) -> Bool {
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }

    /// A title or display name: 1 to `limits.title` grapheme clusters, no controls or line ends.
    /// - Throws: `Refusal` TOO-LONG or BAD-ARG naming `field`.
    func checkFreeText(_ given: String, _ field: String) throws(Refusal) -> String {
        guard given.count <= limits.title, given.utf8.count <= 64 * limits.title else {
            throw Refusal(
                .tooLong,
                field: field,
                details: [.number("limit", limits.title), .number("got", given.count)],
                "too long, counted in characters as people see them"
            )
        }
        var visible = false
        for scalar in given.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate:
                throw .badArg(field, "no control characters or line ends")
            case .format where Self.turnsText(scalar):
                throw .badArg(field, "no control characters or line ends")
            case .format: continue
            default:
                let isBlank = scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
                if !isBlank, scalar != "\u{2800}" { visible = true }
            }
        }
        guard visible else { throw .badArg(field, "it must show something") }
        return given
    }
}
