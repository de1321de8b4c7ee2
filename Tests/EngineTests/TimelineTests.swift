import Bytes
import ChatModel
import ChatTesting
import Engine
import Testing

@Suite("A timeline") struct TimelineTests {
    private func line(_ seq: Int, ms: Int64) -> [UInt8] {
        Array("EV msg conv=#a seq=\(seq) ts=\(Timestamp(milliseconds: ms).text) by=ada text=\"x\"".utf8)
    }

    @Test(arguments: [UInt64(1), 2]) func `gives every line back, at every place`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var speaker = Speaker()
        for _ in 0..<300 { speaker.say(bytes: Int.random(in: 20...9_000, using: &random)) }
        for seq in 1...UInt64(300) {
            let found = speaker.timeline.withLine(seq) { Array($0) }
            #expect(found == Array(speaker.lines[Int(seq) - 1].dropLast()))
        }
        #expect(speaker.timeline.withLine(0) { _ in true } == nil)
        #expect(speaker.timeline.withLine(301) { _ in true } == nil)
        #expect(speaker.timeline.place(of: 301) == speaker.timeline.end)
        #expect(speaker.timeline.place(of: .max) == speaker.timeline.end)
        #expect(speaker.timeline.place(of: 0) == speaker.timeline.place(of: 1))
    }

    @Test func `grows in chunks from 1 KiB to 64 KiB, larger only for one larger line`() {
        var speaker = Speaker()
        for _ in 0..<5_000 { speaker.say(bytes: 100) }
        speaker.say(bytes: 100_000)
        speaker.say(bytes: 100)
        let capacities = speaker.timeline.pieces.map(\.chunk.capacity)
        #expect(capacities.prefix(8) == [1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 65_536])
        #expect(capacities.suffix(2) == [100_000, 65_536])
    }

    @Test func `finds the first event not before a time, when times repeat too`() {
        var random = SeededRandom(seed: 5)
        var timeline = Timeline()
        var times: [Int64] = []
        var time: Int64 = 1_764_500_000_000
        for seq in 1...500 {
            time += Int64.random(in: 0...2, using: &random)
            times.append(time)
            line(seq, ms: time).withUnsafeBytes { timeline.append($0) }
        }
        for time in (times[0] - 2)...(times[499] + 2) {
            let expected = times.firstIndex { $0 >= time }.map { UInt64($0 + 1) } ?? 501
            #expect(timeline.firstSeq(notBefore: Timestamp(milliseconds: time)) == expected)
        }
        #expect(timeline.firstSeq(notBefore: Timestamp(milliseconds: .max)) == 501)
        #expect(timeline.firstSeq(notBefore: Timestamp(milliseconds: .min)) == 1)
    }

    @Test func `a replaced line stands in its place, and whoever holds the old chunk still has the old bytes`() {
        var speaker = Speaker()
        for _ in 0..<30 { speaker.say(bytes: 50) }
        let ordinal = speaker.timeline.place(of: 5).ordinal
        let old = speaker.timeline.piece(ordinal)
        let before = Array(UnsafeRawBufferPointer(start: old.chunk.base, count: Int(old.length)))
        for (seq, text) in [(UInt64(5), "short\n"), (1, String(repeating: "y", count: 5_000) + "\n"), (30, "z\n")] {
            let line = Array(text.utf8)
            #expect(line.dropLast().withUnsafeBytes { speaker.timeline.replace(seq, with: $0) } != nil)
            speaker.lines[Int(seq) - 1] = line
        }
        speaker.say(bytes: 50)
        for seq in 1...UInt64(31) {
            #expect(speaker.timeline.withLine(seq) { Array($0) } == Array(speaker.lines[Int(seq) - 1].dropLast()))
        }
        #expect(before == Array(UnsafeRawBufferPointer(start: old.chunk.base, count: Int(old.length))))
        #expect([UInt8(0x79)].withUnsafeBytes { speaker.timeline.replace(99, with: $0) } == nil)
    }

    @Test func `trimming lets go of whole chunks below a seq, and the rest stays as it was`() {
        var speaker = Speaker()
        for _ in 0..<500 { speaker.say(bytes: 100) }
        let kept = speaker.timeline.trim(below: 200)
        #expect(kept > 0)
        let first = speaker.timeline.firstSeq
        #expect(first <= 200 && first > 1)
        #expect(speaker.timeline.withLine(first - 1) { _ in true } == nil)
        for seq in first...500 {
            #expect(speaker.timeline.withLine(seq) { Array($0) } == Array(speaker.lines[Int(seq) - 1].dropLast()))
        }
        #expect(speaker.timeline.place(of: 1) == speaker.timeline.place(of: first))
        speaker.say(bytes: 100)
        #expect(speaker.timeline.withLine(501) { $0.count } == 99)
        _ = speaker.timeline.trim(below: .max)
        #expect(speaker.timeline.withLine(501) { $0.count } == 99, "the last chunk stays")
    }
}
