import ChatModel
import Engine

/// Who keeps the table of settings: names, ranges, sources. The operator's front end asks it on the engine's thread.
package protocol SettingsDesk: AnyObject {
    /// Rows of GET: one setting, or all in the table's order.
    /// - Throws: BAD-ARG `field=key` that names the nearest one.
    func rows(key: String?) throws(Refusal) -> [Row]

    /// Checks a SET; nothing is changed.
    /// - Throws: BAD-ARG `field=key` for an unknown setting, CONFLICT for one that needs a restart, BAD-ARG `field=value`
    ///   outside the range.
    func check(key: String, value: String?) throws(Refusal)

    /// Lets a SET that was checked and written down count; nil takes one back.
    func take(key: String, value: String?)

    /// What counts now, and what of the limits is new since the last call. `log` is the identity that HI shows.
    func current(log: String) -> (live: LiveSettings, changed: [(key: String, value: String)])
}
