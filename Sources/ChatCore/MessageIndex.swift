import ChatModel

/// Which seqs of a conversation are messages: one bit an event, with a running count every 64 bits.
///
/// Answers how many messages stand up to a seq and where the n-th one is, so that unread counts and pages of HISTORY
/// need no look at the timeline. 1.5 bits an event.
package struct MessageIndex: Sendable {
    private var words = ContiguousArray<UInt64>()
    /// `before[i]`: messages in all words below `i`.
    private var before = ContiguousArray<UInt32>()
    /// Events noted; the seq of the last one.
    package private(set) var lastSeq: Seq = 0
    /// Messages noted.
    package private(set) var count: UInt64 = 0

    package init() {}

    /// Notes the event with seq `lastSeq + 1`.
    package mutating func append(isMessage: Bool) {
        let bit = Int(lastSeq & 63)
        if bit == 0 {
            words.append(0)
            before.append(UInt32(truncatingIfNeeded: count))
        }
        if isMessage {
            words[words.count - 1] |= 1 << UInt64(bit)
            count += 1
        }
        lastSeq += 1
    }

    package func isMessage(_ seq: Seq) -> Bool {
        guard seq >= 1, seq <= lastSeq else { return false }
        return words[Int((seq - 1) >> 6)] >> ((seq - 1) & 63) & 1 == 1
    }

    /// Messages with a seq of at most `seq`.
    package func count(through seq: Seq) -> UInt64 {
        let end = min(seq, lastSeq)
        if end == 0 { return 0 }
        let (word, bit) = (Int((end - 1) >> 6), (end - 1) & 63)
        let mask = bit == 63 ? UInt64.max : (1 << (bit + 1)) - 1
        return UInt64(before[word]) + UInt64((words[word] & mask).nonzeroBitCount)
    }

    /// The seq of message number `rank` (0 is the first). O(log n).
    package func seq(ofMessage rank: UInt64) -> Seq? {
        guard rank < count else { return nil }
        var (low, high) = (0, words.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if UInt64(before[middle]) <= rank { low = middle } else { high = middle - 1 }
        }
        var (left, word) = (rank - UInt64(before[low]), words[low])
        while left > 0 {
            word &= word - 1
            left -= 1
        }
        return UInt64(low) * 64 + UInt64(word.trailingZeroBitCount) + 1
    }

    /// The newest message, if any.
    package var last: Seq? { count == 0 ? nil : seq(ofMessage: count - 1) }
}
