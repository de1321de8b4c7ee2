import Wire

extension Talk {
    /// A connection is greeted and signed in as `user`.
    package mutating func connected(hello: ServerLine, user: String) -> [Effect] {
        let isFirst = conversations.isEmpty
        self.user = user
        isConnected = true
        do {
            var effects: [Effect] = isFirst ? [] : [.show("-- connected again")]
            effects += try plan.connected(hello: hello, user: user).map { .ask($0.request, .follow) }
            effects += notes()
            lister = ListPager("CONVS", key: "conv")
            effects += nextOfList()
            if let away { effects += presence(away, for: .silent) }
            if isFirst {
                open(Self.lobby)
                held = []
                effects += history(of: Self.lobby, [.init("limit", "\(Self.opening)")], .opening(Self.lobby))
            }
            return effects + unsent()
        } catch {
            return [.show("! \(Self.text(of: error))")]
        }
    }

    /// The connection is gone; the program tries again. `reason` is visible text.
    package mutating func connectionLost(_ reason: String) -> [Effect] {
        let was = isConnected
        isConnected = false
        sending.connectionLost()
        // What was held back is still to be seen; the opening does not come any more.
        let late = releaseHeld()
        return late + (was ? [.show("-- \(reason); trying again")] : [])
    }

    func nextOfList() -> [Effect] { lister?.next().map { [.ask($0, .list)] } ?? [] }

    func history(of name: String, _ options: [Request.Option], _ purpose: Purpose) -> [Effect] {
        request("HISTORY", options, [name], for: purpose)
    }

    mutating func unsent() -> [Effect] { sending.takeUnsent().map { .ask($0.request, .send($0.number)) } }

    mutating func notes() -> [Effect] { plan.takeNotes().map { .show("-- " + VisibleText.line($0)) } }

    mutating func releaseHeld() -> [Effect] {
        guard let waiting = held else { return [] }
        held = nil
        return waiting.flatMap { happened($0) }
    }

    /// An EV has come.
    package mutating func event(_ line: ServerLine) -> [Effect] {
        if held != nil {
            held?.append(line)
            return []
        }
        return happened(line)
    }

    private mutating func happened(_ line: ServerLine) -> [Effect] {
        if line.kind == "conv" { return listChanged(line) }
        if line.kind == "notice" { return line["text"].map { [.show("* the operator: " + shown($0))] } ?? [] }
        if line.kind == "seen" { readElsewhere(line) }
        guard plan.shows(line), let name = line["conv"] else { return notes() }
        // The word that one has left, or that it is gone, comes before the event itself.
        let isLast = line.kind == "drop" || (line.kind == "leave" && line["by"] == user)
        if isLast, index(of: name) == nil { return notes() }
        let at = open(name)
        conversations[at].isInvitation = false
        if Self.key(of: conversations[at].name) != Self.key(of: name) { conversations[at].name = name }
        if Self.key(of: name) == current || Self.key(of: title(of: name)) == current {
            current = Self.key(of: name)
            if conversations[at].oldest == nil { conversations[at].oldest = line.number("seq") }
            noteShown(line, at)
            return (formatter.text(of: line).map { [.show($0)] } ?? []) + notes()
        }
        return elsewhere(line, at) + notes()
    }

    /// Something in a conversation that is not in view: its count, and a word when that begins.
    private mutating func elsewhere(_ line: ServerLine, _ at: Int) -> [Effect] {
        guard line.kind == "msg", line["by"] != user else { return [] }
        conversations[at].unread &+= 1
        conversations[at].newestCounted = line.number("seq")
        if conversations[at].isMuted { return [] }
        let ring: [Effect] = hasBell ? [.ring] : []
        guard conversations[at].unread == 1 else { return ring }
        let name = shown(title(of: conversations[at].name))
        return ring + [.show("-- new in \(name) from \(shown(line["by"] ?? "?")): /switch \(at + 1)")]
    }

    /// My list of conversations has changed (protocol.md, Events).
    private mutating func listChanged(_ line: ServerLine) -> [Effect] {
        guard let name = line["conv"] else { return [] }
        switch line["state"] {
        case "invited":
            let at = open(name)
            conversations[at].isInvitation = true
            return [.show("-- \(shown(line["by"] ?? "?")) invites you to \(shown(name)): /join \(shown(name))")]
        case "joined", "created":
            conversations[open(name)].isInvitation = false
            return []
        case "left", "dropped": return forget(name)
        default: return []
        }
    }

    mutating func forget(_ name: String) -> [Effect] {
        guard let at = index(of: name) else { return [] }
        let gone = conversations.remove(at: at)
        let word = Effect.show("-- you are no longer in \(shown(gone.name))")
        return Self.key(of: gone.name) == current ? [word] + enter(Self.lobby) : [word]
    }

    /// Brings a conversation into view: what is new in it is asked for.
    mutating func enter(_ name: String) -> [Effect] {
        let at = open(name)
        let conversation = conversations[at]
        current = Self.key(of: conversation.name)
        conversations[at].wasUnread = conversation.unread > 0
        conversations[at].unread = 0
        conversations[at].oldest = nil
        let new = conversation.unread > 0 ? ", \(conversation.unread) new" : ""
        let head = Effect.show("--- \(shown(title(of: conversation.name)))\(new) ---")
        guard isConnected else { return [head] }
        let count = min(max(conversation.unread &+ 5, Self.opening), 200)
        return [head] + history(of: conversation.name, [.init("limit", "\(count)")], .opening(conversation.name))
    }

    /// A file was taken by the server, under this blob.
    package mutating func uploaded(blob: String, conversation: String, caption: String?) -> [Effect] {
        do {
            try sending.add(to: conversation, text: caption, options: [.init("blob", blob)])
            return isConnected ? unsent() : []
        } catch {
            return [.show("! \(Self.text(of: error))")]
        }
    }
}
