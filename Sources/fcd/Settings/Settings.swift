import SystemIO

/// Every setting of the daemon with its value, typed and checked: the defaults, until sources change them.
///
/// `SettingKey.all` holds name, range and meaning of each; a value of this type that came from `SettingSources.load`
/// is within those ranges.
struct Settings: Sendable, Equatable {
    var durability = Durability.sync
    /// Number of I/O loops, 1 ... 256; nil for one a CPU.
    var loops: Int?
    var engine = EnginePlacement.auto
    var limits = Limits()
    var auth = Auth()
    var tls = TLS()
    var listen = Listen()
    var blobs = Blobs()
    var snapshot = Snapshot()
    var history = History()
    var log = Logging()
    /// Addresses whose PROXY v2 header is believed; none by default.
    var proxies: [NetworkPrefix] = []

    /// Whether the engine has a thread of its own.
    var engineHasThread: Bool { engine == .thread || (engine == .auto && Machine.cpuCount > 2) }

    /// The I/O loops to run, 1 ... 256: as set, else the CPUs this process may run on.
    var loopCount: Int { loops ?? min(256, Machine.cpuCount) }
}

extension Settings {
    /// Accounts, sign-up and passwords.
    struct Auth: Sendable, Equatable {
        var signup = SignUpRule.open
        /// Whether `AUTH anonymous=yes` makes guests.
        var anonymous = true
        /// Whether guests may CREATE.
        var anonymousCreate = false
        var passwordRule = PasswordRule.length8
        /// scrypt's N, a power of two; memory a hash is N KiB (r = 8).
        var scryptN = 32768
        /// scrypt's p: how often that work is done.
        var scryptP = 3
    }

    /// The certificate; both paths are given or neither (then one is made at first start).
    struct TLS: Sendable, Equatable {
        var certificate: String?
        var key: String?
        var min = LowestTLS.v1_2
    }

    /// Where the ports listen.
    struct Listen: Sendable, Equatable {
        /// The line protocol over TLS; one or more.
        var chat: [ListenAddress] = [.ipv4("127.0.0.1", port: 7700)]
        /// The line protocol without TLS, on a loopback address; nil turns it off.
        var plain: ListenAddress? = .ipv4("127.0.0.1", port: 7702)
        /// HTTP over TLS for blobs and health.
        var blobs = ListenAddress.ipv4("127.0.0.1", port: 7701)
    }

    struct Blobs: Sendable, Equatable {
        /// Scheme, host and port put into `url=` and HI, without a slash at the end; nil for the address listened at.
        var url: String?
    }

    struct Snapshot: Sendable, Equatable {
        /// Seconds between snapshots.
        var interval = 300
        /// Bytes of journal that bring the next snapshot forward.
        var journalBytes = 67_108_864
    }

    /// What a conversation keeps; nil keeps all.
    struct History: Sendable, Equatable {
        /// Newest messages kept a conversation.
        var maxMessages: Int?
        /// Seconds a message is kept.
        var maxAge: Int?
    }

    struct Logging: Sendable, Equatable {
        var format = LogFormat.text
        var level = LogLevel.info
    }
}
