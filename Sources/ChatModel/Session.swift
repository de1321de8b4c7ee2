/// A sign-in that lasts: what AUTH and SIGNUP give a token for.
package struct Session: Hashable, Sendable {
    package let hash: TokenHash
    /// Nil for one from before this was written down.
    package let created: Timestamp?
    package init(hash: TokenHash, created: Timestamp?) { (self.hash, self.created) = (hash, created) }

    /// What SESSIONS calls it: `s_` and twelve hexadecimal digits.
    package var id: String { "s_" + hash.hex.prefix(12) }
}

/// A token made by TOKEN, for a bot.
package struct TokenRecord: Hashable, Sendable {
    package let hash: TokenHash
    package let label: String
    package let scope: TokenScope
    package let created: Timestamp
    /// Nil is never.
    package let expires: Timestamp?
    package init(hash: TokenHash, label: String, scope: TokenScope, created: Timestamp, expires: Timestamp?) {
        (self.hash, self.label, self.scope) = (hash, label, scope)
        (self.created, self.expires) = (created, expires)
    }

    /// What TOKENS calls it: `t_` and twelve hexadecimal digits.
    package var id: String { "t_" + hash.hex.prefix(12) }

    package func isExpired(_ now: Timestamp) -> Bool { expires.map { $0 <= now } ?? false }
}

/// What a token of TOKEN may be used for (protocol.md, TOKEN).
package struct TokenScope: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Everything that reads.
    package static let read = TokenScope(rawValue: 1)
    /// Messages: sending, editing, deleting, reacting, uploading, marking as read.
    package static let send = TokenScope(rawValue: 2)
    /// Conversations: making, joining, leaving, moderating.
    package static let manage = TokenScope(rawValue: 4)
    /// The account itself: no token may do that.
    package static let account = TokenScope(rawValue: 8)
    /// What a token may when `scope=` was left out.
    package static let all: TokenScope = [.read, .send, .manage]

    private static let words: [(word: String, scope: TokenScope)] = [
        ("read", .read), ("send", .send), ("manage", .manage),
    ]

    /// `read,send`
    package var text: String { Self.words.filter { contains($0.scope) }.map(\.word).joined(separator: ",") }

    /// Nil unless `text` has one or more of the words, each once, with commas between.
    package init?(_ text: String) {
        var scope: TokenScope = []
        for part in text.utf8.split(separator: 0x2C, omittingEmptySubsequences: false) {
            guard let known = Self.words.first(where: { part.elementsEqual($0.word.utf8) })?.scope,
                !scope.contains(known)
            else { return nil }
            scope.insert(known)
        }
        self = scope
    }
}
