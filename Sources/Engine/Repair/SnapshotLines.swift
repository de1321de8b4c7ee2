import ChatCore
import ChatModel
import Persistence
import Wire

/// The lines that are left of a damaged snapshot, by conversation and seq.
struct SnapshotLines {
    private var runs: [ConversationNumber: [TimelineRun]]
    private var lines: [ConversationNumber: [Seq: [UInt8]]] = [:]
    private var ends: [ConversationNumber: Seq] = [:]
    private var names: [ConversationNumber: String] = [:]
    /// The first seqs that are there, and those that files say to have been the first.
    private var begins: [ConversationNumber: Seq] = [:]
    private var kept: [ConversationNumber: Seq] = [:]
    private var doubtfullyKept: [ConversationNumber: Seq] = [:]
    /// The highest number that any file has something of.
    private(set) var highest: UInt32 = 0

    /// A line further behind what is known of its conversation is not believed.
    private static let largestGap: Seq = 1 << 20
    /// Lines that a file of newest lines holds of one conversation, at most.
    static let largestTail: Seq = 1 << 16

    init(_ remains: SnapshotSalvage) {
        runs = remains.runs
        var numbers: [String: ConversationNumber] = [:]
        for (number, entry) in remains.conversations {
            let name = Self.name(of: entry.snapshot)
            (names[number], numbers[name]) = (name, number)
            (ends[number], highest) = (entry.snapshot.nextSeq - 1, max(highest, number.raw))
        }
        for (number, all) in runs {
            for run in all {
                kept[number] = max(kept[number] ?? 1, run.kept)
                (ends[number], highest) = (max(ends[number] ?? 0, run.kept - 1), max(highest, number.raw))
                if run.count > 0 { note(number, run.first, run.first + Seq(run.count) - 1) }
            }
        }
        for (block, part) in remains.blocks {
            if let number = block.number, let first = block.kept, part.has(number) {
                doubtfullyKept[number] = max(doubtfullyKept[number] ?? 1, first)
            }
            guard let line = block.lines.first,
                let number = numbers[line.name]
                    ?? (block.number.map(part.has) == true ? block.number : part.conversation),
                names[number] == nil || names[number] == line.name
            else { continue }
            (names[number], numbers[line.name]) = (line.name, number)
            for line in block.lines where line.seq <= (ends[number] ?? 0) + Self.largestGap {
                if lines[number]?[line.seq] == nil { lines[number, default: [:]][line.seq] = line.bytes }
                note(number, line.seq, line.seq)
            }
        }
    }

    private mutating func note(_ number: ConversationNumber, _ first: Seq, _ last: Seq) {
        begins[number] = min(begins[number] ?? .max, first)
        ends[number] = max(ends[number] ?? 0, last)
        highest = max(highest, number.raw)
    }

    private static func name(of snapshot: ConversationSnapshot) -> String {
        switch snapshot.title {
        case .named(let name): "#" + name.text
        case .direct(_, _, let text): text
        }
    }

    /// The last seq that is known of; 0 when none is.
    func end(of number: ConversationNumber) -> Seq { ends[number] ?? 0 }

    /// Where the conversation begins: what stands below is not lost, but was not kept.
    /// - Parameter known: what the conversation's object says; `isDoubtful` when a flaw may have written that.
    func begin(of number: ConversationNumber, known: Seq, isDoubtful: Bool) -> Seq {
        // Nothing is kept below what is kept: a line that is there gives a flaw away.
        let lowest = begins[number] ?? .max
        var begin = isDoubtful ? min(known, lowest) : known
        begin = max(begin, kept[number] ?? 1)
        if let doubtful = doubtfullyKept[number], doubtful <= lowest { begin = max(begin, doubtful) }
        return min(begin, max(end(of: number), known - 1) + 1)
    }

    /// The conversation's name, as its object or its lines have it.
    func name(of number: ConversationNumber) -> String? {
        if let name = names[number] { return name }
        for run in runs[number] ?? [] {
            if let name = run.firstLine({ EventParser.parse($0)?.conversation }) { return name }
        }
        return nil
    }

    /// The longest sound run that begins with this seq.
    func run(of number: ConversationNumber, at seq: Seq) -> TimelineRun? {
        (runs[number] ?? []).filter { $0.first == seq && $0.count > 0 }.max { $0.count < $1.count }
    }

    /// Whether sound files have all lines of the conversation.
    func isComplete(_ number: ConversationNumber, from begin: Seq) -> Bool {
        var next = begin
        while let run = run(of: number, at: next) { next += Seq(run.count) }
        return next > begin && next > end(of: number)
    }

    /// One line without its LF, from wherever it stands; for what no whole run gives. O(run).
    func line(_ seq: Seq, of number: ConversationNumber) -> [UInt8]? {
        if let line = lines[number]?[seq] { return line }
        for run in runs[number] ?? [] where run.first < seq && seq - run.first < Seq(run.count) {
            if let line = run.line(Int(seq - run.first)) { return line }
        }
        return nil
    }
}

extension SnapshotPart {
    /// The conversation whose lines alone stand in the file.
    fileprivate var conversation: ConversationNumber? { if case .stretch(let number, _) = self { number } else { nil } }
}
