import ChatTesting
import Foundation
import SystemIO
import Testing

/// A snapshot of a real daemon with all kinds of files, damaged in all ways: the file is named, nothing is changed, and
/// nothing of it is ever taken for no data.
@Suite("Files of a snapshot that are changed, missing, half or exchanged", .serialized) struct SnapshotFilesTests {
    private let trial: DataTrial
    private var names: [String] { trial.snapshotFiles }

    init() throws {
        trial = try DataTrial(try SampleData.ended.get())
        let kinds = ["manifest", "server", "accounts-000", "conversations-000", "timeline-000", "timeline/"]
        for kind in kinds { try #require(names.contains { $0.hasPrefix("snapshot/" + kind) }, "\(kind)") }
    }

    private func expectDamage(_ what: String, in name: String? = nil, earnest: Bool = false) throws {
        let outcome = earnest ? try trial.start().outcome : trial.inspect().outcome
        guard case .damage(let file, _) = outcome else {
            Issue.record("\(what): \(outcome)")
            return
        }
        if let name { #expect(file == name, "\(what)") }
    }

    @Test func `with any of 1,000 random bits changed, in files of all kinds, the file is named`() throws {
        var random = SeededRandom(seed: 31)
        for number in 0..<Effort.tries(1000, sample: 24) {
            let name = names[number % names.count]
            var bytes = trial.bytes(name)
            let bit = Int.random(in: 0..<(bytes.count * 8), using: &random)
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            try trial.directory.write(name, bytes)
            try expectDamage("bit \(bit) of \(name)", in: name, earnest: number % 12 == 0)
            try trial.putBack(name)
        }
        #expect(trial.inspect().outcome == .kept(last: try last(), offset: 0, cut: 0))
    }

    @Test func `a file that is missing, empty, half, longer or zeros is named`() throws {
        for (number, name) in names.enumerated() {
            let bytes = trial.bytes(name)
            for changed in [
                [], Array(bytes.prefix(bytes.count / 2)), Array(bytes.dropLast()), bytes + [0x0A],
                [UInt8](repeating: 0, count: bytes.count),
            ] {
                try trial.directory.write(name, changed)
                try expectDamage(
                    "\(name) with \(changed.count) of \(bytes.count) bytes",
                    in: name,
                    earnest: number == 0
                )
            }
            try trial.directory.remove(name)
            try expectDamage("\(name) is missing", in: name, earnest: true)
            try trial.putBack(name)
        }
    }

    @Test func `files with each other's content are named`() throws {
        var random = SeededRandom(seed: 32)
        for number in 0..<Effort.tries(names.count * names.count, sample: 8) {
            let a = names[number % names.count]
            guard let b = names.filter({ $0 != a }).randomElement(using: &random) else { continue }
            try trial.directory.write(a, trial.bytes(b))
            try expectDamage("\(a) with the content of \(b)", in: a)
            try trial.directory.write(b, trial.bytes(a))
            try expectDamage("\(a) and \(b) exchanged")
            try trial.putBack(a)
            try trial.putBack(b)
        }
    }

    @Test func `an older snapshot, or an older journal, does not fit the other and is refused`() throws {
        let older = try SampleData.ended.get().older
        let oldSnapshot = older.filter { $0.key.hasPrefix("snapshot/") }
        let oldJournal = older.filter { $0.key.hasPrefix("journal/") }
        let sound = try trial.directory.contents()
        let newSnapshot = sound.filter { $0.key.hasPrefix("snapshot/") }
        let newJournal = sound.filter { $0.key.hasPrefix("journal/") }
        let old = try DataTrial(of: oldSnapshot.merging(oldJournal) { a, _ in a })
        #expect(try old.start().content != nil, "the older ones fit each other")
        let manifest = "snapshot/manifest.json"
        for (files, what) in [
            (oldSnapshot.merging(newJournal) { a, _ in a }, "an old snapshot"),
            (newSnapshot.merging(oldJournal) { a, _ in a }, "an old journal"),
            (sound.merging(oldSnapshot.filter { $0.key == manifest }) { _, b in b }, "an old manifest"),
            (newJournal, "no snapshot"), (newSnapshot, "no journal"),
            (newSnapshot.filter { $0.key != manifest }, "a snapshot without a manifest, and no journal"),
            (sound.filter { $0.key != manifest }, "a snapshot without a manifest"),
            (sound.filter { !$0.key.hasPrefix("snapshot/") || $0.key == manifest }, "a manifest alone"),
        ] {
            let other = try DataTrial(of: files)
            guard case .damage = try other.start().outcome else {
                Issue.record("\(what): \(try other.start().outcome)")
                continue
            }
        }
    }

    @Test func `a directory in which only uploads are left is no new one`() throws {
        let other = try DataTrial(of: [:])
        #expect(try other.start().content != nil)
        let empty = try DataTrial(of: [:])
        try FileManager.default.createDirectory(
            atPath: empty.directory.path + "/blobs/ab",
            withIntermediateDirectories: true
        )
        #expect(try empty.start().outcome == .damage(file: "journal", offset: 0))
    }

    private func last() throws -> UInt64 {
        guard case .kept(let last, _, _) = trial.inspect().outcome else { return 0 }
        return last
    }
}
