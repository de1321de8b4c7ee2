/// What an account does with itself (protocol.md, Accounts).
package enum AccountCommand: Sendable {
    case sessions
    case link(Link)
    /// PASSWD: nil is for a connection that signed in with the operator's code.
    case changePassword(old: Secret?, new: Secret)
    case changeEmail(String, password: Secret)
    case unregister(password: Secret)
    /// PROFILE: one's own without a user.
    case profile(user: String?)
    case changeProfile(ProfileChange)
    case users(prefix: String?, Page)
    case makeToken(TokenRequest)
    case tokens
    case deleteToken(id: String)
    case block(user: String)
    case unblock(user: String)
    case blocks
    /// The first page without a place.
    case export(after: ExportPlace?, limit: Int)
}

/// LINK: what a guest is to become.
package struct Link: Sendable {
    package let name: String?
    package let email: String
    package let password: Secret
    package init(name: String?, email: String, password: Secret) {
        (self.name, self.email, self.password) = (name, email, password)
    }
}

/// PROFILE with options: nil leaves a field as it is, an empty text takes it away.
package struct ProfileChange: Sendable {
    package let display: String?
    package let phone: String?
    package let bio: String?
    package let avatar: String?
    package init(display: String?, phone: String?, bio: String?, avatar: String?) {
        (self.display, self.phone, self.bio, self.avatar) = (display, phone, bio, avatar)
    }
}

package struct TokenRequest: Sendable {
    package let label: String
    package let scope: TokenScope
    /// Seconds from now; nil is never.
    package let lifetime: Int64?
    package init(label: String, scope: TokenScope, lifetime: Int64?) {
        (self.label, self.scope, self.lifetime) = (label, scope, lifetime)
    }
}

/// Where a page of EXPORT goes on: behind this seq of this conversation, written `conversation.seq`.
package struct ExportPlace: Sendable, Equatable {
    package let conversation: ConversationNumber
    package let seq: Seq
    package init(conversation: ConversationNumber, seq: Seq) { (self.conversation, self.seq) = (conversation, seq) }
    package var text: String { "\(conversation.raw).\(seq)" }
}
