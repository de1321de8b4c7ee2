import Bytes
import ChatCore
import ChatModel
import Persistence

/// The state and the lines it stands on: what recovery builds and the engine drives.
package struct Content {
    package let state: State
    /// By conversation number − 1.
    package var timelines = ContiguousArray<Timeline>()
    /// By collection number − 1.
    package var itemLogs = ContiguousArray<ItemLog>()
    /// The last journal record in it.
    package var globalSequence: UInt64 = 0
    /// What the snapshot on disk holds, when this began with one.
    package var snapshot = SnapshotHoldings()
    /// How many messages conversations have, as the files of the snapshot say, while it is read.
    var messageTotals: [UInt64?] = []

    package init(limits: Limits) { state = State(limits: limits) }

    /// Applies one record of the journal again.
    /// - Throws: `RecordFault` when the record is sound but says what this version does not understand.
    package mutating func replay(
        _ payload: UnsafeRawBufferPointer,
        globalSequence: UInt64
    ) throws(RecordFault) {
        state.position = globalSequence
        switch try JournalPayload.decode(payload, state) {
        case .ledger(let entry): replay(entry)
        case .event(let event, let line):
            state.apply(event)
            if timelineWants(event) { append(line, to: event.conversation) }
            if case .erase(let account) = event.kind { eraseLines(of: account, in: event.conversation) }
            _ = revise(event, line)
            trimExcess(of: event.conversation)
            if case .drop = event.kind { clearDropped(in: event.conversation) }
        case .item(let event, let line): replay(event, line)
        }
        self.globalSequence = globalSequence
    }

    private mutating func replay(_ entry: LedgerEntry) {
        if case .erased(let number) = entry, let account = state.account(number) {
            // Where nothing could follow, no event says it.
            for conversation in account.spoken where state.exists(conversation) {
                eraseLines(of: number, in: conversation)
            }
        }
        cutForgotten(by: entry)
        state.apply(entry)
    }

    /// Whether the event's line is the next one; lines that a snapshot has given are not wanted again.
    private func timelineWants(_ event: Event) -> Bool {
        let index = Int(event.conversation.raw) - 1
        return index >= timelines.count || timelines[index].nextSeq == event.seq
    }

    /// Appends a line, without its LF, to a conversation's timeline; the first line of a conversation makes the timeline.
    mutating func append(_ line: UnsafeRawBufferPointer, to conversation: ConversationNumber) {
        let index = Int(conversation.raw) - 1
        while timelines.count <= index { timelines.append(Timeline()) }
        timelines[index].append(line)
    }

    /// Has the next snapshot write every file anew.
    package mutating func forgetSnapshot() {
        snapshot = SnapshotHoldings()
        for index in timelines.indices { timelines[index].forgetFiles() }
    }

    func timeline(_ conversation: ConversationNumber) -> Timeline { timelines[Int(conversation.raw) - 1] }
}
