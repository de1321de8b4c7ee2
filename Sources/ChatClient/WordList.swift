/// The words of a command line, sorted into options and others.
struct WordList {
    private(set) var values: [String: String] = [:]
    /// Every value of the options that may stand more than once.
    private var lists: [String: [String]] = [:]
    private var words: [String] = []
    /// How many of `words` stand before `--`; nil without one.
    private var countBeforeDashes: Int?

    /// Options may stand anywhere, as `--name value` or `--name=value`; behind `--` nothing is an option.
    init(_ arguments: [String]) throws(UsageFault) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" {
                countBeforeDashes = words.count
                words += rest
                break
            }
            if word == "-h" {
                values["help"] = ""
            } else if word == "-o" {
                try take(option: "--output", &rest)
            } else if word.hasPrefix("--") {
                try take(option: word, &rest)
            } else if word.hasPrefix("-"), word != "-" {
                throw UsageFault("unknown option \"\(word)\"; a text that begins with - goes behind --")
            } else {
                words.append(word)
            }
        }
    }

    private mutating func take(option word: String, _ rest: inout ArraySlice<String>) throws(UsageFault) {
        let body = word.dropFirst(2)
        let equals = body.firstIndex(of: "=")
        let name = String(body[..<(equals ?? body.endIndex)])
        guard let spec = OptionTable.options.first(where: { $0.name == name }) else {
            let nearest = NearestName.of(name, among: OptionTable.options.map(\.name))
            throw UsageFault("unknown option --\(name)" + (nearest.map { "; did you mean --\($0)?" } ?? ""))
        }
        if values[name] != nil, !spec.repeats { throw UsageFault("--\(name) stands twice") }
        let inline = equals.map { String(body[body.index(after: $0)...]) }
        guard let what = spec.value else {
            if inline != nil { throw UsageFault("--\(name) takes no value") }
            values[name] = ""
            return
        }
        guard let value = inline ?? rest.popFirst() else { throw UsageFault("--\(name) needs its \(what)") }
        values[name] = value
        if spec.repeats { lists[name, default: []].append(value) }
    }

    func has(_ name: String) -> Bool { values[name] != nil }

    /// The command and its words and options, checked against each other.
    func command() throws(UsageFault) -> Invocation.Command {
        if has("help") { return .help }
        if has("version") { return .version }
        guard let name = words.first else { return try chat() }
        guard let spec = OptionTable.commands.first(where: { $0.name == name }) else { throw unknown(name) }
        let arguments = Array(words.dropFirst())
        guard spec.words.contains(arguments.count) else {
            let takesText = name == "send" || spec.form?.parts.last == .text
            let isTooMuch = takesText && arguments.count > spec.words.upperBound
            let hint = isTooMuch ? " (a text of several words goes in quotes)" : ""
            throw UsageFault("usage: fcc \(spec.usage)\(hint)")
        }
        for option in OptionTable.options where has(option.name) {
            if let owners = option.commands, !owners.contains(name) {
                throw UsageFault(
                    "--\(option.name) does not go with \(name), but with \(owners.joined(separator: ", "))"
                )
            }
        }
        return try make(spec, arguments)
    }

    /// No command is the chat, which takes only what every command takes.
    private func chat() throws(UsageFault) -> Invocation.Command {
        for option in OptionTable.options where has(option.name) {
            if let owners = option.commands {
                throw UsageFault("--\(option.name) needs a command: \(owners.joined(separator: ", "))")
            }
        }
        if has("json") { throw UsageFault("--json needs a command; see fcc --help") }
        return .chat
    }

    private func unknown(_ name: String) -> UsageFault {
        if OptionTable.laterCommands.contains(name) { return UsageFault("\(name) comes with a later version") }
        let nearest = NearestName.of(name, among: OptionTable.commands.map(\.name))
        return UsageFault(
            "unknown command \"\(name)\"" + (nearest.map { "; did you mean \($0)?" } ?? "; see fcc --help")
        )
    }

    private func make(_ spec: CommandSpec, _ arguments: [String]) throws(UsageFault) -> Invocation.Command {
        if let form = spec.form { return .request(try request(form, arguments)) }
        switch spec.name {
        case "signup":
            let keys = ["name", "display", "phone", "invite"]
            let options = keys.compactMap { key in values[key].map { Request.Option(key, $0) } }
            return .signup(email: arguments[0], options: options)
        case "login": return try login(spec, arguments)
        case "logout": return .logout
        case "whoami": return .whoami
        case "send": return try send(spec, arguments)
        case "tail": return try tail(spec, arguments)
        case "notify": return try notify(spec)
        case "history":
            return .history(conversation: try Self.conversation(arguments[0]), last: try number("last") ?? 50)
        case "search": return try search(spec, arguments)
        case "convs": return .conversations
        case "items": return try ItemWords.command(arguments, values)
        case "put": return .put(path: arguments[0])
        case "get": return .get(blob: arguments[0], destination: values["output"])
        default: return .raw
        }
    }

    /// The words make one line, however they were parted.
    private func search(_ spec: CommandSpec, _ arguments: [String]) throws(UsageFault) -> Invocation.Command {
        let line = arguments.dropFirst().joined(separator: " ").unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? " " : scalar
        }
        let words = String(String.UnicodeScalarView(line))
        if words.allSatisfy(\.isWhitespace) { throw UsageFault("usage: fcc \(spec.usage)") }
        return .search(conversation: try Self.conversation(arguments[0]), words: words, last: try number("last") ?? 50)
    }

    private func login(_ spec: CommandSpec, _ arguments: [String]) throws(UsageFault) -> Invocation.Command {
        if has("anonymous") {
            if !arguments.isEmpty { throw UsageFault("--anonymous makes a guest, who has no name yet") }
            return .loginAnonymous
        }
        guard let name = arguments.first else { throw UsageFault("usage: fcc \(spec.usage)") }
        return .login(name)
    }

    private func request(_ form: RequestForm, _ arguments: [String]) throws(UsageFault) -> RequestCommand {
        var command = try form.command(arguments, values)
        guard form.name == "profile" else { return command }
        command.avatar = values["avatar"]
        let isChange = command.avatar != nil || !command.request.options.isEmpty
        if isChange, !arguments.isEmpty { throw UsageFault("one changes one's own profile only") }
        return command
    }

    private func send(_ spec: CommandSpec, _ arguments: [String]) throws(UsageFault) -> Invocation.Command {
        let conv = try Self.conversation(arguments[0])
        let text = arguments.count > 1 ? arguments[1] : nil
        let reply = try number("reply").map { "\($0)" }
        if let path = values["file"] {
            if has("geo") { throw UsageFault("--file and --geo are two messages") }
            if text != nil { throw UsageFault("the text that goes with --file is --caption") }
            return .send(conversation: conv, content: .file(path, caption: values["caption"]), reply: reply)
        }
        if has("caption") { throw UsageFault("--caption goes with --file") }
        if let geo = values["geo"] {
            if text == "-" { throw UsageFault("--geo goes with one message, not with standard input") }
            return .send(conversation: conv, content: .place(geo, text: text), reply: reply)
        }
        guard let text else { throw UsageFault("usage: fcc \(spec.usage)") }
        return .send(conversation: conv, content: text == "-" ? .input : .text(text), reply: reply)
    }

    private func tail(_ spec: CommandSpec, _ arguments: [String]) throws(UsageFault) -> Invocation.Command {
        if has("since"), has("last") { throw UsageFault("--since and --last exclude each other") }
        guard has("all") else {
            if arguments.isEmpty { throw UsageFault("usage: fcc \(spec.usage)") }
            var conversations: [String] = []
            for name in arguments { conversations.append(try Self.conversation(name)) }
            let start: TailPlan.Start
            if let seq = try number("since") {
                start = .since(seq)
            } else {
                start = try number("last").map { .last($0) } ?? .now
            }
            return .tail(conversations: conversations, start: start)
        }
        if !arguments.isEmpty { throw UsageFault("--all stands for every conversation; name none beside it") }
        if has("last") { throw UsageFault("--last goes with named conversations; with --all use --since TIME") }
        guard let time = values["since"] else { return .tailAll(.now) }
        guard Timestamp.milliseconds(time) != nil else {
            throw UsageFault("with --all, --since takes a time as 2026-01-05T12:00:00Z, not \"\(time)\"")
        }
        return .tailAll(.time(time))
    }

    /// What stands behind `--` is the command to run, whatever it looks like.
    private func notify(_ spec: CommandSpec) throws(UsageFault) -> Invocation.Command {
        guard let count = countBeforeDashes, count > 0, count < words.count else {
            throw UsageFault("usage: fcc \(spec.usage)")
        }
        let names = words[1..<count]
        if has("all"), !names.isEmpty {
            throw UsageFault("--all stands for every conversation; name none beside it")
        }
        var (conversations, muted) = ([String](), [String]())
        for name in names { conversations.append(try Self.conversation(name)) }
        for name in lists["mute"] ?? [] { muted.append(try Self.conversation(name)) }
        return .notify(conversations: conversations, muted: muted, command: Array(words[count...]))
    }

    /// A conversation's name begins with # or @; the server judges the rest.
    static func conversation(_ name: String) throws(UsageFault) -> String {
        guard name.hasPrefix("#") || name.hasPrefix("@") else {
            throw UsageFault("\"\(name)\" names no conversation: #room (in quotes, for the shell) or @person")
        }
        return name
    }

    private func number(_ option: String) throws(UsageFault) -> UInt64? {
        guard let text = values[option] else { return nil }
        guard let number = Self.number(text) else {
            throw UsageFault("--\(option) takes a number, not \"\(text)\"")
        }
        return number
    }

    /// Plain digits, as far as every JSON reader counts.
    static func number(_ text: String) -> UInt64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(text) else {
            return nil
        }
        return number <= 1 << 53 ? number : nil
    }
}
