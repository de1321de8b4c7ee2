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

/// AUTH or SIGNUP without its password (`CommandParser.complete`).
package struct PendingAsk: Sendable {
    enum Request: Sendable {
        case signIn(who: String)
        case signUp(name: String?, display: String?, phone: String?, invite: String?, email: String)
    }
    let request: Request

    /// The word behind ASK.
    package var what: String { "password" }

    /// What a person reads behind ` - `.
    package var prompt: String {
        switch request {
        case .signIn: "type the password; the next line, whole, is taken for it"
        case .signUp: "choose a password of 8 bytes or more; the next line, whole, is taken for it"
        }
    }
}
