extension SettingKey {
    /// The settings below `limits.`.
    static let limits: [SettingKey] = messages + connections + possessions + service + rates

    private static let messages: [SettingKey] = [
        .number("limits.text", \.limits.text, 1...10000, "characters", is: .live, "Longest text of a message."),
        .number("limits.line", \.limits.line, 1024...65536, "bytes", "Longest line a client may send."),
        .number(
            "limits.reactions",
            \.limits.reactions,
            1...1000,
            "reactions",
            "Different reactions to one message."
        ),
        .number("limits.blob", \.limits.blob, 1...17_179_869_184, "bytes", is: .live, "Largest blob."),
        .number("limits.avatar", \.limits.avatar, 1...104_857_600, "bytes", is: .live, "Largest avatar."),
        .number(
            "limits.quota",
            \.limits.quota,
            0...1_125_899_906_842_624,
            "bytes",
            is: .live,
            "All blobs of one account together."
        ),
        .number(
            "limits.blob-unused",
            \.limits.blobUnused,
            1...31_536_000,
            "seconds",
            is: .live,
            "A blob that no message and no profile has ends after this time."
        ),
    ]

    private static let connections: [SettingKey] = [
        .number(
            "limits.replies",
            \.limits.replies,
            16384...16_777_216,
            "bytes",
            "Replies queued for a connection (16384 before sign-in); above it its reading stops."
        ),
        .number(
            "limits.stall",
            \.limits.stall,
            10...604_800,
            "seconds",
            "A connection that takes nothing at all for so long is closed."
        ),
        .number(
            "limits.in-flight",
            \.limits.inFlight,
            1...65536,
            "requests",
            "Requests of a connection under way; above it its reading stops."
        ),
        .number(
            "limits.subscriptions",
            \.limits.subscriptions,
            1...100_000,
            "subscriptions",
            "Subscriptions of one connection."
        ),
        .number(
            "limits.sign-in-time",
            \.limits.signInTime,
            1...3600,
            "seconds",
            "Time to sign in after connecting, handshake included."
        ),
        .number("limits.handshake-time", \.limits.handshakeTime, 1...600, "seconds", "Time for the TLS handshake."),
    ]

    private static let possessions: [SettingKey] = [
        .number(
            "limits.conversations-owned",
            \.limits.conversationsOwned,
            0...100_000,
            "conversations",
            "Conversations an account may own."
        ),
        .number(
            "limits.conversations-joined",
            \.limits.conversationsJoined,
            1...100_000,
            "conversations",
            "Conversations an account may be in."
        ),
        .number("limits.items", \.limits.items, 0...10_000_000, "items", "Items an account may keep."),
        .number(
            "limits.sessions",
            \.limits.sessions,
            1...10000,
            "sessions",
            "Sessions of an account; with one more the oldest ends."
        ),
        .number("limits.tokens", \.limits.tokens, 0...10000, "tokens", "Bots' tokens of an account."),
        .number(
            "limits.nonces",
            \.limits.nonces,
            1...1_000_000,
            "nonces",
            "Newest nonces of an account that are remembered against doubles."
        ),
        .number(
            "limits.guest-idle",
            \.limits.guestIdle,
            1...3650,
            "days",
            "An idle guest is forgotten after this time."
        ),
    ]

    private static let service: [SettingKey] = [
        .number(
            "limits.undurable",
            \.limits.undurable,
            65536...1_073_741_824,
            "bytes",
            "What may wait for the disk in all; above it reading stops."
        ),
        .number(
            "limits.handshakes",
            \.limits.handshakes,
            1...4096,
            "handshakes",
            "TLS handshake steps a loop takes in one turn, so that a crowd at the door does not hold up those inside."
        ),
        .number(
            "limits.memory",
            \.limits.memory,
            1...100,
            "% of RAM",
            "Memory above which writes are refused; reads go on."
        ),
    ]

    private static let rates: [SettingKey] = [
        .flag(
            "limits.rate",
            \.limits.rate,
            is: .live,
            "Whether the rates below are enforced; off stops the back-off of sign-ins too."
        ),
        .number(
            "limits.sign-ins",
            \.limits.signIns,
            1...1000,
            "failures",
            "Failed sign-ins in a row, of an account or from a source, that cost no wait."
        ),
        .number(
            "limits.sign-in-wait",
            \.limits.signInWait,
            1...86400,
            "seconds",
            "Longest wait after failed sign-ins; it begins at 1 and doubles."
        ),
        .number(
            "limits.commands",
            \.limits.commands,
            1...1_000_000,
            "a second",
            is: .later,
            "Requests of one connection."
        ),
        .number(
            "limits.sign-ups",
            \.limits.signUps,
            1...1_000_000,
            "an hour",
            is: .later,
            "Accounts made from one source."
        ),
        .number(
            "limits.connections-per-source",
            \.limits.connectionsPerSource,
            1...1_000_000,
            "connections",
            is: .later,
            "Connections at the same time from one source."
        ),
    ]
}
