/// The names an event's line shows; the caller looks them up, for an event itself has numbers only.
package struct EventNames: Sendable {
    /// Canonical, with its `#` or as `@a,b`.
    package var conversation: String
    /// The handle of who did it.
    package var by: String
    /// Whom it concerns, where it is about somebody.
    package var user: String?

    package init(conversation: String, by: String, user: String? = nil) {
        (self.conversation, self.by, self.user) = (conversation, by, user)
    }
}
