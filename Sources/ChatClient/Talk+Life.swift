import Wire

/// What the person does to messages, and how he is told of others.
extension Talk {
    /// Another text for a message; without a number for the newest own one.
    func edit(_ number: UInt64?, _ text: String) -> [Effect] {
        guard let id = number ?? currentConversation?.newestOwn else { return Self.noMessage("of yours") }
        return request("EDIT", [], [currentName, "\(id)"], rest: text, for: .done)
    }

    func delete(_ number: UInt64?) -> [Effect] {
        guard let id = number ?? currentConversation?.newestOwn else { return Self.noMessage("of yours") }
        return request("DELETE", [], [currentName, "\(id)"], for: .done)
    }

    /// An emoji for a message; without a number for the newest one.
    func react(_ number: UInt64?, _ emoji: String, isOff: Bool) -> [Effect] {
        guard let id = number ?? currentConversation?.newest else { return Self.noMessage("here") }
        let options = isOff ? [Request.Option("off", "yes")] : []
        return request("EMOTE", options, [currentName, "\(id)", emoji], for: .done)
    }

    private static func noMessage(_ whose: String) -> [Effect] {
        [.show("! no message \(whose) was shown yet; name one by its number, which /numbers on shows")]
    }

    private var currentConversation: Conversation? { index(of: current).map { conversations[$0] } }

    /// Tells others that one is away, or back (nil), also after the connection was lost.
    mutating func setAway(_ text: String?) -> [Effect] {
        let effects = presence(text, for: .said(text == nil ? "you are back" : "you are away; /back when you return"))
        if isConnected { away = text }
        return effects
    }

    /// The request that tells it; an empty text is away without a word.
    func presence(_ text: String?, for purpose: Purpose) -> [Effect] {
        guard let text else { return request("AWAY", [.init("off", "yes")], [], for: purpose) }
        return request("AWAY", text.isEmpty ? [] : [.init("text", text)], [], for: purpose)
    }

    mutating func setBell(_ isOn: Bool) -> [Effect] {
        hasBell = isOn
        return [.show(isOn ? "-- messages elsewhere ring" : "-- nothing rings")]
    }

    mutating func setNumbers(_ isOn: Bool) -> [Effect] {
        formatter.showsNumbers = isOn
        return [.show(isOn ? "-- messages are shown with their numbers" : "-- messages are shown without numbers")]
    }

    /// For as long as the program runs.
    mutating func setMuted(_ name: String?, _ isMuted: Bool) -> [Effect] {
        let wanted = name ?? current
        guard let at = [wanted, "#" + wanted, "@" + wanted].compactMap({ index(of: $0) }).first else {
            return [.show("! you are in no conversation \(shown(wanted)); /convs lists yours")]
        }
        conversations[at].isMuted = isMuted
        let title = shown(title(of: conversations[at].name))
        return [.show(isMuted ? "-- \(title) is muted: counted, but not told" : "-- \(title) is told of again")]
    }

    /// Members who are there, as WHO lists them.
    func present(_ rows: [ServerLine]) -> [Effect] {
        let people = rows.compactMap { row -> String? in
            guard let user = row["user"] else { return nil }
            guard let state = row["state"], state != "online" else { return shown(user) }
            return shown(user)
                + " (\(([state] + [row["text"]].compactMap { $0 }).map { shown($0) }.joined(separator: ": ")))"
        }
        return [.show("-- here: " + people.joined(separator: ", "))]
    }

    /// A message was shown in view: it can be meant by `/edit` and the like, and counts as read.
    mutating func noteShown(_ line: ServerLine, _ at: Int) {
        guard line.kind == "msg", let seq = line.number("seq") else { return }
        let isNewest = conversations[at].newest.map { $0 < seq } ?? true
        if isNewest { conversations[at].newest = seq }
        if line["by"] != user {
            if isNewest { conversations[at].unmarked = seq }
        } else if conversations[at].newestOwn.map({ $0 < seq }) ?? true, line["deleted"] == nil {
            conversations[at].newestOwn = seq
        }
    }

    /// Whether messages were shown of which the server does not know yet that they are read.
    package var hasMarkers: Bool { isConnected && conversations.contains { $0.unmarked != nil } }

    /// Tells the server how far one has read; to be called now and then.
    package mutating func takeMarkers() -> [Effect] {
        guard isConnected else { return [] }
        var effects: [Effect] = []
        for at in conversations.indices {
            guard let seq = conversations[at].unmarked else { continue }
            conversations[at].unmarked = nil
            effects += request("SEEN", [], [conversations[at].name, "\(seq)"], for: .silent)
        }
        return effects
    }

    /// Another device of one's own has read up to there.
    mutating func readElsewhere(_ line: ServerLine) {
        guard line["by"] == user, let at = line["conv"].flatMap({ index(of: $0) }), let seq = line.number("seq"),
            seq >= conversations[at].newestCounted ?? 0
        else { return }
        conversations[at].unread = 0
    }
}
