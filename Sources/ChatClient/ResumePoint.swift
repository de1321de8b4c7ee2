/// How far one conversation has been shown, and from where to go on after a lost connection.
package struct ResumePoint: Equatable, Sendable {
    /// The newest event shown; what is at or below it is a double. Nil before anything was shown or skipped.
    package private(set) var shown: UInt64?
    /// Where `SUB since=` continues; nil as long as the server has not said where the stream begins.
    package private(set) var resume: UInt64?

    package init() {}

    /// Begins behind `seq`: it and everything before counts as shown.
    package init(after seq: UInt64) { (shown, resume) = (seq, seq) }

    /// The stream begins behind `seq`, though nothing counts as shown: what comes is shown even when it is older.
    package mutating func begin(behind seq: UInt64) { if resume == nil { resume = seq } }

    /// Whether the event `seq` is new; it counts as shown from now on.
    package mutating func accept(_ seq: UInt64) -> Bool {
        if let shown, seq <= shown { return false }
        (shown, resume) = (seq, seq)
        return true
    }

    /// The server no longer has, or never had, what follows: go on behind `seq`, wherever that is.
    package mutating func jump(behind seq: UInt64) { (shown, resume) = (seq, seq) }
}
