import Bytes
import ChatModel
import ChatTesting
import Testing

@testable import Persistence

@Suite("What is left of a damaged file of lines") struct LineSalvageTests {
    private static func line(_ conversation: String, _ seq: Int) -> String {
        "EV msg conv=\(conversation) seq=\(seq) ts=2026-11-30T08:00:00.\(100 + seq)Z by=ada text=\"text \\\"\(seq)\\\"\""
    }

    /// #a has the seqs 1 to 40, #b 7 to 46.
    private static let whole: [UInt8] = {
        var out = ByteBuffer()
        LineCodec.begin(&out)
        for (number, name, first) in [(2, "#a", 1), (3, "#b", 7)] {
            LineCodec.beginTimeline(
                ConversationNumber(UInt32(number)),
                first: Seq(first),
                isFirst: number == 2,
                into: &out
            )
            let lines = (first..<(first + 40)).map { line(name, $0) + "\n" }.joined()
            Array(lines.utf8).withUnsafeBytes { LineCodec.encode($0, isFirst: true, into: &out) }
            LineCodec.endTimeline(&out)
        }
        LineCodec.end(&out)
        return Array(out.readable)
    }()

    private func salvaged(_ bytes: [UInt8]) -> [String] {
        let salvage = bytes.withUnsafeBytes { LineSalvage($0) }
        return salvage.blocks.flatMap(\.lines).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private let all = (1...40).map { Self.line("#a", $0) } + (7...46).map { Self.line("#b", $0) }

    @Test func `a sound file is read whole`() {
        #expect(salvaged(Self.whole) == all)
        let salvage = Self.whole.withUnsafeBytes { LineSalvage($0) }
        #expect(
            salvage.unreadable == 0 && salvage.blocks.map(\.number) == [ConversationNumber(2), ConversationNumber(3)]
        )
    }

    @Test(arguments: [Seq(1), 2, 7])
    func `where a conversation begins is read, and what is no number is none`(kept: Seq) {
        var out = ByteBuffer()
        LineCodec.begin(&out)
        LineCodec.beginTimeline(ConversationNumber(3), first: 7, kept: kept, isFirst: true, into: &out)
        Array((Self.line("#b", 7) + "\n").utf8).withUnsafeBytes { LineCodec.encode($0, isFirst: true, into: &out) }
        LineCodec.endTimeline(&out)
        LineCodec.end(&out)
        let blocks = LineSalvage(out.readable).blocks
        #expect(blocks.map(\.number) == [ConversationNumber(3)] && blocks.map(\.lines.count) == [1])
        #expect(blocks.map(\.kept) == [kept > 1 ? kept : nil])
        let changed = String(decoding: out.readable, as: UTF8.self).replacing("\"kept\":", with: "\"kept\":x")
        let found = Array(changed.utf8).withUnsafeBytes { LineSalvage($0).blocks }
        #expect(found.map(\.kept) == [nil] && found.map(\.lines.count) == [1])
    }

    @Test(arguments: [0x01, 0x04, 0x20, 0x80] as [UInt8])
    func `a flipped bit costs two lines at most, and none changes its place`(flip: UInt8) {
        let (lines, places) = (Set(all), Set(all.map(place)))
        for at in stride(from: Int(flip % 7), to: Self.whole.count, by: 11) {
            var changed = Self.whole
            changed[at] ^= flip
            let read = salvaged(changed)
            #expect(read.count >= all.count - 2, "byte \(at)")
            // The name alone may read differently, in the line that is changed.
            let others = read.filter { !lines.contains($0) }
            #expect(others.count <= 1, "byte \(at)")
            let found = read.map(place)
            #expect(Set(found).count == found.count && Set(found).subtracting(places).count <= 1, "byte \(at)")
        }
    }

    private func place(_ line: String) -> String { line.split(separator: " ")[2...3].joined(separator: " ") }

    @Test func `bytes cut out or overwritten cost the lines they touch`() {
        let lines = Set(all)
        var random = SeededRandom(seed: 11)
        for round in 0..<100 {
            let start = Int.random(in: 0..<Self.whole.count, using: &random)
            let end = min(Self.whole.count, start + Int.random(in: 1...900, using: &random))
            let isCut = Bool.random(using: &random)
            let filler = isCut ? [] : (start..<end).map { _ in UInt8.random(in: 0...255, using: &random) }
            let found = salvaged(Array(Self.whole[..<start]) + filler + Array(Self.whole[end...]))
            #expect(found.count >= all.count - (end - start) / 80 - 3, "round \(round)")
            // Of two halves of lines, cut in their texts, nobody can tell that they were two.
            #expect(found.count { !lines.contains($0) } <= (isCut ? 1 : 0), "round \(round)")
        }
    }
}
