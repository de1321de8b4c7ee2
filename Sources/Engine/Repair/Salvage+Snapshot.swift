import ChatCore
import ChatModel
import Persistence
import Wire

/// Putting a damaged snapshot together again.
extension Salvage {
    /// Takes over what is left of a snapshot, into an empty content.
    ///
    /// A conversation whose object is gone is rebuilt from its lines, which say everything but the read markers. Lines
    /// that are gone leave `lost`.
    /// - Parameter sequence: records above it follow.
    package mutating func restore(_ remains: SnapshotSalvage, sequence: UInt64) {
        state.position = sequence
        // How many events a damaged file held is not known.
        unplaced += Self.unknownLoss
        if let server = remains.server {
            state.restore(
                logID: server.logID,
                nonceKey: server.nonceKey,
                isUncleanInterval: server.isUncleanInterval,
                settings: server.settings
            )
            state.restore(retentionDefaults: server.retention)
        }
        for number in remains.accounts.keys.sorted() {
            guard let (slot, validFrom) = remains.accounts[number], !isTaken(slot) else { continue }
            _ = state.restore(slot, validFrom: validFrom)
        }
        let lines = SnapshotLines(remains)
        var raw: UInt32 = 0
        while raw < lines.highest {
            raw += 1
            restore(ConversationNumber(raw), remains, lines)
        }
        restoreItems(remains)
        content.finishRestoring(sequence: sequence)
        learnFromMembers()
    }

    private static let unknownLoss: UInt64 = 1 << 20

    /// Somebody else has the handle: a flaw made one of another.
    private func isTaken(_ slot: AccountSlot) -> Bool {
        let handle =
            switch slot {
            case .account(let snapshot): snapshot.record.handle
            case .expired(_, let handle): handle
            }
        return state.account(handleKey: NameFolding.key(of: handle)) != nil
    }

    private mutating func restore(
        _ number: ConversationNumber,
        _ remains: SnapshotSalvage,
        _ lines: SnapshotLines
    ) {
        let end = lines.end(of: number)
        let isDoubtful = remains.doubtful.contains(number)
        let entry = remains.conversations[number]
        let begin = lines.begin(of: number, known: entry?.snapshot.firstSeq ?? 1, isDoubtful: isDoubtful)
        defer { if isDoubtful, let entry { noteRetention(of: entry.snapshot) } }
        if let entry, !isDoubtful || !mustRebuild(entry.snapshot, begin, end, lines),
            state.restore(isDoubtful ? Self.believed(entry.snapshot) : entry.snapshot, validFrom: entry.validFrom)
        {
            let last = max(end, entry.snapshot.nextSeq - 1)
            restoreLines(of: number, name: state.name(of: number), begin, last, lines)
            return state.endRestoring(of: number, first: begin, total: isDoubtful ? nil : entry.snapshot.messages)
        }
        let name = lines.name(of: number) ?? unusedName(for: number)
        restoreLines(of: number, name: name, begin, max(1, end), lines)
        rebuild(number, name: name, from: begin)
        state.markRestored(number, validFrom: .max)
        if let entry {
            state.adoptReadMarkers(of: entry.snapshot)
        } else if report.rebuilt.last != .unknownConversation(number) {
            report.rebuilt.append(.fromLines(number))
        }
    }

    /// What a flaw may have written is not to make any message go.
    private static func believed(_ snapshot: ConversationSnapshot) -> ConversationSnapshot {
        var believed = snapshot
        (believed.retention, believed.firstSeq) = (Retention(), 1)
        return believed
    }

    private mutating func noteRetention(of snapshot: ConversationSnapshot) {
        if snapshot.retention != Retention() { report.rebuilt.append(.retention(snapshot.number)) }
    }

    /// Whether the lines are to be believed, not what a damaged file says of the conversation: a flaw in it may have given
    /// somebody rights.
    private func mustRebuild(
        _ snapshot: ConversationSnapshot,
        _ begin: Seq,
        _ end: Seq,
        _ lines: SnapshotLines
    ) -> Bool {
        let isTaken =
            switch snapshot.title {
            case .named(let name): state.conversation(key: name.key) != nil
            case .direct(let a, let b, _): state.direct(a, b) != nil
            }
        if isTaken || snapshot.nextSeq - 1 < end || snapshot.nextSeq - 1 > end + SnapshotLines.largestTail {
            return true
        }
        return snapshot.nextSeq - 1 == end && lines.isComplete(snapshot.number, from: begin)
    }

