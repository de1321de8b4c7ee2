extension SettingKey {
    /// Every setting, in the order of help and of the sample configuration.
    static let all: [SettingKey] = general + listening + accounts + limits + storing

    /// The setting called `name`; nil when there is none. Cost: one look-up.
    static func named(_ name: String) -> SettingKey? { byName[name] }

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    private static let general: [SettingKey] = [
        .word(
            "durability",
            \.durability,
            "When a message is acknowledged: sync = after it is on disk; interval = at once, synced once a second."
        ),
        .number(
            "loops",
            \.loops,
            1...256,
            "loops",
            absent: "auto",
            "Threads that serve connections; auto takes one for each CPU this process may run on."
        ),
        .word(
            "engine",
            \.engine,
            "Where decisions are made: on the first loop, on a thread of their own, or auto: a thread from three CPUs on."
        ),
        .word("log.format", \.log.format, "How log lines on standard error are written."),
        .word("log.level", \.log.level, "The least grave kind of line that is logged."),
    ]

    private static let listening: [SettingKey] = [
        .chatAddresses(
            "listen.chat",
            \.listen.chat,
            "Where the chat port (TLS) listens; 0.0.0.0:7700 opens it to the network."
        ),
        .loopbackAddress(
            "listen.plain",
            \.listen.plain,
            "Where the same is served without TLS, to this host only; none turns it off."
        ),
        .address("listen.blobs", \.listen.blobs, "Where the blob port (HTTPS) listens."),
        .url(
            "blobs.url",
            \.blobs.url,
            "Scheme, host and port that clients are told for blobs; empty takes the address listened at."
        ),
        .networks("proxies", \.proxies, is: .later, "Proxies whose PROXY v2 header is believed."),
        .path(
            "tls.certificate",
            \.tls.certificate,
            "Certificate chain (PEM); empty makes a self-signed one at first start."
        ),
        .path("tls.key", \.tls.key, "Private key (PEM) of that certificate."),
        .word("tls.min", \.tls.min, "The lowest TLS version that is spoken."),
    ]

    private static let accounts: [SettingKey] = [
        .word(
            "auth.signup",
            \.auth.signup,
            is: .live,
            "Who may sign up: everybody, those invited, or nobody."
        ),
        .flag("auth.anonymous", \.auth.anonymous, is: .live, "Whether guests may come in without an account."),
        .flag("auth.anonymous-create", \.auth.anonymousCreate, is: .live, "Whether guests may create conversations."),
        .word(
            "auth.password-rule",
            \.auth.passwordRule,
            is: .live,
            "New passwords: length8 = 8 bytes at least; classes6 = 6 with upper case, lower case and digit."
        ),
        .powerOfTwo(
            "auth.scrypt-n",
            \.auth.scryptN,
            1024...1_048_576,
            "Cost of a password hash (scrypt's N); each takes this many KiB of memory."
        ),
        .number(
            "auth.scrypt-p",
            \.auth.scryptP,
            1...16,
            "times",
            "How often that work is done for one hash (scrypt's p)."
        ),
    ]

    private static let storing: [SettingKey] = [
        .number(
            "snapshot.interval",
            \.snapshot.interval,
            1...86400,
            "seconds",
            "Time between two snapshots."
        ),
        .number(
            "snapshot.journal-bytes",
            \.snapshot.journalBytes,
            4096...1_099_511_627_776,
            "bytes",
            "Journal growth that brings the next snapshot forward."
        ),
        .number(
            "history.max-messages",
            \.history.maxMessages,
            1...1_000_000_000,
            "messages",
            absent: "all",
            "Newest messages kept of each conversation; ADMIN RETAIN says otherwise for one."
        ),
        .number(
            "history.max-age",
            \.history.maxAge,
            60...3_153_600_000,
            "seconds",
            absent: "all",
            "How long a message is kept; ADMIN RETAIN says otherwise for one conversation."
        ),
    ]
}
