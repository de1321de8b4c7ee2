import ChatModel

/// Who may not write, and since a mute may run out by itself, until when. What lasts is measured by the monotonic clock.
extension State {
    /// A mute that ends by itself.
    package struct TimedMute: Hashable, Comparable {
        package let conversation: ConversationNumber
        package let account: AccountNumber
        package static func < (a: Self, b: Self) -> Bool {
            (a.conversation, a.account) < (b.conversation, b.account)
        }
    }

    func mute(_ user: AccountNumber, _ until: Timestamp?, _ event: Event, _ conversation: Conversation) {
        conversation.muted[user] = Conversation.Mute(seq: event.seq, until: until)
        let key = TimedMute(conversation: conversation.number, account: user)
        muteEnds[key] = until.map { monotonic.adding(milliseconds: $0.milliseconds - event.time.milliseconds) }
    }

    func unmute(_ user: AccountNumber, _ conversation: Conversation) {
        conversation.muted[user] = nil
        muteEnds[TimedMute(conversation: conversation.number, account: user)] = nil
    }

    /// After a recovery: mutes go on for what is left of them by the wall clock. O(conversations + mutes).
    func restoreMuteEnds(_ now: Timestamp) {
        muteEnds = [:]
        for conversation in conversations where !conversation.muted.isEmpty && !conversation.isDropped {
            for (account, mute) in conversation.muted {
                guard let until = mute.until else { continue }
                let left = max(0, until.milliseconds - now.milliseconds)
                let key = TimedMute(conversation: conversation.number, account: account)
                muteEnds[key] = monotonic.adding(milliseconds: left)
            }
        }
    }

    /// What the server says once mutes have run out. O(timed mutes).
    package func decideUnmutes(now: Timestamp) -> [Change] {
        if muteEnds.isEmpty { return [] }
        var offsets: [ConversationNumber: UInt64] = [:]
        return muteEnds.filter { $0.value <= monotonic }.keys.sorted().compactMap { key in
            guard !conversation(key.conversation).isDropped else {
                muteEnds[key] = nil
                return nil
            }
            let offset = offsets[key.conversation, default: 0]
            offsets[key.conversation] = offset + 1
            return .event(next(key.conversation, .unmute(key.account), by: .server, now: now, offset: offset))
        }
    }
}
