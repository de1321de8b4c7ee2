import Wire

extension Talk {
    /// A reply has come: its rows, and its OK or ERR.
    package mutating func answered(_ purpose: Purpose, rows: [ServerLine], end: ServerLine) -> [Effect] {
        if end.word == .error { return refused(purpose, end) }
        switch purpose {
        case .follow: return followed(rows: rows, end: end)
        case .list: return listed(rows)
        case .send(let number):
            _ = sending.answered(number)
            return []
        case .opening(let name): return opened(name, rows)
        case .older(let name): return older(name, rows, end)
        case .members: return [.show("-- " + rows.compactMap(member).joined(separator: ", "))]
        case .enter(let name): return enter(end["conv"] ?? name)
        case .leave(let name): return forget(name)
        case .said(let text): return [.show("-- " + text)]
        }
    }

    private mutating func refused(_ purpose: Purpose, _ end: ServerLine) -> [Effect] {
        switch purpose {
        case .follow: return followed(rows: [], end: end)
        case .send(let number):
            let text = sending.answered(number).map { ": " + shown(String($0.prefix(60))) } ?? ""
            return [.show("! not sent (\(words(of: end)))\(text)")]
        case .opening:
            // A 1:1 that nobody has written to is not there yet.
            return releaseHeld() + (end.kind == "NOT-FOUND" ? [] : [.show("! \(words(of: end))")])
        default: return [.show("! \(words(of: end))")]
        }
    }

    /// A refusal as people read it.
    func words(of end: ServerLine) -> String {
        let code = VisibleText.line(end.kind ?? "ERR")
        guard let human = end.human else { return code }
        return "\(shown(human)) [\(code)]"
    }

    private mutating func followed(rows: [ServerLine], end: ServerLine) -> [Effect] {
        do {
            switch try plan.subscribed("", rows: rows, end: end) {
            case .goOn: return notes()
            case .ask(let request): return notes() + [.ask(request, .follow)]
            case .tryLater(_, let seconds): return notes() + [.reconnect(seconds: seconds)]
            case .refused(let line): return notes() + [.show("! \(words(of: line))")]
            }
        } catch {
            return [.show("! \(Self.text(of: error))")]
        }
    }

    private mutating func listed(_ rows: [ServerLine]) -> [Effect] {
        let isFirst = conversations.count == 1
        for row in rows {
            guard let name = row["conv"] else { continue }
            let at = open(name)
            conversations[at].name = name
            conversations[at].isInvitation = row["role"] == "invited"
            // Later lists know no better than what was counted here.
            if isFirst, Self.key(of: name) != current { conversations[at].unread = row.number("unread") ?? 0 }
        }
        let waiting = conversations.indices.filter { conversations[$0].unread > 0 || conversations[$0].isInvitation }
        return isFirst ? waiting.map { .show("-- " + entry($0)) } : []
    }

    private mutating func opened(_ name: String, _ rows: [ServerLine]) -> [Effect] {
        let late = { (talk: inout Talk) in talk.releaseHeld() }
        guard let at = index(of: name), Self.key(of: conversations[at].name) == current else { return late(&self) }
        let bound = conversations[at].oldest
        let fresh = rows.filter { row in bound.map { (row.number("seq") ?? 0) < $0 } ?? true }
        conversations[at].oldest = rows.first?.number("seq") ?? bound
        markShown(rows)
        return fresh.compactMap { formatter.text(of: $0) }.map(Effect.show) + late(&self)
    }

    /// What history has shown does not come again as an event.
    private mutating func markShown(_ rows: [ServerLine]) {
        guard let newest = rows.last?.number("seq") else { return }
        held?.removeAll { $0["conv"] == rows.last?["conv"] && ($0.number("seq") ?? .max) <= newest }
    }

    private mutating func older(_ name: String, _ rows: [ServerLine], _ end: ServerLine) -> [Effect] {
        guard let at = index(of: name) else { return [] }
        guard !rows.isEmpty else { return [.show("-- nothing older in \(shown(title(of: name)))")] }
        conversations[at].oldest = rows.first?.number("seq") ?? conversations[at].oldest
        let more = end["more"] == "yes" ? "; /history for more" : ""
        return [.show("--- older in \(shown(title(of: name))) ---")]
            + rows.compactMap { formatter.text(of: $0) }.map(Effect.show) + [.show("--- up to here older\(more) ---")]
    }

    private func member(_ row: ServerLine) -> String? {
        guard let user = row["user"] else { return nil }
        let role = row["role"].flatMap { $0 == "member" ? nil : " (\(VisibleText.line($0)))" } ?? ""
        return shown(user) + role
    }

    /// `3 #garden  2 new`, as /convs lists it.
    func entry(_ at: Int) -> String {
        let conversation = conversations[at]
        var text = "\(at + 1) \(shown(title(of: conversation.name)))"
        if conversation.isInvitation { text += "  invited: /join \(shown(conversation.name))" }
        if conversation.unread > 0 { text += "  \(conversation.unread) new" }
        return text
    }
}
