import ChatModel

/// What one line of a client is.
package enum ParsedLine: Sendable {
    /// Nothing but blanks: no request.
    case empty
    case command(Tag, Command)
    /// A request that lacks its password: answered with ASK, and completed by the next line, whole.
    case ask(Tag, PendingAsk)
    /// Answered with this ERR.
    case refused(Tag, Refusal)
    /// The same for a PUT-BLOB, behind which so many bytes of a file stand; nil when that cannot be known.
    case refusedUpload(Tag, Refusal, size: UInt64?)
}

/// A request without its password (`CommandParser.complete`).
package struct PendingAsk: Sendable {
    enum Request: Sendable {
        case signIn(who: String)
        case signUp(name: String?, display: String?, phone: String?, invite: TokenHash?, email: String)
        case link(name: String?, email: String)
        case oldPassword
        /// Nil for who signed in with the operator's code.
        case newPassword(old: Secret?)
        case email(String)
        case unregister
    }
    let request: Request

    /// Whether it is for those who are signed in.
    package var needsAccount: Bool {
        switch request {
        case .signIn, .signUp: false
        case .link, .oldPassword, .newPassword, .email, .unregister: true
        }
    }

    /// The word behind ASK.
    package var what: String { "password" }

    /// What a person reads behind ` - `.
    package var prompt: String {
        switch request {
        case .signIn: "type the password; the next line, whole, is taken for it"
        case .oldPassword, .email, .unregister: "type your password; the next line, whole, is taken for it"
        case .signUp, .link, .newPassword: "choose a password of 8 bytes or more; the next line, whole, is taken for it"
        }
    }
}
