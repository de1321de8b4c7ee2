import ChatModel

/// Failed sign-ins make the next one wait, by account and by source; never written down.
///
/// A name counts whether it exists or not, so that waiting tells nothing. After `free` failures the wait doubles from one
/// second on; ten quiet minutes forget it. At most `capacity` names are kept, the longest quiet go first.
package struct SignInBackOff {
    private struct Record {
        var failures = 0
        var last: Int64 = 0
        var until: Int64 = 0
    }

    private var records: [String: Record] = [:]
    /// Failures that cost nothing.
    private let free: Int
    /// The longest wait, in seconds.
    private let longest: Int64
    private let capacity = 20_000

    /// A source may fail four times as often as an account: several people share an address.
    private enum Kind: Int { case account = 1, source = 4 }

    package init(free: Int, longestSeconds: Int) { (self.free, longest) = (free, Int64(longestSeconds)) }

    /// Seconds this sign-in must wait, or nil.
    package func wait(account: String?, source: String, now: MonotonicTime) -> Int? {
        let keys = [account.map { "a" + $0 }, "s" + source].compactMap { $0 }
        let until = keys.compactMap { records[$0]?.until }.max() ?? 0
        let left = until - now.milliseconds
        return left > 0 ? Int((left + 999) / 1000) : nil
    }

    package mutating func failed(account: String?, source: String, now: MonotonicTime) {
        if records.count >= capacity { forgetQuiet(now) }
        if let account { note("a" + account, .account, now) }
        note("s" + source, .source, now)
    }

    /// A sign-in worked: its account waits no longer.
    package mutating func succeeded(account: String) { records["a" + account] = nil }

    private mutating func note(_ key: String, _ kind: Kind, _ now: MonotonicTime) {
        var record = records[key] ?? Record()
        if now.milliseconds - record.last > 600_000 { record = Record() }
        record.failures += 1
        record.last = now.milliseconds
        let beyond = record.failures - free * kind.rawValue
        if beyond > 0 { record.until = now.milliseconds + 1000 * min(longest, 1 << Int64(min(beyond - 1, 20))) }
        records[key] = record
    }

    private mutating func forgetQuiet(_ now: MonotonicTime) {
        records = records.filter { now.milliseconds - $0.value.last <= 600_000 }
        if records.count < capacity { return }
        let byAge = records.sorted { $0.value.last < $1.value.last }
        for (key, _) in byAge.prefix(capacity / 2) { records[key] = nil }
    }
}
