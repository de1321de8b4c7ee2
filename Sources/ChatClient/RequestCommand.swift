/// A command that is one request, or one for each page of a list, as the command line gave it.
package struct RequestCommand: Equatable, Sendable {
    /// Passwords that the server asks for.
    package enum Secret: Equatable, Sendable {
        case none
        /// The one in use.
        case present
        /// One for an account that has none yet.
        case first
        /// The one in use, then the one that takes its place.
        case change
    }

    /// How the next page of a list is asked for.
    package enum Pages: Equatable, Sendable {
        /// There is only one.
        case one
        /// `after=` is this key of the last row.
        case row(String)
        /// `after=` is `next=` of the OK.
        case next
    }

    /// What a person sees of a reply; `--json` shows its rows, or its OK where there are none to come.
    package enum Outcome: Equatable, Sendable {
        case quiet
        case said(String)
        case rows
        /// Each key of the OK on a line.
        case fields
        /// The value of this key of the OK, alone.
        case value(String)
    }

    /// What is to be remembered here when the server has agreed.
    package enum Memory: Equatable, Sendable {
        case nothing
        /// The name and the token of the OK.
        case identity
        /// That nobody is signed in any more.
        case signedOut
    }

    package var request: Request
    package var pages = Pages.one
    package var secret = Secret.none
    package var outcome = Outcome.quiet
    package var memory = Memory.nothing
    /// A blob's id, or a file to be uploaded first: the request's `avatar=`.
    package var avatar: String?
}
