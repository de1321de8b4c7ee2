/// A name that identifies an account: canonical spelling (NFKC) and the folded key by which it is found (protocol.md,
/// Accounts).
package struct Handle: Hashable, Sendable {
    /// As it appears in server lines.
    package let text: String
    /// NFKC and case folding: what is compared.
    package let key: String

    /// A handle that was checked before, read back from disk.
    package init(trusted text: String) { (self.text, self.key) = (text, NameFolding.key(of: text)) }

    /// Checks the rules of handles: 3–20 grapheme clusters, at most 64 bytes, no blanks, marks in front, controls or
    /// `# @ , : = " / +`; not taken, not reserved and not like what is; of scripts that go together.
    ///
    /// - Parameter isTaken: whether an account has this handle, or one that looks like it. Asked before the scripts are
    ///   looked at, so that who imitates a name hears that it is taken.
    /// - Throws: `Refusal` BAD-ARG or EXISTS with `field=name`.
    package init(checking given: String, isTaken: (Handle) -> Bool) throws(Refusal) {
        self.init(trusted: try NameFolding.canonical(given, field: "name", characters: 3...20, bytes: 64))
        if isTaken(self) { throw .exists("name", "this name is taken, or looks like one that is") }
        if looks.contains(where: Self.isReserved) { throw .exists("name", "this name is reserved") }
        try NameFolding.checkScripts(text, field: "name")
    }

    /// What it looks like, by which it is unique: one or two strings that are good for comparison only. O(n), 2 µs.
    package var looks: [String] { NameFolding.looks(of: text, key: key) }

    private static func isReserved(_ look: String) -> Bool {
        reservedLooks.contains(look) || guestLooks.contains { look.utf8.starts(with: $0.utf8) }
    }

    /// Names nobody may take.
    package static let reserved: Set<String> = [
        "admin", "administrator", "root", "system", "server", "operator", "support", "everyone", "all", "here",
        "deleted", "nobody", "anonymous", "fcd", "fcc", "lobby",
    ]

    private static let reservedLooks = Set(reserved.flatMap { Handle(trusted: $0).looks })
    /// What the names of guests begin with.
    private static let guestLooks = Handle(trusted: "guest-").looks
}
