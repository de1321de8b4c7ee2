extension Settings {
    /// The figures that bound what one message, connection, account or source may cost.
    struct Limits: Sendable, Equatable {
        // A message.
        /// Unicode scalars of a message's text.
        var text = 4000
        /// Bytes of a client's line, its line end not counted.
        var line = 16384
        /// Different reactions to one message.
        var reactions = 50

        // Blobs, in bytes.
        var blob = 26_214_400
        var avatar = 1_048_576
        /// All blobs of one account.
        var quota = 1_073_741_824
        /// Seconds after which an upload that nothing uses ends.
        var blobUnused = 86_400

        // A connection.
        /// Bytes of replies queued, 16384 before sign-in; above it reading stops.
        var replies = 262_144
        /// Seconds in which nothing at all drains before the connection is closed.
        var stall = 7200
        /// Requests being decided or made durable; above it reading stops.
        var inFlight = 256
        var subscriptions = 1000
        /// Seconds from connecting to being signed in, the handshake included.
        var signInTime = 60
        /// Seconds of those for the TLS handshake.
        var handshakeTime = 10

        // An account.
        var conversationsOwned = 50
        var conversationsJoined = 1000
        var items = 10000
        /// Sessions; the oldest goes out.
        var sessions = 100
        /// Bots' tokens.
        var tokens = 100
        /// Newest nonces remembered.
        var nonces = 10000
        /// Days after which an idle guest is forgotten.
        var guestIdle = 30

        // The whole service.
        /// Bytes decided but not yet on disk, in all; above it reading stops.
        var undurable = 8_388_608
        /// TLS handshake steps a loop takes in one turn.
        var handshakes = 8
        /// Percent of RAM, or of the cgroup's limit, above which writes are refused.
        var memory = 70

        // Rates, all off with `rate` off.
        var rate = true
        /// Failed sign-ins in a row, of one account or from one source, that cost no wait.
        var signIns = 5
        /// Longest wait of the back-off in seconds; it begins at 1 and doubles.
        var signInWait = 300
        /// Requests a second from one connection.
        var commands = 100
        /// Accounts made in an hour from one source.
        var signUps = 20
        /// Connections at the same time from one source.
        var connectionsPerSource = 1000
    }
}
