import ChatTesting
import Storage
import Testing

/// Whole files of the journal that are not there, not whole, or not where they belong. A file takes its name when its
/// first line and all records before it are on disk, so that nothing of this is what a power cut leaves.
@Suite("Files of the journal that are missing, half or exchanged") struct JournalFilesTests {
    private let journal: SegmentedJournal
    private var names: [String] { journal.files.map(\.name) }

    init() throws {
        journal = try SegmentedJournal.shared.get()
        try #require(names.count >= 5)
        try #require(try journal.recover(journal.contents) == whole)
    }

    private var whole: Outcome { .kept(last: UInt64(journal.texts.count), offset: 0, cut: 0) }

    private func expectDamage(_ contents: [String: [UInt8]], _ what: String, in name: String? = nil) throws {
        let outcome = try journal.recover(contents)
        guard case .damage(let file, _) = outcome else {
            Issue.record("\(what): \(outcome)")
            return
        }
        if let name { #expect(file == "journal/" + name, "\(what)") }
    }

    @Test func `a segment that is missing is missed, the newest too`() throws {
        for name in names { try expectDamage(journal.contents.filter { $0.key != name }, "without \(name)") }
        for count in 1..<names.count {
            try expectDamage(
                journal.contents.filter { !names.suffix(count).contains($0.key) },
                "without the last \(count)"
            )
            try expectDamage(
                journal.contents.filter { !names.prefix(count).contains($0.key) },
                "without the first \(count)"
            )
        }
    }

    @Test func `a segment that is empty or has no whole first line is damage, the newest and the only one too`() throws
    {
        let parts = Effort.isWhole ? Array(0..<14) : [0, 5, 13]
        for name in names {
            for count in parts {
                var contents = journal.contents
                contents[name] = Array(contents[name]?.prefix(count) ?? [])
                try expectDamage(contents, "\(count) bytes of \(name)", in: name)
            }
        }
        let only = names[0]
        for count in parts {
            let bytes = Array(journal.contents[only]?.prefix(count) ?? [])
            try expectDamage([only: bytes], "\(count) bytes of the only one", in: only)
        }
        try expectDamage([only: [UInt8](repeating: 0, count: 16384)], "zeros in the only one", in: only)
    }

    @Test func `a segment cut anywhere is damage when another follows`() throws {
        var random = SeededRandom(seed: 21)
        for name in names.dropLast() {
            let bytes = journal.contents[name] ?? []
            let records = RecordMap(bytes).items.last?.end ?? 0
            for _ in 0..<Effort.tries(200, sample: 5) {
                var contents = journal.contents
                contents[name] = Array(bytes[..<Int.random(in: 16..<records, using: &random)])
                try expectDamage(contents, "\(contents[name]?.count ?? 0) bytes of \(name)")
            }
        }
    }

    @Test func `segments with each other's content are damage`() throws {
        for a in names {
            for b in names where a != b {
                var contents = journal.contents
                contents[a] = journal.contents[b]
                try expectDamage(contents, "\(a) with the content of \(b)")
                contents[b] = journal.contents[a]
                try expectDamage(contents, "\(a) and \(b) exchanged")
            }
        }
    }

    @Test func `a copy of a segment under another number is damage`() throws {
        let last = UInt64(journal.texts.count)
        for (name, bytes) in journal.files {
            for number in [2, last / 2, last, last + 1, last + 1000] {
                let copy = String(String("000000000000\(number)".suffix(12))) + ".log"
                if names.contains(copy) { continue }
                var contents = journal.contents
                contents[copy] = bytes
                try expectDamage(contents, "\(name) also as \(copy)")
            }
        }
    }

    @Test func `a segment begun in a file with old records has none of them`() throws {
        let newest = names[names.count - 1]
        let head = Array("fcd-journal 1 \(RecordMap(journal.contents[newest] ?? []).first)\n".utf8)
        let kept = RecordMap(journal.contents[newest] ?? []).first - 1
        for old in names.dropLast() {
            let stale = Array((journal.contents[old] ?? []).drop { $0 != 0x0A }.dropFirst())
            var contents = journal.contents
            contents[newest] = head + stale
            let outcome = try journal.recover(contents)
            #expect(outcome == .kept(last: kept, offset: head.count, cut: stale.count), "as \(old)")
        }
    }

    @Test func `the line that names the next segment may be torn in whatever way: no record is missing`() throws {
        for (name, next) in zip(names, names.dropFirst()).prefix(Effort.tries(names.count, sample: 2)) {
            let bytes = journal.contents[name] ?? []
            let end = RecordMap(bytes).items.last?.end ?? 0
            try #require(String(decoding: bytes[end...], as: UTF8.self).hasSuffix("\n") && end < bytes.count, "\(next)")
            for cut in stride(from: end, through: bytes.count, by: Effort.tries(1, sample: 4)) {
                var contents = journal.contents
                contents[name] = Array(bytes[..<cut])
                #expect(try journal.recover(contents) == whole)
                contents[name] = Array(bytes[..<cut]) + [UInt8](repeating: 0, count: 4096)
                #expect(try journal.recover(contents) == whole)
                // Blocks that belonged to another file.
                contents[name] = Array(bytes[..<cut]) + [UInt8](repeating: 0x41, count: 100)
                #expect(try journal.recover(contents) == whole)
            }
        }
    }

    @Test func `a directory without segments is no new one when something tells of a journal`() throws {
        #expect(try journal.recover([:]) == .kept(last: 0, offset: 0, cut: 0))
        #expect(try journal.recover(["000000000001.log.tmp": [0x66]]) == .kept(last: 0, offset: 0, cut: 0))
        try expectDamage(["spare": [UInt8](repeating: 0, count: 512)], "a spare")
        try expectDamage(["000000000099.log.tmp": [0x66]], "a turn's half file")
        #expect(
            try journal.recover([:], JournalSettings(expectsData: true)) == .damage(file: "journal", offset: 0)
        )
    }
}
