import Bytes
import ChatCore
import ChatModel
import Wire

extension Engine {
    /// SEND: the hot path.
    func send(_ send: Send, from key: ConnectionKey, _ batch: RequestBatch) throws(Refusal) -> Reply {
        let account = try account(of: key)
        let decision = try content.state.decideSend(send, by: account, now: now)
        if case .repeated(let sent) = decision {
            let name = content.state.name(of: sent.conversation)
            return .event(conversation: name, seq: sent.seq, time: sent.time, isRepeat: true)
        }
        try checkWritable()
        recordIfGuest(account)
        let arena = batch.arena.readable
        switch decision {
        case .repeated(let sent):
            return .event(conversation: "", seq: sent.seq, time: sent.time, isRepeat: true)
        case .message(let event):
            commit(event, arena: arena, together: false)
            return made(event)
        case .opening(let create, let message):
            // The line names both, so both stand in front of it.
            if case .create(.direct(let a, let b)) = create.kind { for side in [a, b] { recordIfGuest(side) } }
            commit(create, arena: arena, together: true)
            commit(message, arena: arena, together: false)
            return made(message)
        }
    }

    /// Writes a guest down in front of the first event that is its or names it, kept or lost together with that.
    func recordIfGuest(_ account: AccountNumber) {
        if content.state.isRecorded(account) { return }
        for change in content.state.changesBefore(actionOf: account) { commit(change, together: true) }
    }

    private func made(_ event: Event) -> Reply {
        .event(
            conversation: content.state.name(of: event.conversation),
            seq: event.seq,
            time: event.time,
            isRepeat: false
        )
    }

    /// HISTORY: checks rights and copies at most 200 lines.
    func history(_ history: History, _ account: AccountNumber) throws(Refusal) -> Reply {
        let found = try content.state.findAsMember(history.target, account)
        var range = HistoryRange.newest
        if case .conversation(let number) = found { range = self.range(history.direction, in: number) }
        let page = content.state.decideHistory(in: found, range, limit: history.limit, by: account)
        guard let number = page.conversation else { return .done([.number("n", 0), .flag("more", false)]) }
        var bytes: [UInt8] = []
        let timeline = content.timeline(number)
        for seq in page.seqs {
            timeline.withLine(seq) { line in
                bytes.append(contentsOf: line)
                bytes.append(0x0A)
            }
        }
        return .lines(LineCopy(bytes), count: page.seqs.count, more: page.more)
    }

    private func range(_ direction: History.Direction, in number: ConversationNumber) -> HistoryRange {
        let timeline = content.timeline(number)
        switch direction {
        case .newest: return .newest
        case .before(.seq(let seq)): return .before(seq)
        case .after(.seq(let seq)): return .after(seq)
        case .around(.seq(let seq)): return .around(seq)
        case .before(.time(let time)): return .before(timeline.firstSeq(notBefore: time))
        case .after(.time(let time)):
            let next = Timestamp(milliseconds: time.milliseconds + 1)
            return .after(timeline.firstSeq(notBefore: next) - 1)
        case .around(.time(let time)): return .around(timeline.firstSeq(notBefore: time))
        }
    }

    /// CONVS: mine, newest activity first, with the newest text one may see.
    func conversations(of account: AccountNumber, _ page: Page) -> Reply {
        var all = content.state.overview(of: account)[...]
        if let after = page.after, let at = all.firstIndex(where: { content.state.name(of: $0.number) == after }) {
            all = all[(at + 1)...]
        }
        let rows = all.prefix(page.limit).map { Row("conv", fields(of: $0)) }
        return .done(rows: rows, [.number("n", rows.count), .flag("more", all.count > page.limit)])
    }

    private func fields(of overview: ConversationOverview) -> [KeyValue] {
        let conversation = content.state.conversation(overview.number)
        var fields: [KeyValue] = [.word("conv", conversation.name)]
        guard let role = overview.role else {
            fields.append(.word("role", "invited"))
            if let topic = conversation.topic { fields.append(.text("title", topic)) }
            return fields
        }
        fields += [
            .number("last-seq", conversation.lastSeq), .time("last-ts", conversation.lastTime),
            .word("last-kind", conversation.lastKind),
        ]
        if let seq = overview.newestMessage, let text = preview(overview.number, seq) {
            fields.append(.text("preview", text))
        }
        fields += [.number("unread", overview.unread), .word("role", role.rawValue)]
        if let topic = conversation.topic { fields.append(.text("title", topic)) }
        return fields
    }

    /// The first 80 characters of a message's text.
    private func preview(_ number: ConversationNumber, _ seq: Seq) -> String? {
        let text = content.timeline(number).withLine(seq) { EventParser.parse($0)?.field("text") }
        return (text ?? nil).map { String($0.prefix(80)) }
    }

    /// LIMITS: every number that can bite the caller, with current use.
    func limits(_ key: ConnectionKey) -> Reply {
        let limits = content.state.limits
        let connection = self.connection(key)
        let account = connection.account.flatMap { content.state.account($0) }
        func row(_ name: String, _ value: Int, used: Int? = nil) -> Row {
            var fields: [KeyValue] = [.word("key", name), .number("value", value)]
            if let used { fields.append(.number("used", used)) }
            return Row("limit", fields)
        }
        let rows = [
            row("limits.text", limits.text),
            row("limits.line", limits.line),
            row("limits.subscriptions", limits.subscriptions, used: connection.subscriptions.count),
            row("limits.conversations-owned", limits.conversationsOwned, used: account?.ownedCount),
            row("limits.conversations-joined", limits.conversationsJoined, used: account?.conversations.count),
            row("limits.sessions", limits.sessions, used: account?.sessions.count),
            row("limits.nonces", limits.nonces),
            row("limits.in-flight", limits.inFlight),
            row("limits.replies", limits.replies),
            row("limits.sign-in-time", limits.signInSeconds),
            row("limits.blob", limits.blob),
            row("limits.quota", limits.quota, used: account.map { Int(clamping: $0.blobBytes) }),
        ]
        return .done(rows: rows, [.number("n", rows.count)])
    }
}
