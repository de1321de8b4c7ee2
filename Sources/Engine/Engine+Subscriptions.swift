import ChatCore
import ChatModel

extension Engine {
    /// SUB conv: a cursor behind `since`, before the last so many events, or at the end.
    func subscribe(_ subscribe: Subscribe, _ key: ConnectionKey, _ account: AccountNumber) throws(Refusal) -> Reply {
        switch try content.state.findAsMember(subscribe.target, account) {
        case .unopened(let other):
            if case .since(let seq) = subscribe.start, seq > 0 { throw beyondEnd(next: 1) }
            try checkSubscriptions(key, adds: !connection(key).unopened.contains(other))
            change(key) { $0.unopened.insert(other) }
            return .done([.word("conv", content.state.directName(account, other)), .number("next", 1)])
        case .conversation(let number):
            let conversation = content.state.conversation(number)
            var start: Seq
            switch subscribe.start {
            case .now: start = conversation.nextSeq
            case .since(let seq):
                if seq >= conversation.nextSeq { throw beyondEnd(next: conversation.nextSeq) }
                start = max(seq + 1, conversation.firstVisible(to: account))
                if start < conversation.firstSeq { throw kept(from: conversation.firstSeq) }
            case .last(let count): start = conversation.nextSeq - min(count, conversation.nextSeq - 1)
            }
            start = max(start, conversation.firstReadable(to: account))
            try checkSubscriptions(key, adds: !connection(key).subscriptions.contains(number))
            addCursor(key, number, from: start)
            return .done([.word("conv", conversation.name), .number("next", conversation.nextSeq)])
        }
    }

    /// SUB all=yes: every conversation of the account, present and future.
    func subscribeAll(since: Timestamp?, _ key: ConnectionKey, _ account: AccountNumber) throws(Refusal) -> Reply {
        let mine = [.lobby] + (content.state.account(account)?.conversations ?? [])
        let subscribed = connection(key).subscriptions
        if subscribed.union(mine).count > content.state.limits.subscriptions { throw tooManySubscriptions() }
        change(key) { $0.followsAll = true }
        let rows = mine.map { number in
            let conversation = content.state.conversation(number)
            if let since {
                let first = content.timeline(number).firstSeq(notBefore: since)
                let visible = conversation.firstVisible(to: account)
                addCursor(key, number, from: max(first, conversation.firstReadable(to: account)))
                if isAnythingGone(of: conversation, from: visible, since: since) {
                    hold(.tellGone(key, number, first: conversation.firstSeq), for: key)
                }
            } else if !subscribed.contains(number) {
                addCursor(key, number, from: conversation.nextSeq)
            }
            return Row("sub", [.word("conv", conversation.name), .number("next", conversation.nextSeq)])
        }
        return .done(rows: rows, [.number("n", rows.count)])
    }

    func unsubscribe(
        _ target: ConversationTarget,
        _ key: ConnectionKey,
        _ account: AccountNumber
    ) throws(Refusal) -> Reply {
        switch try content.state.findAsMember(target, account) {
        case .unopened(let other):
            change(key) { $0.unopened.remove(other) }
            return .done([.word("conv", content.state.directName(account, other))])
        case .conversation(let number):
            if connection(key).subscriptions.contains(number) { removeCursor(key, number, ends: false) }
            return .done([.word("conv", content.state.name(of: number))])
        }
    }

    /// UNSUB all=yes: nothing is followed any more.
    func unsubscribeAll(_ key: ConnectionKey) -> Reply {
        for number in connection(key).subscriptions.sorted() { removeCursor(key, number, ends: false) }
        change(key) { ($0.followsAll, $0.unopened) = (false, []) }
        return .done([])
    }

    func subscriptions(_ key: ConnectionKey) -> Reply {
        let connection = self.connection(key)
        var rows = connection.subscriptions.sorted().map { number in
            let conversation = content.state.conversation(number)
            return Row("sub", [.word("conv", conversation.name), .number("next", conversation.nextSeq)])
        }
        if let account = connection.account {
            rows += connection.unopened.sorted().map {
                Row("sub", [.word("conv", content.state.directName(account, $0)), .number("next", 1)])
            }
        }
        rows += collectionSubscriptions(key)
        return .done(rows: rows, [.number("n", rows.count)])
    }

