import Bytes
import ChatCore
import ChatModel
import Wire

/// What is kept of conversations, and what goes (protocol.md, What is kept).
///
/// `max=` counts by itself (`State.retain`). Age is looked at here, once a tick for conversations in which something may
/// have grown too old. What is gone goes from memory a second or two later, chunk by chunk, so that who follows at the
/// conversation's pace misses nothing. All of it in steps, so that no turn is long.
extension Engine {
    /// Bytes of lines that are looked at in one turn.
    private static let retentionStep = 256 * 1024
    /// Conversations whose age is looked at in one turn.
    private static let agedStep = 16

    /// ADMIN RETAIN: counts at once. Also while memory is full: it makes room.
    func retain(_ target: ConversationTarget, _ retention: Retention) throws(Refusal) -> Reply {
        if let readOnlyReason { throw Refusal(.internal, "the server is read-only: \(readOnlyReason)") }
        let number = try content.state.findForOperator(target)
        commit(.ledger(.retain(number, retention)), together: false)
        _ = retainer.clock.note(wall: now, monotonic: monotonic)
        trimAged(number)
        return content.state.decideRetention(of: number)
    }

    /// What the settings say is written down where it is new, so that a recovery lets go of the same.
    func recordRetentionDefaults() {
        let wanted = content.state.limits.retention
        if content.state.retentionDefaults != wanted { commit(.ledger(.retainByDefault(wanted)), together: false) }
    }

    /// After a start.
    func beginRetention() {
        let newest = content.state.conversations.map(\.lastTime).max()
        retainer.clock = AgeClock(newest: newest, wall: now, monotonic: monotonic)
        resumeRetention()
    }

    /// After a start, or when the state was read again.
    func resumeRetention() {
        retainer = Retainer(retainer.clock)
        recordRetentionDefaults()
    }

    /// Once a second.
    func noteTickForRetention() {
        if retainer.clock.note(wall: now, monotonic: monotonic) { retainer.lookAtAll() }
        findAged()
        findRipe()
        stepRetention()
    }

    /// One turn's share of the work.
    func stepRetention() {
        guard readOnlyReason == nil else { return }
        for _ in 0..<Self.agedStep {
            guard let number = retainer.aged.popLast() else { break }
            trimAged(number)
        }
        var looked = 0
        while looked < Self.retentionStep, let (number, limit) = retainer.ripe.popLast() {
            looked += 1024 + trimLines(of: number, below: limit, budget: Self.retentionStep - looked)
            if content.timelines[Int(number.raw) - 1].settled < limit { retainer.ripe.append((number, limit)) }
        }
    }

    // MARK: Age

    /// O(conversations), a glance each.
    private func findAged() {
        while retainer.due.count < content.state.conversations.count { retainer.due.append(0) }
        guard retainer.aged.isEmpty else { return }
        for index in retainer.due.indices where retainer.due[index] <= monotonic.milliseconds {
            retainer.aged.append(ConversationNumber(UInt32(clamping: index + 1)))
        }
    }

    /// Lets go of what has grown too old, and notes when to look again. O(log chunks + chunk).
    private func trimAged(_ number: ConversationNumber) {
        let conversation = content.state.conversation(number)
        let index = Int(number.raw) - 1
        while retainer.due.count <= index { retainer.due.append(0) }
        guard let age = content.state.retention(of: conversation).age, age < Self.longestAge else {
            retainer.due[index] = .max
            return
        }
        let moment = retainer.clock.moment(monotonic).milliseconds
        let cutoff = Timestamp(milliseconds: moment - age * 1000)
        let first = content.timelines[index].firstSeq(notBefore: cutoff)
        if first > conversation.firstSeq { commit(.ledger(.trim(number, first: first)), together: false) }
        let oldest = content.timelines[index].withLine(conversation.firstSeq) { EventParser.parse($0)?.time }
        let rest = ((oldest ?? nil)?.milliseconds ?? moment) - cutoff.milliseconds
        retainer.due[index] = monotonic.milliseconds + max(rest + 1, Self.pause(age))
    }

