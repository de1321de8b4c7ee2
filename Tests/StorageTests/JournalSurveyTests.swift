import Bytes
import Testing

@testable import Storage

/// What a repair still finds in a damaged journal.
@Suite("The survey of a damaged journal") struct JournalSurveyTests {
    private let texts = (1...60).map { "text \($0)" }

    private func base(_ batches: [[String]], together: Bool = false, _ settings: JournalSettings = JournalSettings())
        throws -> [String: [UInt8]]
    {
        let directory = TemporaryDirectory()
        try write(batches, to: directory, together: together, settings)
        return try directory.contents()
    }

    private func survey(
        _ files: [String: [UInt8]],
        after: UInt64 = 0,
        through: UInt64 = 0,
        isWhole: @escaping (UnsafeRawBufferPointer) -> Bool = { _ in true }
    ) throws -> (survey: JournalSurvey, texts: [String]) {
        let directory = TemporaryDirectory()
        try directory.restore(files)
        let survey = try JournalSurvey(
            directory: directory.storage,
            after: after,
            expectedThrough: through,
            isWhole: isWhole
        )
        var texts: [String] = []
        try survey.forEach { _, payload in texts.append(String(decoding: payload, as: UTF8.self)) }
        #expect(try directory.contents() == files)
        return (survey, texts)
    }

    /// Zero-filled space behind the records is cut off, so that offsets are easy to tell.
    private func trimmed(_ files: [String: [UInt8]]) -> [String: [UInt8]] {
        files.mapValues { bytes in Array(bytes[..<((bytes.lastIndex { $0 != 0 } ?? -1) + 1)]) }
    }

