/// What a person typed in the chat: a message, or a command that begins with `/`.
package enum TypedLine: Equatable, Sendable {
    case nothing
    case text(String)
    case join(String)
    /// To a person, named without `@`; without text only the conversation is switched.
    case message(user: String, text: String?)
    /// A name, or a number of the list.
    case switchTo(String)
    case conversations
    /// The present one when none is named.
    case leave(String?)
    case create(String, title: String?, isPrivate: Bool)
    case invite(String)
    case members
    case who
    /// A message of mine, the newest without a number.
    case edit(UInt64?, text: String)
    case delete(UInt64?)
    /// The newest message without a number.
    case react(UInt64?, emoji: String, isOff: Bool)
    case topic(String)
    /// Nil is back again.
    case away(String?)
    case bell(Bool)
    case numbers(Bool)
    /// The present one when none is named.
    case mute(String?, Bool)
    case history(UInt64)
    case sendFile(path: String, caption: String?)
    case help
    case quit
    /// Not understood; the text says why.
    case fault(String)

    package init(_ line: String) {
        guard !line.unicodeScalars.allSatisfy(\.properties.isWhitespace) else {
            self = .nothing
            return
        }
        guard line.hasPrefix("/") else {
            self = .text(line)
            return
        }
        if line.hasPrefix("//") {
            self = .text(String(line.dropFirst()))
            return
        }
        var words = TypedWords(line.dropFirst())
        let name = words.next() ?? ""
        self = Self.command(name.lowercased(), &words)
    }

    private static let names = [
        "join", "msg", "switch", "convs", "leave", "create", "invite", "members", "who", "history", "send-file", "help",
        "quit", "edit", "delete", "react", "topic", "away", "back", "bell", "numbers", "mute", "unmute",
    ]

    private static func command(_ name: String, _ words: inout TypedWords) -> TypedLine {
        switch name {
        case "join", "j": return words.next().map { .join(named($0)) } ?? usage("/join #ROOM")
        case "msg", "m":
            guard let user = words.next() else { return usage("/msg NAME [TEXT]") }
            return .message(user: user.hasPrefix("@") ? String(user.dropFirst()) : user, text: words.rest)
        case "switch", "s": return words.next().map { .switchTo($0) } ?? usage("/switch NAME, or a number of /convs")
        case "convs", "c": return .conversations
        case "leave": return .leave(words.next().map(named))
        case "create": return create(&words)
        case "invite":
            return words.next().map { .invite($0.hasPrefix("@") ? String($0.dropFirst()) : $0) }
                ?? usage("/invite NAME")
        case "members": return .members
        case "who": return .who
        case "history", "h": return history(words.next())
        case "send-file":
            guard let path = words.path() else {
                return usage("/send-file PATH [CAPTION]; a path with blanks in quotes")
            }
            return .sendFile(path: path, caption: words.rest)
        case "help", "?": return .help
        case "quit", "q", "exit": return .quit
        default: return more(name, &words) ?? unknown(name)
        }
    }

    /// What concerns messages and how one is told of them.
    private static func more(_ name: String, _ words: inout TypedWords) -> TypedLine? {
        switch name {
        case "edit":
            let number = words.number()
            return words.rest.map { .edit(number, text: $0) } ?? usage("/edit [N] TEXT")
        case "delete":
            let number = words.number()
            return words.rest == nil ? .delete(number) : usage("/delete [N], N the number of a message")
        case "react":
            let isOff = words.skip("off")
            let number = words.number()
            return words.next().map { .react(number, emoji: $0, isOff: isOff) } ?? usage("/react [off] [N] EMOJI")
        case "topic": return words.rest.map { .topic($0) } ?? usage("/topic TEXT")
        case "away": return .away(words.rest ?? "")
        case "back": return .away(nil)
        case "bell": return words.onOff().map { .bell($0) } ?? usage("/bell on, or off")
        case "numbers": return words.onOff().map { .numbers($0) } ?? usage("/numbers on, or off")
        case "mute": return .mute(words.next(), true)
        case "unmute": return .mute(words.next(), false)
        default: return nil
        }
    }

    private static func unknown(_ name: String) -> TypedLine {
        let nearest = NearestName.of(name, among: names).map { "; did you mean /\($0)?" } ?? "; /help lists them"
        return .fault(
            "there is no command /\(VisibleText.line(name))\(nearest) (a message that begins with / is typed with //)"
        )
    }

    private static func usage(_ text: String) -> TypedLine { .fault("say " + text) }

    private static func named(_ word: String) -> String {
        word.hasPrefix("#") || word.hasPrefix("@") ? word : "#" + word
    }

    private static func create(_ words: inout TypedWords) -> TypedLine {
        guard var name = words.next() else { return usage("/create [private] #ROOM [TITLE]") }
        let isPrivate = name == "private"
        if isPrivate {
            guard let next = words.next() else { return usage("/create private #ROOM [TITLE]") }
            name = next
        }
        return .create(named(name), title: words.rest, isPrivate: isPrivate)
    }

    private static func history(_ word: String?) -> TypedLine {
        guard let word else { return .history(20) }
        guard word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = UInt64(word), (1...200).contains(count)
        else { return usage("/history [N], N from 1 to 200") }
        return .history(count)
    }
}