    /// A conversation appeared in an account's list: connections that asked for it, or for all, hear it from `seq` on.
    func follow(_ number: ConversationNumber, _ key: ConnectionKey, _ account: AccountNumber, from seq: Seq) {
        var wanted = connection(key).followsAll
        if case .direct(let a, let b, _) = content.state.conversation(number).title {
            let other = a == account ? b : a
            if connection(key).unopened.contains(other) {
                wanted = true
                change(key) { $0.unopened.remove(other) }
            }
        }
        guard wanted, !connection(key).subscriptions.contains(number),
            connection(key).subscriptions.count < content.state.limits.subscriptions
        else { return }
        addCursor(key, number, from: seq)
    }

    /// Puts a connection's cursor in front of `seq`.
    private func addCursor(_ key: ConnectionKey, _ number: ConversationNumber, from seq: Seq) {
        let loop = Int(key.loop)
        let timeline = content.timelines[Int(number.raw) - 1]
        if loops[loop].cursorCount(number) == 0 {
            let open = LoopMail.open(number, published(number))
            loops[loop].held.append(open, at: appended)
        } else {
            // The list this loop has may lack lines of this turn; a place in them must not run ahead of it.
            publish(number)
        }
        if !connection(key).subscriptions.contains(number) {
            loops[loop].addCursors(1, number)
            change(key) { $0.subscriptions.insert(number) }
        }
        hold(.subscribe(key, number, timeline.place(of: seq)), for: key)
    }

    /// Takes a connection's cursor away: at once, or (`ends`) after what was said so far.
    func removeCursor(_ key: ConnectionKey, _ number: ConversationNumber, ends: Bool) {
        let loop = Int(key.loop)
        change(key) { $0.subscriptions.remove(number) }
        if ends {
            publish(number)
            hold(.end(key, number), for: key)
        } else {
            hold(.unsubscribe(key, number), for: key)
        }
        loops[loop].addCursors(-1, number)
        if loops[loop].cursorCount(number) == 0 { hold(.close(number), for: key) }
    }

    /// A right was lost: no event after this one reaches any connection of the account.
    func endCursors(of account: AccountNumber, in number: ConversationNumber) {
        for key in connectionsOf[account, default: []] where connection(key).subscriptions.contains(number) {
            removeCursor(key, number, ends: true)
        }
        endItemCursors(of: account, in: number)
    }

    /// The conversation has had its last event. O(connections).
    func endAllCursors(in number: ConversationNumber) {
        for loop in loops.indices {
            for slot in loops[loop].connections.indices
            where loops[loop].connections[slot].subscriptions.contains(number) {
                let generation = loops[loop].connections[slot].generation
                removeCursor(ConnectionKey(loop: loop, slot: slot, generation: generation), number, ends: true)
            }
        }
        endAllItemCursors(in: number)
    }

    func checkSubscriptions(_ key: ConnectionKey, adds: Bool) throws(Refusal) {
        let connection = self.connection(key)
        let count =
            connection.subscriptions.count + connection.unopened.count + connection.collections.count
            + connection.awaited.count
        if adds, count >= content.state.limits.subscriptions { throw tooManySubscriptions() }
    }

    private func tooManySubscriptions() -> Refusal {
        Refusal(
            .limit,
            details: [
                .word("key", "limits.subscriptions"), .number("limit", content.state.limits.subscriptions),
            ],
            "too many subscriptions on this connection"
        )
    }

    func kept(from first: Seq) -> Refusal {
        Refusal(.gone, details: [.number("first", first)], "what is older than first= is kept no more")
    }

    func beyondEnd(next: Seq) -> Refusal {
        Refusal(.conflict, details: [.number("next", next)], "since= is beyond the end")
    }
}