    /// Appends all lines of a conversation to its timeline, from the first that was kept, with `lost` for those that are gone.
    private mutating func restoreLines(
        of number: ConversationNumber,
        name: String,
        _ begin: Seq,
        _ last: Seq,
        _ lines: SnapshotLines
    ) {
        var time = Timestamp(milliseconds: 0)
        var seq = begin
        content.beginLines(of: number, at: begin)
        while seq <= last {
            if let run = lines.run(of: number, at: seq), content.restore(asTail: run) {
                seq += Seq(run.count)
                continue
            }
            if let line = lines.line(seq, of: number) {
                line.withUnsafeBytes { bytes in
                    time = max(time, EventParser.parse(bytes)?.time ?? time)
                    content.restoreLine(bytes, of: number)
                }
            } else {
                time = max(time, content.lastTime(of: number) ?? time)
                let lost = Event(conversation: number, seq: seq, time: time, by: .server, kind: .lost)
                appendLost(lost, name: name)
                if state.exists(number) { state.restoreMessages(of: number, count: 1) { _ in false } }
            }
            seq += 1
        }
    }

    /// Makes a conversation of what its lines tell.
    private mutating func rebuild(_ number: ConversationNumber, name: String, from begin: Seq) {
        let timeline = content.timelines[Int(number.raw) - 1]
        if begin > 1 { beginRebuilding(number, name: name, at: begin, timeline) }
        timeline.forEachLine { seq, line in
            guard let recorded = EventParser.parse(line) else { return }
            for handle in [recorded.by, recorded.user] where handle != nil && handle != "server" {
                _ = handle.flatMap { account(named: $0) }
            }
            let event =
                JournalPayload.event(ofLine: line, of: number, state)
                ?? Event(conversation: number, seq: seq, time: recorded.time, by: .server, kind: .lost)
            if seq == 1 {
                makeFirst(event, of: number, name: name)
            } else {
                admitByEvidence(number, by: event.by, recorded.kind)
                state.apply(event)
            }
        }
    }

    private mutating func makeFirst(_ event: Event, of number: ConversationNumber, name: String) {
        if case .create = event.kind {
            state.apply(event)
            if state.exists(number) { return }
        }
        beginLost(number, named: name, at: event.time)
    }

    /// A conversation whose beginning was not kept: nothing tells who was in it before.
    private mutating func beginRebuilding(
        _ number: ConversationNumber,
        name: String,
        at begin: Seq,
        _ timeline: Timeline
    ) {
        let time = timeline.withLine(begin) { EventParser.parse($0)?.time } ?? nil
        beginLost(number, named: name, at: time ?? Timestamp(milliseconds: 0))
        state.markRestored(number, validFrom: .max)
        state.passTo(begin, in: number)
    }

    /// What lines tell of the numbers of members whose accounts are gone.
    private mutating func learnFromMembers() {
        for conversation in state.conversations {
            if case .direct(let a, let b, let text) = conversation.title {
                let handles = text.utf8.dropFirst().split(separator: 0x2C)
                guard handles.count == 2 else { continue }
                hints.note(String(decoding: handles[0], as: UTF8.self), of: a)
                hints.note(String(decoding: handles[1], as: UTF8.self), of: b)
                continue
            }
            let timeline = content.timeline(conversation.number)
            for number in conversation.order where state.account(number) == nil {
                guard let seq = conversation.member(number)?.joinSeq else { continue }
                let handle = timeline.withLine(seq) { Self.joining($0) }
                if let handle = handle ?? nil { hints.note(handle, of: number) }
            }
            for (number, seq) in conversation.invited.sorted(by: { $0.key < $1.key })
            where state.account(number) == nil {
                let handle = timeline.withLine(seq) { EventParser.parse($0)?.user }
                if let handle = handle ?? nil { hints.note(handle, of: number) }
            }
        }
    }

    /// Whom the line says to have become a member.
    private static func joining(_ line: UnsafeRawBufferPointer) -> String? {
        guard let event = EventParser.parse(line), event.kind == .join || event.kind == .create else { return nil }
        return event.by
    }
}
