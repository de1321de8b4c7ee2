import ChatTesting
import Foundation
import Storage
import SystemIO

/// A journal of one segment on a disk in memory that a test damages byte by byte and has read again.
final class JournalTrial {
    let map: RecordMap
    let directory: MemoryDirectory
    let name: String
    private let file: File

    /// The newest segment of the daemon that was killed, with a few of the zeros that were filled in ahead.
    init(_ map: RecordMap, zeros: Int = 0) throws {
        self.map = map
        directory = MemoryDirectory()
        name = String(repeating: "0", count: 12 - String(map.first).count) + "\(map.first).log"
        try directory.write(name, map.bytes + [UInt8](repeating: 0, count: zeros))
        file = try File(directory.path + "/" + name, .update)
    }

    var shownName: String { "journal/" + name }

    func truncate(to size: Int) throws { try file.truncate(to: UInt64(size)) }

    func put(_ bytes: [UInt8], at offset: Int) throws {
        try bytes.withUnsafeBytes { try file.write($0, at: UInt64(offset)) }
    }

    /// Reads without changing anything; compares each record with the one that was written under its number.
    func inspect() -> Outcome {
        var (expected, strange): (UInt64, String?) = (map.first, nil)
        do throws(JournalFault) {
            let replay = try JournalInspection.read(
                directory: Directory(directory.path),
                settings: JournalSettings(expectsData: true),
                after: map.first - 1
            ) { record in
                if strange == nil { strange = map.difference(record, expected) }
                expected += 1
            }
            if let strange { return .wrong(strange) }
            return replay.last == expected - 1 ? Outcome(replay) : .wrong("\(replay.last) is not the last record")
        } catch { return Outcome(error) }
    }

    /// Starts as the daemon does, on a copy, and looks at what that leaves on disk.
    func recover() throws -> Outcome {
        let copy = MemoryDirectory()
        let before = try directory.contents()
        try copy.restore(before)
        let journal = FileJournal(directory: Directory(copy.path), settings: JournalSettings(expectsData: true))
        var (expected, strange): (UInt64, String?) = (map.first, nil)
        let replay: Replay
        do throws(JournalFault) {
            replay = try journal.replay(after: map.first - 1) { record in
                if strange == nil { strange = map.difference(record, expected) }
                expected += 1
            }
        } catch {
            if try copy.contents() != before { return .wrong("refused, and changed: \(error)") }
            return Outcome(error)
        }
        journal.seal()
        if let strange { return .wrong(strange) }
        return try checkAfterwards(copy, replay) ?? Outcome(replay)
    }

    /// What was kept goes on: one more record, and a second start without anything to report. Nil when all is well.
    private func checkAfterwards(_ copy: MemoryDirectory, _ replay: Replay) throws -> Outcome? {
        let more = FileJournal(directory: Directory(copy.path))
        try more.replay(after: map.first - 1) { _ in }
        more.append("one more", as: replay.last + 1)
        more.seal()
        let again = FileJournal(directory: Directory(copy.path))
        defer { again.seal() }
        var last = ""
        let second = try again.replay(after: map.first - 1) { last = String(decoding: $0.payload, as: UTF8.self) }
        if second.last == replay.last + 1, second.cut == nil, last == "one more" { return nil }
        return .wrong("the next start finds \(second), \(last)")
    }
}

extension RecordMap {
    /// How a record differs from the one that was written under the number `expected`; nil when it does not.
    func difference(_ record: ReplayedRecord, _ expected: UInt64) -> String? {
        guard record.globalSequence == expected, expected >= first, expected <= last else {
            return "record \(record.globalSequence) where \(expected) belongs"
        }
        let item = items[Int(expected - first)]
        let written = item.end - 1 - record.payload.count
        guard record.durable == item.durable, written > item.offset else {
            return "record \(expected) has another head"
        }
        let isSame = bytes.withUnsafeBytes { all in
            let text = UnsafeRawBufferPointer(rebasing: all[written..<(item.end - 1)])
            guard let left = text.baseAddress, let right = record.payload.baseAddress else { return text.isEmpty }
            return memcmp(left, right, text.count) == 0
        }
        return isSame ? nil : "record \(expected) has another text"
    }
}
