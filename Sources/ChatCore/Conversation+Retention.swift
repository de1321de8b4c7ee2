import ChatModel

/// What is kept of a conversation, and what is gone (protocol.md, What is kept).
extension Conversation {
    /// Messages that are kept.
    package var keptMessages: UInt64 { messages.count - min(messagesGone, messages.count) }

    /// The newest message that is kept.
    package var newestMessage: Seq? { keptMessages == 0 ? nil : messages.last }

    /// The first seq that is kept and that `account`, a member, may see.
    package func firstReadable(to account: AccountNumber) -> Seq { max(firstSeq, firstVisible(to: account)) }

    /// Something stands under some message.
    package var hasReactions: Bool { !reactions.isEmpty }

    /// Blobs depend on its messages, or edits that are kept may have the text of messages that are not.
    package var hasDependents: Bool { blobMessages > 0 || lastEdit >= firstSeq }

    /// Messages with a seq of at most `seq`, but at least those that are gone.
    package func messageCount(through seq: Seq) -> UInt64 { max(messagesGone, messages.count(through: seq)) }

    /// Lets everything below `seq` go; never takes back what is gone. Amortised O(1).
    /// - Returns: whether anything went.
    func trim(below seq: Seq) -> Bool {
        let seq = min(seq, nextSeq)
        guard seq > firstSeq else { return false }
        messagesGone = messageCount(through: seq - 1)
        firstSeq = seq
        messages.trim(below: seq)
        return true
    }

    /// Lets all but the newest `max` messages go, and every event before the first of them. O(log messages).
    /// - Returns: whether anything went.
    func trim(toNewest max: UInt64) -> Bool {
        guard keptMessages > max else { return false }
        return trim(below: messages.seq(ofMessage: messages.count - max) ?? nextSeq)
    }

    /// Takes over where a snapshot's lines begin, which may be written down later than the conversation itself.
    func restoreFirst(_ seq: Seq) {
        firstSeq = max(firstSeq, seq)
        messagesGone = firstSeq > nextSeq ? messages.count : messages.count(through: firstSeq - 1)
    }
}
