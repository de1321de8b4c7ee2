import Bytes
import ChatModel
import ChatTesting
import Engine
import Testing
import Wire

@Suite("The compacted log") struct ItemLogTests {
    /// A collection's lines and what they should be, changed by random puts.
    private struct Play {
        var log = ItemLog()
        var seqs: [String: Seq] = [:]
        var lines: [Seq: [UInt8]] = [:]

        func line(_ id: String, _ seq: Seq, padding: Int, isDeletion: Bool = false) -> [UInt8] {
            let json = Array("{\"p\":\"\(String(repeating: "x", count: padding))\"}".utf8)
            let event = ItemEvent(
                collection: CollectionNumber(1),
                seq: seq,
                time: Timestamp(milliseconds: 1_764_500_000_000),
                by: AccountNumber(5),
                id: id,
                operation: isDeletion ? .delete : .put(json: ArenaRange(offset: 0, count: json.count))
            )
            var out = ByteBuffer()
            json.withUnsafeBytes {
                ItemRenderer.render(event, collection: "items/tea", by: "ada", arena: $0, into: &out)
            }
            return Array(out.readable.dropLast())
        }

        /// Puts an item; its former line goes.
        mutating func put(_ id: String, padding: Int) -> [LineCut] {
            let seq = log.nextSeq
            let line = line(id, seq, padding: padding)
            line.withUnsafeBytes { log.append($0, seq) }
            let former = seqs.updateValue(seq, forKey: id)
            lines[seq] = line
            guard let former else { return [] }
            lines[former] = nil
            return log.cut([former])
        }

        var kept: [[UInt8]] {
            var found: [[UInt8]] = []
            _ = log.scan(from: 1) { _, line in
                found.append(Array(line))
                return true
            }
            return found
        }

        var expected: [[UInt8]] { lines.sorted { $0.key < $1.key }.map(\.value) }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `what is kept is the newest line of each item, in order, and takes no more room than that`(seed: UInt64) {
        var (play, random) = (Play(), SeededRandom(seed: seed))
        let ids = Int.random(in: 1...300, using: &random)
        for _ in 0..<6000 {
            let padding = Int.random(in: 0...(seed % 2 == 0 ? 400 : 3000), using: &random)
            _ = play.put("i\(Int.random(in: 0..<ids, using: &random))", padding: padding)
            _ = play.log.dropEmpty()
        }
        #expect(play.kept == play.expected)
        let room = play.log.pieces.reduce(0) { $0 + $1.chunk.capacity }
        let live = play.expected.reduce(0) { $0 + $1.count + 1 }
        #expect(room <= 2 * live + 2 * Chunk.largest, "\(room) bytes for \(live)")
        #expect(play.log.pieces.count <= 2 * ids + 32)
        for (seq, line) in play.lines { #expect(play.log.withLine(seq) { Array($0) } == line) }
        #expect(play.log.withLine(play.log.nextSeq) { _ in true } == nil)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `readers anywhere hear every later change once, in order, or the one that took its place`(seed: UInt64) {
        var (play, random) = (Play(), SeededRandom(seed: seed))
        let (reader, number) = (Reader(), CollectionNumber(7).log)
        let collection = 0..<3
        var heard = collection.map { _ in [[UInt8]]() }
        for _ in 0..<200 { _ = play.put("i\(Int.random(in: 0..<50, using: &random))", padding: 300) }
        reader.table.open(number, play.log.published(notice: []))
        for owner in collection { reader.table.subscribe(owner, number, at: play.log.place(of: 1)) }
        play.log.publishedOrdinal = play.log.end.ordinal
        for _ in 0..<3000 {
            let cuts = play.put(
                "i\(Int.random(in: 0..<50, using: &random))",
                padding: Int.random(in: 0...900, using: &random)
            )
            for cut in cuts { reader.table.cut(number, cut, play.log.piece(cut.ordinal)) }
            if Int.random(in: 0..<3, using: &random) == 0 {
                let last = play.log.end.ordinal
                for ordinal in min(play.log.publishedOrdinal, last)...last {
                    reader.table.extend(number, ordinal: ordinal, play.log.piece(ordinal))
                }
                play.log.publishedOrdinal = last
                if let kept = play.log.dropEmpty() { reader.table.renumber(number, kept) }
            }
            // One reads at once, one at times, one at the end.
            for owner in collection where owner == 0 || owner == 1 && Int.random(in: 0..<40, using: &random) == 0 {
                heard[owner] += Self.lines(reader.record(owner))
            }
        }
        for ordinal in min(play.log.publishedOrdinal, play.log.end.ordinal)...play.log.end.ordinal {
            reader.table.extend(number, ordinal: ordinal, play.log.piece(ordinal))
        }
        for owner in collection {
            heard[owner] += Self.lines(reader.all(owner))
            let seqs = heard[owner].map { line in line.withUnsafeBytes { ItemLine.seq(of: $0) } }
            #expect(zip(seqs, seqs.dropFirst()).allSatisfy { $0 < $1 }, "in order, each once")
            var last: [String: [UInt8]] = [:]
            for line in heard[owner] {
                let id = line.withUnsafeBytes { ItemLine($0).map { String(decoding: $0.id, as: UTF8.self) } ?? "" }
                last[id] = line
            }
            #expect(Set(last.values) == Set(play.expected), "the last it heard of each item is what stands")
        }
        #expect(heard[0].count > heard[2].count)
    }

    @Test func `who hears from the beginning hears what stands, and later deletions`() {
        var play = Play()
        let (reader, number) = (Reader(), CollectionNumber(1).log)
        for id in ["a", "b", "c"] { _ = play.put(id, padding: 10) }
        func delete(_ id: String) {
            let seq = play.log.nextSeq
            play.line(id, seq, padding: 0, isDeletion: true).withUnsafeBytes { play.log.append($0, seq) }
            for cut in play.log.cut([play.seqs[id] ?? 0]) { reader.table.cut(number, cut, play.log.piece(cut.ordinal)) }
        }
        delete("b")
        reader.table.open(number, play.log.published(notice: []))
        reader.table.subscribe(0, number, at: play.log.place(of: 1))
        reader.table.skipDeletions(0, number)
        reader.table.subscribe(1, number, at: play.log.place(of: 2))
        delete("c")
        reader.table.extend(number, ordinal: 0, play.log.piece(0))
        let ids = [0, 1].map { owner in
            Self.lines(reader.all(owner)).map { line in
                line.withUnsafeBytes {
                    ItemLine($0).map { "\($0.isDeletion) " + String(decoding: $0.id, as: UTF8.self) } ?? ""
                }
            }
        }
        #expect(ids[0] == ["false a", "true c"])
        #expect(ids[1] == ["true b", "true c"])
    }

    private static func lines(_ bytes: [UInt8]) -> [[UInt8]] { bytes.split(separator: 0x0A).map(Array.init) }
}
