import ChatModel

/// Which seqs of a conversation are messages: one bit an event, with a running count every 64 bits.
///
/// Answers how many messages stand up to a seq and where the n-th one is, so that unread counts and pages of HISTORY
/// need no look at the timeline. 1.5 bits an event that is kept; of those that are not, only the number is known.
package struct MessageIndex: Sendable {
    private var words = ContiguousArray<UInt64>()
    /// `before[i]`: messages in all words below `i`, those that are gone too; its lower 32 bits.
    private var before = ContiguousArray<UInt32>()
    /// Words that are gone, and the messages in them.
    private var goneWords = 0
    private var goneMessages: UInt64 = 0
    /// Events noted; the seq of the last one.
    package private(set) var lastSeq: Seq = 0
    /// Messages noted.
    package private(set) var count: UInt64 = 0

    package init() {}

    /// Knows nothing of the events below `seq`; how many messages are among them is said by `anchor`.
    init(startingAt seq: Seq) {
        lastSeq = max(1, min(seq, .max / 2)) - 1
        goneWords = Int(clamping: lastSeq >> 6)
        if lastSeq & 63 != 0 { (words, before) = ([0], [0]) }
    }

    /// Says how many messages were noted in all, those that it knows nothing of too; not more than there were events.
    mutating func anchor(count total: UInt64) {
        let known = count - goneMessages
        let gone = min(total, lastSeq) - min(total, lastSeq, known)
        let shift = UInt32(truncatingIfNeeded: gone) &- UInt32(truncatingIfNeeded: goneMessages)
        for index in before.indices { before[index] &+= shift }
        (goneMessages, count) = (gone, gone + known)
    }

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

    /// Forgets which seqs below `seq` are messages, all but some. Amortised O(1).
    mutating func trim(below seq: Seq) {
        let gone = Int(clamping: (max(1, min(seq, lastSeq + 1)) - 1) >> 6) - goneWords
        guard gone >= 64, gone > words.count / 2 else { return }
        goneMessages = gone < words.count ? countBefore(gone) : count
        words.removeFirst(gone)
        before.removeFirst(gone)
        goneWords += gone
    }

    /// Whether it is known to be a message.
    package func isMessage(_ seq: Seq) -> Bool {
        guard seq >= 1, seq <= lastSeq, let word = place(of: seq) else { return false }
        return words[word] >> ((seq - 1) & 63) & 1 == 1
    }

    /// Messages with a seq of at most `seq`; more where it is not known any more, but not more than are gone.
    package func count(through seq: Seq) -> UInt64 {
        let end = min(seq, lastSeq)
        guard end > 0 else { return 0 }
        guard let word = place(of: end) else { return goneMessages }
        let bit = (end - 1) & 63
        let mask = bit == 63 ? UInt64.max : (1 << (bit + 1)) - 1
        return countBefore(word) + UInt64((words[word] & mask).nonzeroBitCount)
    }

    /// The seq of message number `rank` (0 is the first); nil where it is not known any more. O(log n).
    package func seq(ofMessage rank: UInt64) -> Seq? {
        guard rank < count, rank >= goneMessages else { return nil }
        var (low, high) = (0, words.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if countBefore(middle) <= rank { low = middle } else { high = middle - 1 }
        }
        var (left, word) = (rank - countBefore(low), words[low])
        while left > 0 {
            word &= word - 1
            left -= 1
        }
        return UInt64(goneWords + low) * 64 + UInt64(word.trailingZeroBitCount) + 1
    }

    /// The newest message, if it is known.
    package var last: Seq? { count == 0 ? nil : seq(ofMessage: count - 1) }

    /// The index of the word with the bit of `seq`, which was noted; nil when it is gone.
    private func place(of seq: Seq) -> Int? {
        let index = Int((seq - 1) >> 6) - goneWords
        return index >= 0 ? index : nil
    }

    /// Messages below the word with this index. What is kept has less than 2³² messages.
    private func countBefore(_ index: Int) -> UInt64 {
        goneMessages + UInt64(before[index] &- UInt32(truncatingIfNeeded: goneMessages))
    }
}
