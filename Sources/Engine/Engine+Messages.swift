import Bytes
import ChatCore
import ChatModel
import Wire

extension Engine {
    /// SEND: the hot path.
    func send(_ send: Send, _ request: Request, _ batch: RequestBatch, _ state: State) throws(Refusal) {
        if isBlind { try checkNeedsNoState(request.command) }
        let key = request.connection
        try checkScope(request.command, key)
        let account = try account(of: key)
        switch try state.decideSend(send, by: account, now: now) {
        case .text(let message, let conversation):
            try checkWritable()
            guard let author = state.account(account) else { throw .needAuth }
            if !author.isRecorded { recordIfGuest(account) }
            commit(message, to: conversation, by: author, arena: batch.arena.readable)
            let reply = Reply.event(
                conversation: conversation.name,
                seq: message.seq,
                time: message.time,
                isRepeat: false
            )
            hold(.reply(key, request.tag, reply), for: key)
        case .repeated(let sent):
            let name = state.name(of: sent.conversation)
            self.send(.event(conversation: name, seq: sent.seq, time: sent.time, isRepeat: true), to: request)
        case .message(let event):
            try checkWritable()
            recordIfGuest(account)
            commit(event, arena: batch.arena.readable, together: false)
            self.send(made(event), to: request)
        case .opening(let create, let message):
            try checkWritable()
            recordIfGuest(account)
            let arena = batch.arena.readable
            // The line names both, so both stand in front of it.
            if case .create(.direct(let a, let b)) = create.kind { for side in [a, b] { recordIfGuest(side) } }
            commit(create, arena: arena, together: true)
            commit(message, arena: arena, together: false)
            self.send(made(message), to: request)
        }
    }

    /// Writes a guest down in front of the first event that is its or names it, kept or lost together with that.
    func recordIfGuest(_ account: AccountNumber) {
        if content.state.isRecorded(account) { return }
        for change in content.state.changesBefore(actionOf: account) { commit(change, together: true) }
    }

    func made(_ event: Event) -> Reply {
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
        let (lines, count) = copy(page.seqs, of: number, for: account)
        return .lines(lines, count: count, more: page.more)
    }

    /// Messages as they read now, with what stands under them. O(bytes).
    func copy(
        _ seqs: [Seq],
        of number: ConversationNumber,
        for account: AccountNumber
    ) -> (lines: LineCopy, count: Int) {
        var out = ByteBuffer(capacity: 4096)
        var count = 0
        let timeline = content.timeline(number)
        let reactions = content.state.conversation(number).reactions
        for seq in seqs {
            timeline.withLine(seq) { line in
                if let under = reactions[seq], let summary = under.summary {
                    var fields = [KeyValue.text("react", summary)]
                    if let mine = under.mine(account) { fields.append(.text("mine", mine)) }
                    EventRewriter.insert(fields, in: line, into: &out)
                } else {
                    out.append(line)
                }
                out.append(byte: 0x0A)
                count += 1
            }
        }
        return (LineCopy(Array(out.readable)), count)
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
        if let seq = overview.newestMessage, let text = preview(overview.number, seq, from: overview.firstVisible) {
            fields.append(.text("preview", text))
        }
        fields += [.number("unread", overview.unread), .word("role", role.rawValue)]
        if let topic = conversation.topic { fields.append(.text("title", topic)) }
        return fields
    }

    /// Messages without a text that a preview looks past.
    private static let previewDepth = 20

    /// The first 80 characters of the newest text, among the last few messages up to `seq`.
    private func preview(_ number: ConversationNumber, _ seq: Seq, from first: Seq) -> String? {
        let index = content.state.conversation(number).messages
        let last = index.count(through: seq)
        let timeline = content.timeline(number)
        for back in 1...UInt64(Self.previewDepth) where back <= last {
            guard let seq = index.seq(ofMessage: last - back), seq >= first else { return nil }
            let text = timeline.withLine(seq) { EventParser.parse($0)?.field("text") } ?? nil
            if let text { return String(text.prefix(80)) }
        }
        return nil
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
            row("limits.reactions", limits.reactions),
            row("limits.blocks", limits.blocks, used: account?.blocked.count),
            row("limits.avatar", limits.avatar),
            row("limits.subscriptions", limits.subscriptions, used: connection.subscriptions.count),
            row("limits.conversations-owned", limits.conversationsOwned, used: account?.ownedCount),
            row("limits.conversations-joined", limits.conversationsJoined, used: account?.conversations.count),
            row("limits.items", limits.items, used: account?.itemCount),
            row("limits.collections", limits.collections),
            row("limits.sessions", limits.sessions, used: account?.sessions.count),
            row("limits.tokens", limits.tokens, used: account?.tokens.count),
            row("limits.nonces", limits.nonces),
            row("limits.in-flight", limits.inFlight),
            row("limits.replies", limits.replies),
            row("limits.sign-in-time", limits.signInSeconds),
            row("limits.blob", limits.blob),
            row("limits.quota", limits.quota, used: account.map { Int(clamping: $0.blobBytes) }),
            row("limits.blob-unused", limits.blobUnused),
        ]
        return .done(rows: rows, [.number("n", rows.count)])
    }
}
