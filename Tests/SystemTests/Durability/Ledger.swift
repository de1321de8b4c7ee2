import ChatTesting

/// What the server told the clients of a `Scenario`, to be held against it after a restart.
struct Ledger {
    /// How ann can sign in, as far as that was acknowledged.
    enum Credential: Equatable {
        /// She was never told that she has an account.
        case none
        case password(String)
        /// The operator's code, not used yet.
        case code(String)
        case token(String)
        /// A change was under way and not acknowledged.
        case unsure
    }

    /// An upload that was acknowledged.
    struct Passing {
        enum End { case none, unsure, acknowledged }
        let id: String
        let path: String
        var end = End.none

        init(_ put: Reply) { (id, path) = (put["blob"] ?? "", ChatTesting.path(of: put["url"])) }
    }

    /// One request that writes, and what became of it.
    struct Write {
        let request: String
        let isOK: Bool
        /// The refusal; empty when there is none.
        let refusal: String

        /// The server refuses because its journal has failed.
        var isReadOnly: Bool { refusal.contains("read-only") || refusal.contains("not written to disk") }
    }

    var credential = Credential.none
    /// Tokens of ann's sessions whose end was acknowledged.
    var deadTokens: [String] = []
    var hasRoom = false
    var hasSnapshot = false
    /// The texts acknowledged in each conversation, in order.
    var sent: [String: [String]] = [:]
    /// The texts in #room that ben was told of.
    var heard: [String] = []
    /// Path of the upload on the blob port.
    var upload: String?
    /// Further uploads and their ends.
    var passing: [Scenario.Passing: Passing] = [:]
    /// Path of an upload with the bytes of one that was deleted, as long as it is to be there.
    var double: String?
    /// Everything that writes, in order.
    var writes: [Write] = []
    /// Why the daemon did not start.
    var startFailure: String?
    /// The connection was lost before the end.
    var loss: ClientFailure?
    /// What its end by SIGTERM gave.
    var exitCode: Int32?

    /// Uploads that no message is known to have may end from here on.
    mutating func forgetUnused() {
        double = nil
        if sent["#room"]?.contains("picture") != true { upload = nil }
        for key in passing.keys where passing[key]?.end == Passing.End.none { passing[key]?.end = .unsure }
    }

    /// Everything was done and acknowledged.
    var isWhole: Bool { startFailure == nil && loss == nil && exitCode == 0 && writes.allSatisfy(\.isOK) }

    var refusals: [Write] { writes.filter { !$0.isOK } }
}
