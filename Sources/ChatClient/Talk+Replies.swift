import Wire

extension Talk {
    /// A reply has come: its rows, and its OK or ERR.
    package mutating func answered(_ purpose: Purpose, rows: [ServerLine], end: ServerLine) -> [Effect] {
        if end.word == .error { return refused(purpose, end) }
        switch purpose {
        case .follow: return followed(rows: rows, end: end)
        case .list: return listed(rows, end)
        case .send(let number):
            _ = sending.answered(number)
            return []
        case .opening(let name): return opened(name, rows)
        case .older(let name): return older(name, rows, end)
        case .who: return present(rows)
        case .done: return end["dup"] == "yes" ? [.show("-- it is so already")] : []
        case .silent: return []
        case .members: return [.show("-- " + rows.compactMap(member).joined(separator: ", "))]
        case .enter(let name): return enter(end["conv"] ?? name)
        case .leave(let name): return forget(name)
        case .said(let text): return [.show("-- " + text)]
        }
    }

    private mutating func refused(_ purpose: Purpose, _ end: ServerLine) -> [Effect] {
        switch purpose {
        case .follow: return followed(rows: [], end: end)
        case .silent: return []
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

    private mutating func listed(_ rows: [ServerLine], _ end: ServerLine) -> [Effect] {
        for row in rows {
            guard let name = row["conv"] else { continue }
            let at = open(name)
            conversations[at].name = name
            conversations[at].isInvitation = row["role"] == "invited"
            // Later lists know no better than what was counted here.
            guard !isListed, let unread = row.number("unread") else { continue }
            if Self.key(of: name) == current {
                conversations[at].wasUnread = unread > 0
            } else {
                conversations[at].unread = unread
            }
        }
        lister?.take(rows: rows, end: end)
        let more = nextOfList()
        if !more.isEmpty { return more }
        defer { (lister, isListed) = (nil, true) }
        let waiting = conversations.indices.filter { conversations[$0].unread > 0 || conversations[$0].isInvitation }
        return isListed ? [] : waiting.map { .show("-- " + entry($0)) }
    }

    private mutating func opened(_ name: String, _ rows: [ServerLine]) -> [Effect] {
        let late = { (talk: inout Talk) in talk.releaseHeld() }
        guard let at = index(of: name), Self.key(of: conversations[at].name) == current else { return late(&self) }
        let bound = conversations[at].oldest
        let fresh = rows.filter { row in bound.map { (row.number("seq") ?? 0) < $0 } ?? true }
        conversations[at].oldest = rows.first?.number("seq") ?? bound
        if markShown(rows) { conversations[at].wasUnread = true }
        let marked = conversations[at].unmarked
        for row in rows { noteShown(row, at) }
        // What was read before needs no word.
        if !conversations[at].wasUnread { conversations[at].unmarked = marked }
        conversations[at].wasUnread = false
        return fresh.compactMap { formatter.text(of: $0) }.map(Effect.show) + late(&self)
    }

    /// What history has shown does not come again as an event.
    /// - Returns: whether that was a message of others.
    private mutating func markShown(_ rows: [ServerLine]) -> Bool {
        guard let newest = rows.last?.number("seq"), let waiting = held else { return false }
        let isShown = { (line: ServerLine) in
            line["conv"] == rows.last?["conv"] && (line.number("seq") ?? .max) <= newest
        }
        held?.removeAll(where: isShown)
        return waiting.contains { isShown($0) && $0.kind == "msg" && $0["by"] != user }
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
        if conversation.isMuted { text += "  muted" }
        return text
    }
}
