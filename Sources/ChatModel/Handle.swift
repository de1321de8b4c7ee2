/// A name that identifies an account: canonical spelling (NFKC) and the folded key under which it is unique
/// (protocol.md, Accounts).
package struct Handle: Hashable, Sendable {
    /// As it appears in server lines.
    package let text: String
    /// NFKC and case folding: what is compared.
    package let key: String

    /// A handle that was checked before, read back from disk.
    package init(trusted text: String) { (self.text, self.key) = (text, NameFolding.key(of: text)) }

    /// Checks the rules of handles: 3–20 grapheme clusters, at most 64 bytes, no blanks, marks in front, controls or
    /// `# @ , : = " / +`, one of Latin, Greek and Cyrillic only, and none of the reserved words.
    /// - Throws: `Refusal` BAD-ARG or EXISTS with `field=name`.
    package init(checking given: String) throws(Refusal) {
        let text = try NameFolding.canonical(given, field: "name", characters: 3...20, bytes: 64)
        let key = NameFolding.key(of: text)
        if Self.reserved.contains(key) || key.utf8.starts(with: "guest-".utf8) {
            throw .exists("name", "this name is reserved")
        }
        (self.text, self.key) = (text, key)
    }

    /// Names nobody may take.
    package static let reserved: Set<String> = [
        "admin", "administrator", "root", "system", "server", "operator", "support", "everyone", "all", "here",
        "deleted", "nobody", "anonymous", "fcd", "fcc", "lobby",
    ]
}

/// The name of a conversation, without its `#`.
package struct ConversationName: Hashable, Sendable {
    package let text: String
    package let key: String

    package init(trusted text: String) { (self.text, self.key) = (text, NameFolding.key(of: text)) }

    /// The rules of handles for 1–32 characters and 128 bytes, reserved words aside.
    /// - Throws: `Refusal` BAD-ARG with `field=conv`.
    package init(checking given: String) throws(Refusal) {
        text = try NameFolding.canonical(given, field: "conv", characters: 1...32, bytes: 128)
        key = NameFolding.key(of: text)
    }
}
