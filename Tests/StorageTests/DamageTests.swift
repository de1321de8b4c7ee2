import Bytes
import Storage
import Testing

/// Something that was on disk is not there any more: refuse, name the place, change nothing.
@Suite("Damage") struct DamageTests {
    private func files(_ batches: [[String]], _ settings: JournalSettings = JournalSettings()) throws -> [String:
        [UInt8]]
    {
        let directory = TemporaryDirectory()
        try write(batches, to: directory, settings)
        return try directory.contents()
    }

    private func fault(_ files: [String: [UInt8]], after: UInt64 = 0, expectsData: Bool = false) throws -> JournalFault?
    {
        let directory = TemporaryDirectory()
        try directory.restore(files)
        do throws(JournalFault) {
            _ = try recovered(directory, after: after, JournalSettings(expectsData: expectsData))
        } catch {
            #expect(try directory.contents() == files)
            return error
        }
        return nil
    }

    private let texts = (1...60).map { "text \($0)" }

    @Test func `a changed byte in the middle is refused with file and offset, and nothing is changed`() throws {
        var files = try files(texts.map { [$0] })
        let bytes = try #require(files[firstSegment])
        let start = boundaries(bytes)[29]
        files[firstSegment]?[start + 30] ^= 1
        guard case .damage(let file, let offset, let reason) = try fault(files) else {
            Issue.record("not refused as damage")
            return
        }
        #expect(file == "journal/" + firstSegment && offset == UInt64(start))
        #expect(reason.contains("record 30"))
    }

    @Test(arguments: [0x01, 0x20, 0x80, 0xFF] as [UInt8])
    func `a changed byte anywhere is damage or leaves a prefix, never something else`(flip: UInt8) throws {
        let texts = (1...12).map { "t\($0)" }
        let base = try files([Array(texts[..<4]), Array(texts[4..<8]), Array(texts[8...])])
        let bytes = try #require(base[firstSegment])
        let directory = TemporaryDirectory()
        var refused = 0
        for at in bytes.indices {
            var changed = bytes
            changed[at] ^= flip
            try directory.restore([firstSegment: changed])
            do throws(JournalFault) {
                let found = try recovered(directory).texts
                #expect(found.count >= 8 && found == Array(texts[..<found.count]), "byte \(at)")
            } catch {
                refused += 1
                #expect(try directory.contents() == [firstSegment: changed], "byte \(at)")
            }
        }
        #expect(refused >= boundaries(bytes)[8])
    }

    @Test func `bytes taken out of the middle are damage`() throws {
        let base = try files(texts.map { [$0] })
        let bytes = try #require(base[firstSegment])
        let ends = boundaries(bytes)
        let whole = [firstSegment: Array(bytes[..<ends[20]] + bytes[ends[23]...])]
        #expect(try isDamage(fault(whole)))
        let ragged = [firstSegment: Array(bytes[..<(ends[20] + 5)] + bytes[(ends[23] + 9)...])]
        #expect(try isDamage(fault(ragged)))
    }

    @Test func `zeros in the middle are damage`() throws {
        var files = try files(texts.map { [$0] })
        let bytes = try #require(files[firstSegment])
        let ends = boundaries(bytes)
        files[firstSegment]?.replaceSubrange(ends[5]..<ends[9], with: repeatElement(0, count: ends[9] - ends[5]))
        #expect(try isDamage(fault(files)))
    }

    @Test func `a segment that is missing, cut, or without its first line is damage when another follows`() throws {
        let small = JournalSettings(segmentSize: 128, fillAfter: .max)
        let base = try files(texts.map { [$0] }, small)
        let names = base.keys.sorted()
        try #require(names.count >= 3)
        for name in names.dropLast() {
            #expect(try isDamage(fault(base.filter { $0.key != name })), "without \(name)")
            var cut = base
            // The last line names the next segment; before it stands a record.
            let ends = boundaries(base[name] ?? [])
            cut[name] = base[name].map { Array($0[..<(ends[ends.count - 2] - 3)]) }
            #expect(try isDamage(fault(cut)), "\(name) cut")
            cut = base
            cut[name] = []
            #expect(try isDamage(fault(cut)), "\(name) empty")
            cut = base
            cut[name]?[11] = 0x30
            #expect(try isDamage(fault(cut)), "\(name) with another first line")
        }
    }

    @Test func `an empty directory is damage when other data belong to a journal`() throws {
        #expect(try fault([:]) == nil)
        #expect(try isDamage(fault([:], expectsData: true)))
        #expect(try isDamage(fault([:], after: 7)))
    }

    @Test func `a journal that ends before what a snapshot holds is damage`() throws {
        let base = try files(texts.map { [$0] })
        #expect(try fault(base, after: 60) == nil)
        #expect(try isDamage(fault(base, after: 61)))
    }

    @Test func `a newer format is refused untouched`() throws {
        var files = try files([texts])
        let bytes = try #require(files[firstSegment])
        files[firstSegment] = Array("fcd-journal 2 1 something else\n".utf8) + bytes
        #expect(try fault(files) == .newerFormat(file: "journal/" + firstSegment, version: 2))
        files[firstSegment] = bytes
        files["000000000061.log"] = Array("fcd-journal 3 61\n".utf8)
        #expect(try fault(files) == .newerFormat(file: "journal/000000000061.log", version: 3))
    }

    @Test func `a record hidden in somebody's text proves nothing`() throws {
        let directory = TemporaryDirectory()
        try write([["first"], ["second"]], to: directory)
        let sound = try directory.read(firstSegment)
        var hidden = ByteBuffer()
        JournalRecord.append(to: &hidden, globalSequence: 9000, durable: 8999) { $0.append("made up") }
        // The text is the end of record 3, whose beginning is lost.
        for lost in ["3 2 . garbage ", "3 2 . 000099 00000000 ", ""] {
            try directory.restore([firstSegment: sound + Array((lost + "x").utf8) + Array(hidden.readable)])
            #expect(try recovered(directory).texts == ["first", "second"])
        }
    }

    private func isDamage(_ fault: JournalFault?) -> Bool {
        if case .damage = fault { return true }
        return false
    }
}
