/// How the words and options of a command line become one request: a row of `RequestTable`.
struct RequestForm: Sendable {
    /// What a word of the command line stands for.
    enum Part: Equatable, Sendable {
        /// `#room` or `@person`.
        case conversation
        /// A handle; an `@` before it is dropped.
        case user
        case number
        case word
        /// What is said: the rest of the request, blanks and all.
        case text
        /// The value of this option of the request.
        case option(String)
    }

    let name: String
    let usage: String
    let summary: String
    let verb: String
    var parts: [Part] = []
    /// How many of the last parts may be left out.
    var optionalCount = 0
    /// Options of the command line that are options of the request under the same name; a switch says `yes`.
    var options: [String] = []
    /// Options that the request has always.
    var constants: [Request.Option] = []
    var pages = RequestCommand.Pages.one
    var secret = RequestCommand.Secret.none
    var outcome = RequestCommand.Outcome.quiet
    var memory = RequestCommand.Memory.nothing

    /// What the help says of it.
    var spec: CommandSpec {
        let words = parts.count - optionalCount...parts.count
        return CommandSpec(name: name, usage: usage, summary: summary, words: words, form: self)
    }

    /// - Parameters:
    ///   - words: as many as the parts, or less by those that may be left out.
    ///   - values: the options given; a switch has an empty value.
    func command(_ words: [String], _ values: [String: String]) throws(UsageFault) -> RequestCommand {
        var (options, arguments, rest) = (constants, [String](), String?.none)
        for (part, word) in zip(parts, words) {
            switch part {
            case .conversation: arguments.append(try WordList.conversation(word))
            case .user: arguments.append(word.hasPrefix("@") ? String(word.dropFirst()) : word)
            case .number: arguments.append("\(try Self.number(word))")
            case .word: arguments.append(word)
            case .text: rest = word
            case .option(let key): options.append(.init(key, word))
            }
        }
        for name in self.options {
            guard let value = values[name] else { continue }
            let isSwitch = OptionTable.options.contains { $0.name == name && $0.value == nil }
            options.append(.init(name, isSwitch ? "yes" : value))
        }
        do {
            let request = try Request(verb, options: options, arguments: arguments, rest: rest)
            return RequestCommand(
                request: request,
                pages: pages,
                secret: secret,
                outcome: outcome,
                memory: memory,
                avatar: nil
            )
        } catch {
            throw UsageFault(Talk.text(of: error))
        }
    }

    private static func number(_ word: String) throws(UsageFault) -> UInt64 {
        guard let number = WordList.number(word) else {
            throw UsageFault("\"\(word)\" is no number; messages have numbers, which history --numbers shows")
        }
        return number
    }
}
