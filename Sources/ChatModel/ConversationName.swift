/// The name of a conversation, without its `#`.
package struct ConversationName: Hashable, Sendable {
    /// As it appears in server lines.
    package let text: String
    /// NFKC and case folding: what is compared.
    package let key: String

    /// A name that was checked before, read back from disk.
    package init(trusted text: String) { (self.text, self.key) = (text, NameFolding.key(of: text)) }

    /// The rules of handles for 1–32 characters and 128 bytes, reserved words aside.
    ///
    /// - Parameter isTaken: whether a conversation has or had this name, or one that looks like it.
    /// - Throws: `Refusal` BAD-ARG or EXISTS with `field=conv`.
    package init(checking given: String, isTaken: (ConversationName) -> Bool) throws(Refusal) {
        self.init(trusted: try NameFolding.canonical(given, field: "conv", characters: 1...32, bytes: 128))
        if isTaken(self) { throw .exists("conv", "this name is or was taken, or looks like one that is") }
        try NameFolding.checkScripts(text, field: "conv")
    }

    /// What it looks like, by which it is unique: one or two strings that are good for comparison only. O(n), 2 µs.
    package var looks: [String] { NameFolding.looks(of: text, key: key) }
}
