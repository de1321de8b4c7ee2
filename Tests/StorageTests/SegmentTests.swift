import Storage
import Testing

@Suite("Segments") struct SegmentTests {
    private let texts = (1...400).map { "message \($0) of some length" }

    @Test func `without a spare a new segment begins when four times the size is reached`() throws {
        let directory = TemporaryDirectory()
        try write(texts.map { [$0] }, to: directory, JournalSettings(segmentSize: 1024, fillAfter: .max))
        let files = try directory.contents()
        #expect(files.count >= 4 && files.keys.allSatisfy { $0.hasSuffix(".log") })
        #expect(files.values.allSatisfy { $0.count <= 4096 + 32 && $0.starts(with: "fcd-journal 1 ".utf8) })
        #expect(try recovered(directory).texts == texts)
        try write([["more"]], to: directory)
        #expect(try recovered(directory).texts == texts + ["more"])
    }

    @Test func `a spare filled with zeros becomes the next segment and is written in place`() throws {
        let directory = TemporaryDirectory()
        let journal = FileJournal(
            directory: directory.storage,
            settings: JournalSettings(segmentSize: 8192, fillAfter: 512)
        )
        var texts: [String] = []
        _ = try journal.texts()
        let writeOne = {
            texts.append("message \(texts.count)")
            journal.append([texts[texts.count - 1]], behind: UInt64(texts.count - 1))
            return journal.reaches(UInt64(texts.count))
        }
        #expect(holds { writeOne() && turned(directory) > 1 })
        for _ in 0..<10 { try #require(writeOne()) }
        journal.seal()
        let newest = try #require(try directory.contents().keys.filter { $0.hasSuffix(".log") }.max())
        #expect(try directory.read(newest).count == 8192)
        #expect(try directory.read(newest).suffix(4096).allSatisfy { $0 == 0 })
        let found = try recovered(directory)
        #expect(found.texts == texts && found.replay.cut == nil)
        try write([["more"]], to: directory)
        #expect(try directory.read(newest).count == 8192)
        #expect(try recovered(directory).texts == texts + ["more"])
    }

    private func turned(_ directory: TemporaryDirectory) -> Int {
        ((try? directory.contents().keys) ?? [:].keys).filter { $0.hasSuffix(".log") }.count
    }

    @Test func `replay begins behind the wanted sequence, also in a later segment`() throws {
        let directory = TemporaryDirectory()
        try write(texts.map { [$0] }, to: directory, JournalSettings(segmentSize: 1024, fillAfter: .max))
        for after in [0, 1, 137, 399, 400] {
            #expect(try recovered(directory, after: UInt64(after)).texts == Array(texts[after...]))
        }
        let oldest = try #require(try directory.contents().keys.min())
        let kept = try directory.contents().filter { $0.key != oldest }
        try directory.restore(kept)
        #expect(try recovered(directory, after: 200).texts == Array(texts[200...]))
    }

    @Test func `a replay up to a mark changes nothing and hands over nothing above it`() throws {
        let directory = TemporaryDirectory()
        try write(texts.map { [$0] }, to: directory)
        let torn = Array(try directory.read(firstSegment).dropLast(5))
        try directory.write(firstSegment, torn)
        let journal = FileJournal(directory: directory.storage)
        var found: [String] = []
        let body = { (record: ReplayedRecord) throws(JournalFault) in
            found.append(String(decoding: record.payload, as: UTF8.self))
        }
        #expect(try journal.replay(after: 10, through: 200, body) == Replay(last: 200, cut: nil))
        #expect(found == Array(texts[10..<200]))
        #expect(throws: JournalFault.self) { try journal.replay(after: 0, through: 400, body) }
        #expect(try directory.read(firstSegment) == torn)
    }

    @Test func `a record that its reader cannot use is damage with file and offset`() throws {
        let directory = TemporaryDirectory()
        try write([["a"], ["b"]], to: directory)
        let start = UInt64(boundaries(try directory.read(firstSegment))[1])
        let journal = FileJournal(directory: directory.storage)
        let expected = JournalFault.damage(file: "journal/" + firstSegment, offset: start, reason: "no event")
        #expect(throws: expected) {
            try journal.replay(after: 1) { record throws(JournalFault) in throw record.damage("no event") }
        }
    }
}
