import ChatModel

/// What a request's conversation word stands for, after the right to see it was checked.
package enum Found: Sendable {
    case conversation(ConversationNumber)
    /// A 1:1 that has no event yet; both accounts exist.
    case unopened(with: AccountNumber)
}

extension State {
    /// Finds a conversation that `account` is a member of.
    /// - Throws: `Refusal`: NOT-FOUND for what is not there or private to others, DENIED for a public one that was not
    ///   joined, BAD-ARG for a 1:1 with oneself.
    package func findAsMember(_ target: ConversationTarget, _ account: AccountNumber) throws(Refusal) -> Found {
        switch target {
        case .named(let key):
            guard let number = names[key] else { throw .notFound }
            let conversation = conversations[Int(number.raw) - 1]
            if conversation.isDropped { throw .notFound }
            guard conversation.role(of: account) != nil else {
                if conversation.isPrivate { throw .notFound }
                throw .denied("join this conversation first")
            }
            return .conversation(number)
        case .direct(let key):
            guard let other = handles[key] else { throw .notFound }
            return try direct(account, other)
        case .pair(let first, let second):
            guard let a = handles[first], let b = handles[second], a == account || b == account else {
                throw .notFound
            }
            return try direct(account, a == account ? b : a)
        }
    }

    /// Finds a conversation that `account` may know of: public, or its own, or invited to.
    /// - Throws: `Refusal` NOT-FOUND, or BAD-ARG for a 1:1 with oneself.
    func findVisible(_ target: ConversationTarget, _ account: AccountNumber) throws(Refusal) -> Found {
        guard case .named(let key) = target else { return try findAsMember(target, account) }
        let number = try findVisible(key: key, account)
        let conversation = self.conversation(number)
        // Who is in a private conversation is for those who are.
        if conversation.isPrivate, conversation.role(of: account) == nil { throw .notFound }
        return .conversation(number)
    }

    /// A named conversation that `account` may know of: public, or a member, or invited.
    func findVisible(key: String, _ account: AccountNumber) throws(Refusal) -> ConversationNumber {
        guard let number = names[key] else { throw .notFound }
        let conversation = conversation(number)
        if conversation.isDropped { throw .notFound }
        if conversation.isPrivate, conversation.role(of: account) == nil, conversation.invited[account] == nil {
            throw .notFound
        }
        return number
    }

    private func direct(_ account: AccountNumber, _ other: AccountNumber) throws(Refusal) -> Found {
        if other == account { throw .badArg("conv", "a 1:1 takes two") }
        guard let number = directs[Pair(account, other)] else {
            if self.account(other) == nil { throw .notFound }
            return .unopened(with: other)
        }
        return .conversation(number)
    }

    /// A named conversation for verbs that make no sense in a 1:1.
    func findNamed(
        _ target: ConversationTarget,
        _ account: AccountNumber,
        _ verb: String
    ) throws(Refusal) -> ConversationNumber {
        guard case .named(let key) = target else {
            _ = try findAsMember(target, account)
            throw .denied("\(verb) takes a conversation with a name: in a 1:1 there are two, always the same")
        }
        return try findVisible(key: key, account)
    }

    /// The next event of a conversation, `offset` behind others of the same decision; its time is never before the one in
    /// front of it.
    func next(
        _ number: ConversationNumber,
        _ kind: EventKind,
        by: AccountNumber,
        now: Timestamp,
        offset: UInt64 = 0
    ) -> Event {
        let conversation = self.conversation(number)
        return Event(
            conversation: number,
            seq: conversation.nextSeq + offset,
            time: max(now, conversation.lastTime),
            by: by,
            kind: kind
        )
    }

    /// The answer of a verb that made `event`.
    func made(_ event: Event) -> Reply {
        .event(
            conversation: conversation(event.conversation).name,
            seq: event.seq,
            time: event.time,
            isRepeat: false
        )
    }

    /// The changes that go in front of the first thing a guest leaves behind: the guest itself.
    func recordingGuest(_ number: AccountNumber) -> [Change] {
        guard let guest = account(number), !guest.isRecorded else { return [] }
        return [
            .ledger(
                .account(
                    AccountRecord(
                        number: number,
                        handle: guest.handle.text,
                        display: guest.display,
                        phone: nil,
                        email: nil,
                        password: nil,
                        isGuest: true,
                        created: guest.created,
                        session: guest.sessions.last?.hash,
                        lobbyRead: guest.lobbyRead
                    )
                )
            )
        ]
    }
}
