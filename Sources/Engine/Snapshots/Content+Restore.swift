import ChatCore
import ChatModel
import Persistence
import Wire

extension Content {
    /// Takes over what a file of the snapshot says. Files come in the order of the manifest: conversations before their
    /// lines, stretches before tails.
    /// - Parameter holds: the global sequence up to which the manifest says the file holds everything.
    /// - Throws: `RecordFault` when it does not fit what came before.
    package mutating func restore(
        _ shard: SnapshotShard,
        _ part: SnapshotPart,
        holds: UInt64
    ) throws(RecordFault) {
        snapshot.note(part, holds: holds)
        switch shard {
        case .server(let server):
            state.restore(
                logID: server.logID,
                nonceKey: server.nonceKey,
                isUncleanInterval: server.isUncleanInterval,
                settings: server.settings
            )
            state.restore(
                invites: server.invites,
                metricsToken: server.metricsToken,
                bannedAddresses: server.bannedAddresses
            )
            state.restore(retentionDefaults: server.retention)
            state.restore(linkKey: server.linkKey)
        case .accounts(let accounts):
            for (slot, at) in accounts where !state.restore(slot, validFrom: max(at, holds) + 1) {
                throw RecordFault("two accounts with one number")
            }
        case .conversations(let conversations):
            for (conversation, at) in conversations {
                guard state.restore(conversation, validFrom: max(at, holds) + 1) else {
                    throw RecordFault("conversation \(conversation.number.raw) does not follow the one before")
                }
                messageTotals.append(conversation.messages)
                // A file that does not say what lines cannot say once they are gone is written again.
                if conversation.messages == nil { snapshot.note(part, holds: 0) }
            }
        case .timelines(let runs):
            for run in runs { try restore(run) }
        case .collections(let collections):
            for (collection, at) in collections {
                guard state.restore(collection, validFrom: max(at, holds) + 1) else {
                    throw RecordFault("collection \(collection.record.number.raw) does not follow the one before")
                }
            }
        case .items(let run):
            guard case .items(run.collection, _) = part else { throw RecordFault("items in the file of others") }
            try restore(run)
        }
    }

    private mutating func restore(_ run: TimelineRun) throws(RecordFault) {
        guard state.exists(run.conversation) else {
            throw RecordFault("lines of conversation \(run.conversation.raw), which does not exist")
        }
        let index = Int(run.conversation.raw) - 1
        while timelines.count <= index { timelines.append(Timeline()) }
        let isFirst = timelines[index].nextSeq == 1
        guard timelines[index].restore(run) else {
            throw RecordFault("lines of conversation \(run.conversation.raw) that do not follow each other")
        }
        if isFirst { state.restoreMessages(of: run.conversation, startingAt: run.first) }
        state.restoreMessages(of: run.conversation, count: run.count) { run.isMessage($0) }
        if run.isStretch { return }
        guard timelines[index].firstSeq == run.kept else {
            throw RecordFault("conversation \(run.conversation.raw) begins with other lines than it should")
        }
        let total = index < messageTotals.count ? messageTotals[index] : nil
        state.endRestoring(of: run.conversation, first: run.kept, total: total)
    }

    /// Lines of a conversation that has none yet begin here.
    mutating func beginLines(of number: ConversationNumber, at first: Seq) {
        let index = Int(number.raw) - 1
        while timelines.count <= index { timelines.append(Timeline()) }
        if timelines[index].nextSeq == 1 { timelines[index].nextSeq = max(1, min(first, State.largestSeq)) }
        if state.exists(number) { state.restoreMessages(of: number, startingAt: first) }
    }

    /// Takes a run over as lines that no file holds; false when it does not follow.
    mutating func restore(asTail run: TimelineRun) -> Bool {
        let index = Int(run.conversation.raw) - 1
        while timelines.count <= index { timelines.append(Timeline()) }
        guard run.first == timelines[index].nextSeq else { return false }
        var run = run
        run.isStretch = false
        guard timelines[index].restore(run) else { return false }
        if state.exists(run.conversation) {
            state.restoreMessages(of: run.conversation, count: run.count) { run.isMessage($0) }
        }
        return true
    }

    /// Takes a single line over, without its LF.
    mutating func restoreLine(_ line: UnsafeRawBufferPointer, of number: ConversationNumber) {
        append(line, to: number)
        let isMessage = EventParser.parse(line)?.kind == .msg
        if state.exists(number) { state.restoreMessages(of: number, count: 1) { _ in isMessage } }
    }

    /// When the last line of a conversation says that it happened.
    func lastTime(of number: ConversationNumber) -> Timestamp? {
        let index = Int(number.raw) - 1
        guard index < timelines.count, timelines[index].nextSeq > 1 else { return nil }
        return timelines[index].withLine(timelines[index].nextSeq - 1) { EventParser.parse($0)?.time } ?? nil
    }

    /// All files are there; records above `sequence` follow.
    package mutating func finishRestoring(sequence: UInt64) {
        (snapshot.sequence, globalSequence) = (sequence, sequence)
        while timelines.count < state.conversations.count { timelines.append(Timeline()) }
        state.finishRestoring()
    }

    /// The end of every recovery, after the last record.
    /// - Throws: `RecordFault` when events and lines do not agree.
    package mutating func finishRecovery() throws(RecordFault) {
        for conversation in state.conversations {
            let index = Int(conversation.number.raw) - 1
            guard index < timelines.count, timelines[index].nextSeq == conversation.nextSeq,
                conversation.messages.lastSeq == conversation.lastSeq,
                timelines[index].firstSeq <= conversation.firstSeq
            else { throw RecordFault("conversation \(conversation.number.raw) has other events than lines") }
        }
        state.finishRecovery()
        try finishItems()
        settleLines()
        trimLines()
    }
}
