import ChatCore
import ChatModel
import Engine
import Persistence

/// A stage's journal of which some records are gone, and what a repair makes of it.
struct Remains {
    let records: [JournalledRecord]
    let content: Content
    let report: SalvageReport
    let last: UInt64

    /// - Parameter lost: whether a record is gone.
    init(_ stage: Stage, without lost: (JournalledRecord) -> Bool) throws {
        try self.init(try stage.records, limits: stage.limits, without: lost)
    }

    init(_ records: [JournalledRecord], limits: Limits, without lost: (JournalledRecord) -> Bool) throws {
        self.records = records
        last = records.last?.sequence ?? 0
        let left = records.filter { !lost($0) }
        var salvage = Salvage(Content(limits: limits))
        for record in left { record.withPayload { salvage.note($0) } }
        var next: UInt64 = 1
        for (index, record) in left.enumerated() {
            let isTorn = Self.isTorn(index, left)
            record.withPayload {
                salvage.take(
                    $0,
                    globalSequence: record.sequence,
                    isTorn: isTorn,
                    missing: record.sequence - next
                )
            }
            next = record.sequence + 1
        }
        content = try salvage.finish(sequence: last, logID: "repaired")
        report = salvage.report
    }

    private static func isTorn(_ index: Int, _ left: [JournalledRecord]) -> Bool {
        guard left[index].together else { return false }
        guard index + 1 < left.count, left[index + 1].sequence == left[index].sequence + 1 else { return true }
        return isTorn(index + 1, left)
    }

    /// The lines of a conversation, by its name.
    func lines(of name: String) -> [String] {
        guard let conversation = content.state.conversations.first(where: { $0.name == name }) else { return [] }
        let timeline = content.timelines[Int(conversation.number.raw) - 1]
        return (1..<timeline.nextSeq).map { seq in
            timeline.withLine(seq) { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }

    /// Handles of a conversation's members, with their roles.
    func members(of name: String) -> [String: Role] {
        guard let conversation = content.state.conversations.first(where: { $0.name == name }) else { return [:] }
        var members: [String: Role] = [:]
        for number in conversation.order {
            members[content.state.handleText(number)] = conversation.role(of: number)
        }
        return members
    }

    /// Seqs that were left as lost, by conversation.
    var lost: [String: [Seq]] {
        var all: [String: [Seq]] = [:]
        for (number, ranges) in report.lost { all[content.state.name(of: number)] = ranges.flatMap { Array($0) } }
        return all
    }
}

extension JournalledRecord {
    func withPayload(_ body: (UnsafeRawBufferPointer) -> Void) {
        Array(payload.utf8).withUnsafeBytes { body($0) }
    }

    /// Conversation number, seq and line; nil for a ledger entry.
    var event: (conversation: UInt32, seq: Seq, line: String)? {
        guard payload.hasPrefix("E ") else { return nil }
        let words = payload.split(separator: " " as Character, maxSplits: 5)
        guard words.count == 6, let conversation = UInt32(words[1]), let seq = Seq(words[2]) else { return nil }
        return (conversation, seq, String(words[5]))
    }
}
