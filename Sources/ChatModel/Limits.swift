/// Every number that can bite a caller and that the core checks (commands.md, settings).
package struct Limits: Sendable {
    /// Unicode scalars of a message.
    package var text = 4000
    /// Bytes of a line, its line end not counted.
    package var line = 16384
    package var conversationsOwned = 50
    package var conversationsJoined = 1000
    /// Sessions of an account; the oldest gives way.
    package var sessions = 100
    /// Newest nonces of an account that are remembered, and for how long.
    package var nonces = 10_000
    package var nonceMilliseconds: Int64 = 24 * 3_600_000
    /// Tokens of TOKEN that an account may have.
    package var tokens = 100
    /// Others that an account may block.
    package var blocks = 1000
    /// Bytes of an account's picture.
    package var avatar = 1_048_576
    /// Different reactions of a message.
    package var reactions = 50
    /// Items that an account may have.
    package var items = 10_000
    /// Collections that an account may begin, and that a conversation may have.
    package var collections = 50
    /// Seqs of a collection whose lines share a file of a snapshot.
    package var itemsPerFile: Seq = 4096
    /// How long a deletion stands in its collection.
    package var deletionMilliseconds: Int64 = 24 * 3_600_000
    /// Subscriptions of a connection.
    package var subscriptions = 1000
    /// Unicode grapheme clusters of a title or display name.
    package var title = 64
    /// Requests in flight of a connection, bytes of replies that may wait for it, and its seconds to sign in: enforced by
    /// the front end, shown by LIMITS.
    package var inFlight = 256
    package var replies = 262_144
    package var signInSeconds = 60
    /// Idle days after which a guest is forgotten.
    package var guestDays = 30
    /// Bytes of one blob, and of all blobs of an account.
    package var blob = 26_214_400
    package var quota = 1_073_741_824
    /// Seconds after which an upload that nothing uses ends.
    package var blobUnused = 86_400
    /// How much is kept of conversations of which the operator has said nothing else.
    package var retention = Retention()

    package enum PasswordRule: String, Sendable { case length8, classes6 }
    package enum SignUpRule: String, Sendable { case open, invite, closed }
    package var passwordRule = PasswordRule.length8
    package var signUp = SignUpRule.open
    package var anonymous = true
    package var anonymousCreate = false
    package init() {}
}
