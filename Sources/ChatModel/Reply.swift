/// What answers one request; the front end renders it with the request's tag.
package enum Reply: Sendable {
    /// `OK key=value …`, after its rows.
    case done(rows: [Row] = [], [KeyValue])
    /// `OK conv= seq= ts= [dup=yes]`: the answer of every verb that makes an event.
    case event(conversation: String, seq: Seq, time: Timestamp, isRepeat: Bool)
    /// `OK user= token= unread=`: this connection now speaks for an account.
    case signedIn(user: String, token: String?, unread: UInt64?, isNew: Bool)
    case signedOut
    /// `OK user=`: the password is another one, and whoever signed in with the operator's code may go on.
    case passwordChanged(user: String)
    /// Rows that are lines of the timeline as they stand, without their leading `EV `, then `OK n= more=`.
    case lines(LineCopy, count: Int, more: Bool)
    /// The same with another ending.
    case page(LineCopy, [KeyValue])
    case refused(Refusal)
    /// `OK`, then `BYE OK` and the end of the connection.
    case bye
    /// What the front end itself had to say, kept in the order of the requests.
    case own(OwnReply)
    /// PUT-BLOB may send its bytes: nothing is said yet, the answer comes when they are stored.
    case uploadMayBegin
}

/// Replies the front end decides alone. They travel through the engine only when earlier requests are still unanswered.
package enum OwnReply: Sendable {
    case pong(String?)
    case help(verb: String?)
    case hello
    case refused(Refusal)
    /// HELP on the control socket: the verbs there, or one of them.
    case adminHelp(verb: String?)
}

/// Whole lines copied out of a timeline, each with its LF.
package final class LineCopy: Sendable {
    package let bytes: [UInt8]
    package init(_ bytes: [UInt8]) { self.bytes = bytes }
}
