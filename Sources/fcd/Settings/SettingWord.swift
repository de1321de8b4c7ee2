/// A setting whose value is one of a few words; the raw values are those words as the operator writes them.
protocol SettingWord: CaseIterable, RawRepresentable, Sendable where RawValue == String {}

/// When a message counts as kept (commands.md, `durability`).
enum Durability: String, SettingWord {
    /// Nothing is acknowledged before its sync to disk.
    case sync
    /// One sync a second; a power cut may cost what came since the last one.
    case interval
}

/// Which thread the engine runs on.
enum EnginePlacement: String, SettingWord {
    /// `thread` where there are more than two CPUs.
    case auto
    /// Beside the connections of loop 0.
    case loop
    case thread
}

/// Who may make an account.
enum SignUpRule: String, SettingWord {
    case open, invite, closed
}

/// What a new password must be like.
enum PasswordRule: String, SettingWord {
    /// At least 8 bytes.
    case length8
    /// At least 6, with an upper-case letter, a lower-case letter and a digit.
    case classes6
}

/// The lowest TLS version that is spoken.
enum LowestTLS: String, SettingWord {
    case v1_2 = "1.2"
    case v1_3 = "1.3"
}

/// How a log line is written.
enum LogFormat: String, SettingWord {
    case text, json
}

/// How much is logged: a level and all that are graver.
enum LogLevel: String, SettingWord, Comparable {
    case error, warning, info, debug

    /// Graver levels come first.
    static func < (a: LogLevel, b: LogLevel) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .info: 2
        case .debug: 3
        }
    }
}
