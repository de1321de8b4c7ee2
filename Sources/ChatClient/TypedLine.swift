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
        "join", "msg", "switch", "convs", "leave", "create", "invite", "members", "history", "send-file", "help",
        "quit",
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
        case "members", "who": return .members
        case "history", "h": return history(words.next())
        case "send-file":
            guard let path = words.path() else {
                return usage("/send-file PATH [CAPTION]; a path with blanks in quotes")
            }
            return .sendFile(path: path, caption: words.rest)
        case "help", "?": return .help
        case "quit", "q", "exit": return .quit
        default:
            let nearest = NearestName.of(name, among: names).map { "; did you mean /\($0)?" } ?? "; /help lists them"
            return .fault(
                "there is no command /\(VisibleText.line(name))\(nearest) (a message that begins with / is typed with //)"
            )
        }
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

/// The words of a typed command, one after the other.
struct TypedWords {
    private var left: Substring

    init(_ text: Substring) { left = text }

    mutating func next() -> String? {
        skip()
        let word = left.prefix { !$0.isWhitespace }
        left = left.dropFirst(word.count)
        return word.isEmpty ? nil : Self.bare(word)
    }

    /// A name copied from the screen brings its isolation along, which does not belong to it.
    private static func bare(_ word: Substring) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: word.unicodeScalars.filter { !("\u{2066}"..."\u{2069}").contains($0) })
        return String(scalars)
    }

    /// A word that may stand in quotes, or have blanks behind a backslash.
    mutating func path() -> String? {
        skip()
        guard let first = left.first else { return nil }
        if first == "\"" || first == "'" {
            let inner = left.dropFirst()
            guard let end = inner.firstIndex(of: first), end > inner.startIndex else { return nil }
            left = inner[inner.index(after: end)...]
            return String(inner[..<end])
        }
        var out = ""
        while let character = left.first, !character.isWhitespace {
            left = left.dropFirst()
            if character == "\\", let next = left.first {
                left = left.dropFirst()
                out.append(next)
            } else {
                out.append(character)
            }
        }
        return out
    }

    /// Everything left; nil when nothing is.
    var rest: String? {
        let text = left.drop { $0.isWhitespace }
        return text.isEmpty ? nil : String(text)
    }

    private mutating func skip() { left = left.drop { $0.isWhitespace } }
}
