import Storage
import Testing

/// What a power cut or a kill leaves at the end of the journal: never acknowledged, so it is cut off.
@Suite("Torn tail") struct TornTailTests {
    enum Fill: String, CaseIterable { case truncated, zeros, ones, random, earlierBytes, lineEnds }

    static let texts = (1...100).map { "record number \($0) says something" }

    /// The bytes of a journal of 100 records, each durable before the next.
    static func base() throws -> [UInt8] {
        let directory = TemporaryDirectory()
        try write(texts.map { [$0] }, to: directory)
        return try directory.read(firstSegment)
    }

    static func torn(_ base: [UInt8], at offset: Int, _ fill: Fill, _ random: inout SeededRandom) -> [UInt8] {
        let rest = base.count - offset
        let tail: [UInt8]
        switch fill {
        case .truncated: tail = []
        case .zeros: tail = [UInt8](repeating: 0, count: rest)
        case .ones: tail = [UInt8](repeating: 0xFF, count: rest)
        case .random: tail = random.bytes(rest)
        case .earlierBytes: tail = Array(base[(offset - 512)..<offset])
        case .lineEnds: tail = [UInt8](repeating: 0x0A, count: 4096)
        }
        return base[..<offset] + tail
    }

    /// Fault B22 of the list: every byte offset in the last three records.
    @Test(arguments: Fill.allCases, [0, 4096])
    func `the longest whole part is kept, the rest is cut, and writing goes on`(fill: Fill, zerosAhead: Int) throws {
        var random = SeededRandom(state: 22)
        let base = try Self.base()
        let ends = boundaries(base)
        let directory = TemporaryDirectory()
        for offset in ends[97]..<base.count {
            let bytes = Self.torn(base, at: offset, fill, &random) + [UInt8](repeating: 0, count: zerosAhead)
            let whole = Self.wholeRecords(bytes, of: base, ends)
            #expect(whole == (ends.lastIndex { $0 <= offset } ?? 0) || fill == .lineEnds)
            try directory.restore([firstSegment: bytes])
            let journal = FileJournal(directory: directory.storage)
            let (texts, replay) = try journal.texts()
            #expect(texts == Array(Self.texts[..<whole]), "\(fill) at \(offset)")
            #expect(replay.last == UInt64(whole))
            let isClean = !bytes[ends[whole]...].contains { $0 != 0 }
            #expect((replay.cut == nil) == isClean)
            #expect(replay.cut.map { $0.offset == UInt64(ends[whole]) && $0.file.hasSuffix(firstSegment) } != false)
            #expect(replay.cut?.byteCount ?? 0 == UInt64(Self.nonZero(bytes) - min(ends[whole], Self.nonZero(bytes))))
            journal.append(["more"], behind: replay.last)
            journal.seal()
            let again = try recovered(directory)
            #expect(again.texts == texts + ["more"] && again.replay.cut == nil)
        }
    }

    /// Records of `base` that stand in `bytes` unchanged; a fill may by chance be what was there.
    private static func wholeRecords(_ bytes: [UInt8], of base: [UInt8], _ ends: [Int]) -> Int {
        ends.lastIndex { $0 <= bytes.count && bytes[..<$0] == base[..<$0] } ?? 0
    }

    private static func nonZero(_ bytes: [UInt8]) -> Int { (bytes.lastIndex { $0 != 0 } ?? -1) + 1 }

    @Test func `a torn tail may be longer than a segment's size`() throws {
        let base = try Self.base()
        let directory = TemporaryDirectory()
        var random = SeededRandom(state: 3)
        try directory.write(firstSegment, base + random.bytes(3 << 20))
        let found = try recovered(directory)
        #expect(found.texts == Self.texts && found.replay.cut?.byteCount == 3 << 20)
    }

    @Test func `stale records of an earlier life are no records`() throws {
        let base = try Self.base()
        let ends = boundaries(base)
        let directory = TemporaryDirectory()
        try directory.write(firstSegment, base + base[ends[10]..<ends[30]])
        let found = try recovered(directory)
        #expect(found.texts == Self.texts)
        #expect(found.replay.cut?.offset == UInt64(base.count))
    }

    @Test func `half files of a turn are removed`() throws {
        let base = try Self.base()
        let directory = TemporaryDirectory()
        try directory.restore([
            firstSegment: base, "spare": [0, 0], "000000000101.log.tmp": [1],
        ])
        #expect(try recovered(directory).texts == Self.texts)
        #expect(try directory.contents() == [firstSegment: base])
    }
}
