/// SEARCH: the messages of one conversation that have all of some words (protocol.md, Reading).
package struct Search: Sendable {
    package let target: ConversationTarget
    package let words: SearchWords
    /// The handle, as written, of who said it; nil for everybody.
    package let author: String?
    /// Between these, both excluded.
    package let after: History.Position?
    package let before: History.Position?
    /// 1 … 200
    package let limit: Int

    package init(
        target: ConversationTarget,
        words: SearchWords,
        author: String?,
        after: History.Position?,
        before: History.Position?,
        limit: Int
    ) {
        (self.target, self.words, self.author) = (target, words, author)
        (self.after, self.before, self.limit) = (after, before, limit)
    }
}