    /// Three segments of twenty records each; the first begin with 1, 21 and 41.
    private func threeSegments() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        let all = try #require(try base(texts.map { [$0] })[firstSegment])
        let bounds = boundaries(all)
        for first in [1, 21, 41] {
            let records = all[bounds[first - 1]..<bounds[first + 19]]
            let trailer = first < 41 ? Segment.trailer(next: UInt64(first + 20)) : []
            files[Segment.name(first: UInt64(first))] = Segment.header(first: UInt64(first)) + records + trailer
        }
        return files
    }

    @Test func `a sound journal is found whole`() throws {
        let (survey, found) = try survey(try threeSegments())
        #expect(found == texts)
        #expect(survey.flaws.isEmpty && survey.missing.isEmpty && survey.tail.isEmpty && survey.last == 60)
    }

    @Test func `a flipped byte costs its record alone, wherever in the record it is`() throws {
        let files = try base(texts.map { [$0] })
        let bytes = try #require(files[firstSegment])
        let bounds = boundaries(bytes)
        for at in bounds[29]..<bounds[30] {
            var changed = bytes
            changed[at] ^= 0x21
            let (survey, found) = try survey([firstSegment: changed])
            #expect(found == texts.filter { $0 != "text 30" }, "byte \(at)")
            #expect(survey.missing == [30...30] && survey.flaws.map(\.offset) == [UInt64(bounds[29])], "byte \(at)")
            #expect(survey.flaws.map(\.byteCount) == [UInt64(bounds[30] - bounds[29])], "byte \(at)")
        }
    }

    @Test(arguments: [0x00, 0x0A, 0x31, 0xFF] as [UInt8])
    func `a stretch overwritten costs the records that it touches, and no others`(with byte: UInt8) throws {
        let bytes = try #require(try base(texts.map { [$0] })[firstSegment])
        let bounds = boundaries(bytes)
        for (start, end) in [(5, 90), (bounds[10], bounds[20]), (bounds[10] + 3, bounds[20] - 1), (200, 201)] {
            var changed = bytes
            for at in start..<end { changed[at] = byte }
            let touched = Set(
                (0..<60).filter { bounds[$0] < end && bounds[$0 + 1] > start && changed != bytes }.map { $0 + 1 }
            )
            let (_, found) = try survey([firstSegment: changed])
            #expect(found == texts.indices.filter { !touched.contains($0 + 1) }.map { texts[$0] }, "\(start)")
        }
    }

    @Test func `bytes cut out of the middle cost the records they were part of`() throws {
        let bytes = try #require(try base(texts.map { [$0] })[firstSegment])
        let bounds = boundaries(bytes)
        let (survey, found) = try survey([firstSegment: Array(bytes[..<bounds[9]] + bytes[(bounds[19] + 7)...])])
        #expect(found == Array(texts[..<9] + texts[20...]))
        #expect(survey.missing == [10...20] && survey.last == 60)
    }

    @Test func `a torn tail is no damage`() throws {
        let bytes = try #require(trimmed(try base(texts.map { [$0] }))[firstSegment])
        let (survey, found) = try survey([firstSegment: Array(bytes.dropLast(5))])
        #expect(found == texts.dropLast() && survey.last == 59)
        #expect(survey.flaws.isEmpty && survey.missing.isEmpty && survey.tail.count == 1)
    }

    @Test func `damage and a torn tail are told apart`() throws {
        var bytes = try #require(trimmed(try base(texts.map { [$0] }))[firstSegment])
        bytes[boundaries(bytes)[29] + 20] ^= 1
        let (survey, found) = try survey([firstSegment: bytes.dropLast(5)])
        #expect(found == Array(texts[..<29] + texts[30...].dropLast()))
        #expect(survey.missing == [30...30] && survey.flaws.count == 1 && survey.tail.count == 1)
    }

    @Test func `a whole batch that nothing proves is dropped, sound records behind its flaw too`() throws {
        var bytes = try #require(trimmed(try base([Array(texts[..<40]), Array(texts[40...])]))[firstSegment])
        bytes[boundaries(bytes)[49] + 20] ^= 1
        let (survey, found) = try survey([firstSegment: bytes])
        #expect(found == Array(texts[..<49]) && survey.last == 49)
        #expect(survey.flaws.isEmpty && survey.missing.isEmpty && !survey.tail.isEmpty)
    }

    @Test func `a journal that ends before what a snapshot knows lacks the rest`() throws {
        let (survey, found) = try survey(try threeSegments(), through: 70)
        #expect(found == texts && survey.missing == [61...70] && survey.last == 70)
    }

    @Test func `records that the snapshot holds are not missed`() throws {
        var files = try threeSegments()
        files[firstSegment] = Array(repeating: 0xFF, count: 500)
        let (survey, found) = try survey(files, after: 20)
        #expect(found == Array(texts[20...]))
        #expect(survey.missing.isEmpty && survey.flaws.count == 1)
    }

    @Test func `a first line destroyed costs no record`() throws {
        var files = try threeSegments()
        for name in files.keys { files[name]?[3] ^= 0x40 }
        let (survey, found) = try survey(files)
        #expect(found == texts && survey.missing.isEmpty && survey.flaws.count == 3)
    }

    @Test func `files under each other's names, or there twice, cost no record`() throws {
        let base = try threeSegments()
        let names = base.keys.sorted()
        var files = [names[0]: base[names[1]], names[1]: base[names[2]], names[2]: base[names[0]]].compactMapValues {
            $0
        }
        #expect(try survey(files).texts == texts)
        files["000000000999.log"] = base[names[1]]
        let (survey, found) = try survey(files)
        #expect(found == texts && survey.missing.isEmpty && survey.last == 60)
    }

    @Test func `a segment that is gone or empty costs its own records`() throws {
        var files = try threeSegments()
        files["000000000021.log"] = []
        #expect(try survey(files).survey.missing == [21...40])
        files["000000000021.log"] = nil
        let (survey, found) = try survey(files)
        #expect(found == Array(texts[..<20] + texts[40...]) && survey.missing == [21...40])
    }

    @Test func `a newest segment that is gone is missed`() throws {
        var files = try threeSegments()
        files["000000000041.log"] = nil
        let (survey, found) = try survey(files)
        #expect(found == Array(texts[..<40]) && survey.last == 40)
        #expect(survey.flaws.map(\.file) == ["journal/000000000041.log"] && survey.tail.isEmpty)
    }

    @Test func `a last line that is torn is no flaw`() throws {
        var files = try threeSegments()
        files[firstSegment] = files[firstSegment].map { $0.dropLast(9) + [0, 0, 0] }
        #expect(try survey(files).survey.flaws.isEmpty)
    }

    @Test func `an empty last segment proves that what is before it was on disk`() throws {
        var files = try threeSegments()
        files["000000000061.log"] = Segment.header(first: 61)
        files["000000000041.log"] = files["000000000041.log"]?.dropLast(10)
        let (survey, found) = try survey(files)
        #expect(found == texts.dropLast() && survey.missing == [60...60] && survey.last == 60)
    }

    @Test func `a record that somebody shaped inside a text is not taken for one`() throws {
        var inside = ByteBuffer()
        JournalRecord.append(to: &inside, globalSequence: 3, durable: 0) { $0.append(string: "forged\"") }
        let shaped = String(decoding: inside.readable.dropLast(), as: UTF8.self)
        let sound = ["one", "two", "x=\"yes \(shaped)", "four"]
        let bytes = try #require(try base(sound.map { [$0] })[firstSegment])
        let start = boundaries(bytes)[2]
        for length in 1...55 {
            var changed = bytes
            for at in start..<(start + length) { changed[at] = 0xFF }
            let (survey, found) = try survey([firstSegment: changed], isWhole: { $0.count { $0 == 0x22 } % 2 == 0 })
            #expect(found == ["one", "two", "four"] && survey.missing == [3...3], "\(length) bytes")
        }
        // The same bytes are believed where nobody looks at the quotes: the test would see it.
        var changed = bytes
        for at in start..<(start + 25) { changed[at] = 0xFF }
        #expect(try survey([firstSegment: changed]).texts.contains("forged\""))
    }

    @Test func `what belongs together with a lost record is marked`() throws {
        let bytes = try #require(try base([["a"], ["b", "c", "d"], ["e"]], together: true)[firstSegment])
        let bounds = boundaries(bytes)
        var changed = bytes
        changed[bounds[3] + 20] ^= 1
        let (survey, found) = try survey([firstSegment: changed])
        #expect(found == ["a", "b", "c", "e"])
        #expect(survey.records.map(\.isTorn) == [false, true, true, false])
    }

    @Test func `a newer format is refused`() throws {
        var files = try threeSegments()
        files["000000000021.log"] = Array("fcd-journal 2 21\n".utf8)
        #expect(throws: JournalFault.newerFormat(file: "journal/000000000021.log", version: 2)) { try survey(files) }
    }

    @Test func `random bytes over a journal never cost a record outside them`() throws {
        var random = SeededRandom(state: 0x5EED)
        let bytes = try #require(try base(texts.map { [$0] })[firstSegment])
        let bounds = boundaries(bytes)
        for round in 0..<400 {
            var changed = bytes
            var touched: Set<Int> = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let start = Int.random(in: bounds[0]..<bounds[59], using: &random)
                let end = min(bounds[59], start + Int.random(in: 1...300, using: &random))
                for (offset, byte) in random.bytes(end - start).enumerated() { changed[start + offset] = byte }
                touched.formUnion((0..<59).filter { bounds[$0] < end && bounds[$0 + 1] > start })
            }
            let (survey, found) = try survey([firstSegment: changed])
            let expected = texts.indices.filter { !touched.contains($0) }.map { texts[$0] }
            #expect(Set(expected).isSubset(of: Set(found)) && survey.last == 60, "round \(round)")
            #expect(survey.records.map(\.globalSequence) == survey.records.map(\.globalSequence).sorted())
        }
    }
}
