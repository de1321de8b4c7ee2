/// A subcommand: what is asked of the running daemon, or of the data directory.
struct CommandRequest: Sendable, Equatable {
    enum Action: Sendable, Equatable {
        case check
        /// Without confirmation it only says what it would do.
        case repair(isConfirmed: Bool)
        case status
        case set(key: String, value: String)
        case snapshot
        case resume
        case backup(file: String)
        case restore(file: String)
        case userList(prefix: String?)
        /// `action` is the word of `ADMIN USER`.
        case user(action: String, who: String)
        case userAdd(name: String, email: String)
        /// A token for `/metrics`.
        case token(kind: String)
        case export
        case importFile(String)
        /// As the options say it; nil leaves it to the daemon.
        case invite(uses: String?, expires: String?)
    }

    let action: Action
    let isJSON: Bool
    /// Data directory, and where settings come from.
    let serve: ServeRequest

    static let names = [
        "check", "repair", "status", "set", "snapshot", "resume", "backup", "restore", "user", "invite", "token",
        "export", "import",
    ]
    /// What `fcd user` does.
    fileprivate static let userWords = [
        "list", "add", "disable", "enable", "end-sessions", "reset", "promote", "verify", "delete",
    ]
}

extension CommandRequest.Action {
    /// Reads the words of the command line; nil for `serve`, which may be left out.
    /// - Throws: `UsageFault` for a word too many, too few or unknown.
    init?(_ words: [String]) throws(UsageFault) {
        guard let command = words.first, command != "serve" else { return nil }
        var rest = words.dropFirst()
        func next(_ form: String) throws(UsageFault) -> String {
            guard let word = rest.popFirst() else { throw .missingArgument(command: command, form: form) }
            return word
        }
        switch command {
        case "check": self = .check
        case "repair": self = .repair(isConfirmed: false)
        case "status": self = .status
        case "snapshot": self = .snapshot
        case "resume": self = .resume
        case "backup": self = .backup(file: try Self.path(try next("backup FILE"), command))
        case "export": self = .export
        case "import": self = .importFile(try Self.path(try next("import FILE"), command))
        case "invite": self = .invite(uses: nil, expires: nil)
        case "token": self = .token(kind: try next("token metrics"))
        case "restore": self = .restore(file: try Self.path(try next("restore FILE"), command))
        case "set":
            let key = try next("set KEY VALUE")
            guard SettingKey.named(key) != nil else {
                let nearest = NearestName.of(key, among: SettingKey.all.map(\.name))
                throw .unknownWord(key, of: "set", nearest: nearest)
            }
            self = .set(key: key, value: try next("set KEY VALUE"))
        default:
            let others = CommandRequest.userWords.dropFirst(2).joined(separator: "|")
            self = try Self.user(try next("user list [PREFIX], user add NAME EMAIL, or user \(others) USER"), &rest)
        }
        if let extra = rest.first { throw .unwantedArgument(extra) }
    }

    /// It stands in messages, so it stays on one line.
    private static func path(_ text: String, _ command: String) throws(UsageFault) -> String {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            let why = text.isEmpty ? "the path is empty" : "a path has no control characters"
            throw .badOption(command, given: text, why: why)
        }
        return text
    }

    private static func user(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageFault) -> Self {
        if word == "list" { return .userList(prefix: rest.popFirst()) }
        if word == "add" {
            guard let name = rest.popFirst(), let email = rest.popFirst() else {
                throw .missingArgument(command: "user add", form: "user add NAME EMAIL")
            }
            return .userAdd(name: name, email: email)
        }
        guard CommandRequest.userWords.contains(word) else {
            throw .unknownWord(word, of: "user", nearest: NearestName.of(word, among: CommandRequest.userWords))
        }
        guard let who = rest.popFirst() else {
            throw .missingArgument(command: "user \(word)", form: "user \(word) USER")
        }
        return .user(action: word, who: who)
    }
}
