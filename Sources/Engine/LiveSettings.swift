import ChatModel

/// What of the settings may change while the engine runs.
package struct LiveSettings: Sendable {
    package var limits: Limits
    /// Nil when `limits.rate` is off.
    package var backOff: SignInBackOff?
    /// `HI` for new connections, but for `time=`.
    package var greeting: [KeyValue]
    package init(limits: Limits, backOff: SignInBackOff?, greeting: [KeyValue]) {
        (self.limits, self.backOff, self.greeting) = (limits, backOff, greeting)
    }
}