    /// Seconds that reach further back than any event.
    private static let longestAge: Int64 = 1 << 40

    /// Milliseconds between two looks at a conversation: a message may be there that much longer. A tenth of its age, but a
    /// minute at most.
    private static func pause(_ age: Int64) -> Int64 { min(60_000, max(1000, age * 100)) }

    // MARK: Memory

    /// Lines that were gone at the tick before go now.
    private func findRipe() {
        var pending: [Retainer.Pending] = []
        for one in retainer.pending {
            let first = content.state.conversation(one.number).firstSeq
            retainer.ripe.append((one.number, min(first, one.next)))
            if first > one.next {
                pending.append(Retainer.Pending(number: one.number, next: content.timeline(one.number).nextSeq))
            } else {
                content.state.watchTrims(of: one.number)
            }
        }
        for number in content.state.takeTrimmed() {
            pending.append(Retainer.Pending(number: number, next: content.timeline(number).nextSeq))
        }
        retainer.pending = pending
    }

    /// More lines that are gone than may stay go at once: as many as came in this turn, and some more.
    func trimExcess(of number: ConversationNumber, newChunks: Int) {
        guard let limit = content.excess(of: number) else { return }
        _ = trimLines(of: number, below: limit, budget: Self.retentionStep + newChunks * 2 * Chunk.largest)
    }

    /// Settles lines below `limit` and lets their chunks go.
    /// - Returns: bytes looked at.
    private func trimLines(of number: ConversationNumber, below limit: Seq, budget: Int) -> Int {
        let looked = settleGone(number, through: limit, budget: budget)
        let index = Int(number.raw) - 1
        publish(number)
        let before = content.timelines[index].firstOrdinal
        let first = content.timelines[index].trim(below: min(limit, content.timelines[index].settled))
        if first > before { tellTrimmed(number) }
        return looked
    }

    /// Takes back what depends on lines below `limit`.
    /// - Returns: bytes looked at.
    func settleGone(_ number: ConversationNumber, through limit: Seq, budget: Int) -> Int {
        let settled = content.settleGone(number, through: limit, budget: budget)
        replaceChunks(settled.changed, in: number)
        return settled.looked
    }

    private func tellTrimmed(_ number: ConversationNumber) {
        let (timeline, kept) = (content.timeline(number), content.state.conversation(number).firstSeq)
        let lines = TrimmedLines(
            firstOrdinal: timeline.firstOrdinal,
            keptSeq: max(kept, timeline.firstSeq),
            kept: timeline.place(of: kept)
        )
        for loop in loops.indices where loops[loop].cursorCount(number) > 0 {
            loops[loop].held.append(.trim(number, lines), at: appended)
        }
    }

    /// Whether events of a conversation that stood at `visible` or behind, and happened at `time` or later, may be gone.
    func isAnythingGone(of conversation: Conversation, from visible: Seq, since time: Timestamp) -> Bool {
        guard conversation.firstSeq > visible else { return false }
        if conversation.firstSeq == conversation.nextSeq { return conversation.lastTime >= time }
        let timeline = content.timeline(conversation.number)
        func happened(_ seq: Seq) -> Timestamp? { timeline.withLine(seq) { EventParser.parse($0)?.time } ?? nil }
        // Where the last one that is gone is not there any more, the first that is kept tells when it happened at the latest.
        guard let latest = happened(conversation.firstSeq - 1) ?? happened(conversation.firstSeq) else { return true }
        return latest >= time
    }

    /// A conversation's lines for a loop that has its first cursor there.
    func published(_ number: ConversationNumber) -> PublishedLines {
        var notice = ByteBuffer(capacity: 64)
        notice.append("EV gone conv=")
        ValueRenderer.append(word: content.state.name(of: number), into: &notice)
        notice.append(" first=")
        let kept = content.state.conversation(number).firstSeq
        return content.timeline(number).published(from: kept, notice: Array(notice.readable))
    }
}
