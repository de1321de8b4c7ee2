import ChatModel

/// Which messages HISTORY asks for, in seqs.
package enum HistoryRange: Sendable {
    case newest
    /// Seqs below.
    case before(Seq)
    /// Seqs above.
    case after(Seq)
    /// The message at or before it in the middle.
    case around(Seq)

    /// Ranks of the messages from `low` up to but not with `high`, and whether more stand in the asked direction.
    ///
    /// `first` is the rank of the first message that may be shown.
    func ranks(in index: MessageIndex, first: UInt64, limit: UInt64) -> (low: UInt64, high: UInt64, more: Bool) {
        let end = index.count
        switch self {
        case .newest: return Self.ending(at: end, first, limit)
        case .before(let seq): return Self.ending(at: seq == 0 ? 0 : index.count(through: seq - 1), first, limit)
        case .after(let seq):
            let low = max(first, index.count(through: seq))
            let high = min(end, low + limit)
            return (low, high, high < end)
        case .around(let seq):
            let middle = max(first, seq == 0 ? 0 : index.count(through: seq - 1))
            let back = min(limit / 2, middle - first)
            let high = min(end, middle - back + limit)
            let low = high > limit + first ? min(middle - back, high - limit) : first
            return (min(low, high), high, low > first || high < end)
        }
    }

    private static func ending(
        at end: UInt64,
        _ first: UInt64,
        _ limit: UInt64
    ) -> (low: UInt64, high: UInt64, more: Bool) {
        if end <= first { return (first, first, false) }
        let low = end - first > limit ? end - limit : first
        return (low, end, low > first)
    }
}
