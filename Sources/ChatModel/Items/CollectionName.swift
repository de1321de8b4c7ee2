/// A collection of items, counted from 1 in the order of making; never reused.
package struct CollectionNumber: Hashable, Comparable, Sendable {
    package let raw: UInt32
    package init(_ raw: UInt32) { self.raw = raw }
    package static func < (a: Self, b: Self) -> Bool { a.raw < b.raw }

    private static let bit: UInt32 = 1 << 31

    /// The number under which loops follow its lines, beside those of conversations, which never come that far.
    package var log: ConversationNumber { ConversationNumber(raw | Self.bit) }

    /// The collection whose lines are followed under `log`; nil for a conversation.
    package init?(log: ConversationNumber) {
        guard log.raw & Self.bit != 0 else { return nil }
        raw = log.raw & ~Self.bit
    }
}

/// The part of a collection's name behind the `/`.
package struct CollectionName: Hashable, Sendable {
    /// As it appears in server lines.
    package let text: String
    /// NFKC and case folding: what is compared.
    package let key: String

    /// A name that was checked before, read back from disk.
    package init(trusted text: String) { (self.text, self.key) = (text, NameFolding.key(of: text)) }

    /// The rules of handles for 1–32 characters and 128 bytes, reserved words aside.
    /// - Throws: `Refusal` BAD-ARG with `field=coll`.
    package init(checking given: String) throws(Refusal) {
        self.init(trusted: try NameFolding.canonical(given, field: "coll", characters: 1...32, bytes: 128))
        try NameFolding.checkScripts(text, field: "coll")
    }
}

/// The collection a request names: `items/name` or `#room/name`.
package struct CollectionTarget: Hashable, Sendable {
    /// The folded key of the conversation it belongs to; nil for a public one.
    package let conversation: String?
    /// Behind the `/`, as written.
    package let name: String
    /// The same, folded.
    package let key: String
    package init(conversation: String?, name: String, key: String) {
        (self.conversation, self.name, self.key) = (conversation, name, key)
    }
}

/// Whose a collection is.
package enum CollectionSpace: Hashable, Sendable {
    /// `items/name`: every account reads and adds.
    case everyone
    /// `#room/name`: it follows the conversation's membership.
    case conversation(ConversationNumber)
}
