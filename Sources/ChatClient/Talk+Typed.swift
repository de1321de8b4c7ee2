extension Talk {
    /// What the person typed, without its line end.
    package mutating func typed(_ line: String) -> [Effect] {
        switch TypedLine(line) {
        case .nothing: return []
        case .text(let text): return say(text, to: currentName)
        case .join(let name): return request("JOIN", [name], for: .enter(name))
        case .message(let user, let text): return message(user, text)
        case .switchTo(let word): return switchTo(word)
        case .conversations:
            return conversations.indices.map { at in
                let mark = Self.key(of: conversations[at].name) == current ? "* " : "  "
                return .show(mark + entry(at))
            }
        case .leave(let name): return leave(name ?? currentName)
        case .create(let name, let title, let isPrivate):
            var options = isPrivate ? [Request.Option("private", "yes")] : []
            if let title { options.append(.init("title", title)) }
            return request("CREATE", options, [name], for: .enter(name))
        case .invite(let user):
            let said = "\(shown(user)) is invited to \(shown(currentName))"
            return request("INVITE", [currentName, user], for: .said(said))
        case .members: return request("MEMBERS", [currentName], for: .members)
        case .who: return request("WHO", [currentName], for: .who)
        case .edit(let number, let text): return edit(number, text)
        case .delete(let number): return delete(number)
        case .react(let number, let emoji, let isOff): return react(number, emoji, isOff: isOff)
        case .topic(let text): return request("TOPIC", [], [currentName], rest: text, for: .done)
        case .away(let text): return setAway(text)
        case .bell(let isOn): return setBell(isOn)
        case .numbers(let isOn): return setNumbers(isOn)
        case .mute(let name, let isMuted): return setMuted(name, isMuted)
        case .history(let count): return older(count)
        case .sendFile(let path, let caption):
            guard isConnected else { return [.show("! not connected; send the file later")] }
            return [.upload(path: path, conversation: currentName, caption: caption)]
        case .help: return Self.help.map(Effect.show)
        case .quit: return [.quit]
        case .fault(let text): return [.show("! " + text)]
        }
    }

    private func request(_ verb: String, _ arguments: [String], for purpose: Purpose) -> [Effect] {
        request(verb, [], arguments, for: purpose)
    }

    /// Queues a message; it leaves at once, or with the next connection.
    private mutating func say(_ text: String, to name: String) -> [Effect] {
        do {
            try sending.add(to: name, text: text)
        } catch {
            return [.show("! \(Self.text(of: error))")]
        }
        if isConnected { return unsent() }
        return [.show("-- not connected; \(sending.count) to be sent when the server is back")]
    }

    private mutating func message(_ user: String, _ text: String?) -> [Effect] {
        guard Self.key(of: user) != Self.key(of: self.user) else { return [.show("! that is you")] }
        let known = index(of: "@" + user).map { conversations[$0].name }
        let both = [user, self.user].sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        let name = known ?? "@" + both.joined(separator: ",")
        let sent = text.map { say($0, to: "@" + user) } ?? []
        return Self.key(of: name) == current ? sent : enter(name) + sent
    }

    private mutating func switchTo(_ word: String) -> [Effect] {
        if let number = Int(word), word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            guard conversations.indices.contains(number - 1) else {
                return [.show("! /convs lists 1 to \(conversations.count)")]
            }
            return enter(conversations[number - 1].name)
        }
        for name in [word, "#" + word, "@" + word] {
            if let at = index(of: name) { return enter(conversations[at].name) }
        }
        return [.show("! you are in no conversation \(shown(word)); /convs lists yours, /join enters one")]
    }

    private func leave(_ name: String) -> [Effect] {
        guard !name.hasPrefix("@") else { return [.show("! a 1:1 is not left; /switch to another")] }
        let full = name.hasPrefix("#") ? name : "#" + name
        return request("LEAVE", [full], for: .leave(full))
    }

    private func older(_ count: UInt64) -> [Effect] {
        let at = index(of: current)
        let before = at.flatMap { conversations[$0].oldest }.map { [Request.Option("before", "\($0)")] } ?? []
        return request("HISTORY", before + [.init("limit", "\(count)")], [currentName], for: .older(currentName))
    }

    private static let help = [
        "  a line is sent to the conversation in brackets; Alt-B/F, Ctrl-A/E/K/U/Y/W and the arrows edit it",
        "  /convs              my conversations, with what is new",
        "  /switch NAME|N      another conversation, by name or number of /convs",
        "  /msg NAME [TEXT]    to one person",
        "  /join #ROOM  /leave [#ROOM]  /create [private] #ROOM [TITLE]",
        "  /invite NAME  /members  /who  /topic TEXT",
        "  /history [N]        older messages",
        "  /edit [N] TEXT  /delete [N]  my newest message here, or that of number N",
        "  /react [off] [N] EMOJI   to the newest message here, or to number N",
        "  /numbers on|off     show the numbers of messages",
        "  /away [TEXT]  /back",
        "  /bell on|off  /mute [CONV]  /unmute [CONV]   what may ring",
        "  /send-file PATH [CAPTION]",
        "  /quit               or Ctrl-D; Ctrl-C clears the line",
        "  //text              sends /text",
    ]
}
