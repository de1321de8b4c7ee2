/// How much of a conversation is kept; nil is what the settings say, and where they say nothing, everything.
package struct Retention: Sendable, Equatable {
    /// Messages, the newest ones.
    package var max: UInt64?
    /// Seconds since a message was sent.
    package var age: Int64?
    package init(max: UInt64? = nil, age: Int64? = nil) { (self.max, self.age) = (max, age) }

    /// Everything is kept, whatever the settings say.
    package static let allMessages = UInt64.max
    package static let everyAge = Int64.max

    /// What counts where this says nothing itself.
    package func completed(by defaults: Retention) -> Retention {
        Retention(max: max ?? defaults.max, age: age ?? defaults.age)
    }
}
