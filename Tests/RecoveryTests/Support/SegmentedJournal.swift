import ChatTesting
import Foundation
import Storage
import SystemIO
import Testing

/// The records of the killed daemon in a journal of several short segments, each batch on disk before the next.
struct SegmentedJournal {
    static let shared = Result { try SegmentedJournal(of: SampleData.newestSegment.get()) }

    /// The files by name, in the order of their records.
    let files: [(name: String, bytes: [UInt8])]
    let texts: [[UInt8]]

    private init(of map: RecordMap) throws {
        let directory = MemoryDirectory()
        let journal = FileJournal(
            directory: Directory(directory.path),
            settings: JournalSettings(segmentSize: 4 << 10, fillAfter: .max)
        )
        defer { journal.seal() }
        try journal.replay(after: 0) { _ in }
        var (texts, at): ([[UInt8]], Int) = ([], 0)
        while at < map.items.count {
            let batch = map.items[at...].prefix { $0.durable == map.items[at].durable }
            journal.append(batch.map { (Array(map.text($0)), $0.together) }, behind: UInt64(at))
            texts += batch.map { Array(map.text($0)) }
            at += batch.count
            try #require(holds(within: 10, every: 0.000_1) { journal.synced == UInt64(at) })
        }
        journal.seal()
        let all = try directory.contents()
        files = all.keys.sorted().map { ($0, all[$0] ?? []) }
        self.texts = texts
    }

    var contents: [String: [UInt8]] { Dictionary(uniqueKeysWithValues: files) }

    /// Starts from these files as the daemon does; what is kept must be what was written, what is refused must not change.
    func recover(_ contents: [String: [UInt8]], _ settings: JournalSettings = JournalSettings()) throws -> Outcome {
        let directory = MemoryDirectory()
        try directory.restore(contents)
        let journal = FileJournal(directory: Directory(directory.path), settings: settings)
        defer { journal.seal() }
        var found: [[UInt8]] = []
        let replay: Replay
        do throws(JournalFault) { replay = try journal.replay(after: 0) { found.append(Array($0.payload)) } } catch {
            return try directory.contents() == contents ? Outcome(error) : .wrong("refused, and changed: \(error)")
        }
        guard found == Array(texts.prefix(found.count)), Int(replay.last) == found.count else {
            return .wrong("other texts than were written")
        }
        return Outcome(replay)
    }
}

extension RecordMap {
    /// The payload of a record.
    func text(_ item: Item) -> ArraySlice<UInt8> {
        let line = bytes[item.offset..<(item.end - 1)]
        let head = line.prefix(80).split(separator: 0x20, maxSplits: 5, omittingEmptySubsequences: false)
        return line.dropFirst(head.prefix(5).reduce(5) { $0 + $1.count })
    }
}
