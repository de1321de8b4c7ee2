import ChatModel
import ChatTesting
import Testing

@testable import Engine

@Suite("Cursors that are overtaken") struct OvertakenTests {
    private let reader = Reader()

    /// A conversation of `count` lines of 100 bytes, with one owner at the beginning.
    private func prepared(_ count: Int) -> Speaker {
        var speaker = Speaker()
        speaker.notice = Array("EV gone conv=#a first=".utf8)
        for _ in 0..<count { speaker.say(bytes: 100) }
        speaker.open(reader)
        speaker.subscribe(0, from: 1, reader)
        return speaker
    }

    private func gone(_ first: Int) -> [UInt8] { Array("EV gone conv=#a first=\(first)\n".utf8) }

    @Test func `hear where they go on, and then every line from there`() {
        var speaker = prepared(1_000)
        speaker.trim(exactlyBelow: 700, reader)
        #expect(reader.all(0) == gone(700) + speaker.bytes(700, 1_000))
        speaker.say(bytes: 100)
        speaker.publish(to: reader)
        #expect(reader.all(0) == speaker.bytes(1_001, 1_001))
    }

    @Test func `hear it once, however often they were`() {
        var speaker = prepared(1_000)
        for seq in stride(from: 200 as Seq, through: 900, by: 50) { speaker.trim(exactlyBelow: seq, reader) }
        #expect(reader.all(0) == gone(900) + speaker.bytes(900, 1_000))
    }

    @Test func `hear it where nothing is left, and go on with what comes`() {
        var speaker = prepared(1_000)
        speaker.trim(exactlyBelow: 1_001, reader)
        #expect(reader.all(0) == gone(1_001))
        speaker.say(bytes: 100)
        speaker.publish(to: reader)
        #expect(reader.all(0) == speaker.bytes(1_001, 1_001))
    }

    @Test func `but not who has read everything that goes, or stands in what is gone and still there`() {
        var speaker = prepared(1_000)
        let boundary = Int(speaker.timeline.pieces[3].firstSeq)
        let before = reader.record(0, used: CursorTable.recordSize - (boundary - 1) * 100)
        #expect(before == speaker.bytes(1, boundary - 1))
        speaker.subscribe(1, from: Seq(boundary - 1), reader)
        speaker.subscribe(2, from: Seq(boundary), reader)
        speaker.trim(exactlyBelow: Seq(boundary + 3), reader)
        #expect(speaker.timeline.firstSeq == Seq(boundary))
        #expect(reader.all(0) == speaker.bytes(boundary, 1_000))
        #expect(reader.all(1) == gone(boundary + 3) + speaker.bytes(boundary + 3, 1_000))
        #expect(reader.all(2) == speaker.bytes(boundary, 1_000))
    }

    @Test func `hear nothing when their end is gone too`() {
        var speaker = prepared(500)
        reader.table.end(0, speaker.number)
        for _ in 0..<1_000 { speaker.say(bytes: 100) }
        speaker.publish(to: reader)
        speaker.trim(exactlyBelow: 1_200, reader)
        #expect(reader.all(0) == [] && !reader.table.isBehind(0))
    }

    @Test func `of one that left and came back, each part for itself`() {
        var speaker = prepared(500)
        reader.table.end(0, speaker.number)
        for _ in 0..<500 { speaker.say(bytes: 100) }
        speaker.publish(to: reader)
        speaker.subscribe(0, from: 900, reader)
        var one = speaker
        one.trim(exactlyBelow: 400, reader)
        #expect(reader.all(0) == gone(400) + speaker.bytes(400, 500) + speaker.bytes(900, 1_000))
    }

    @Test func `of one that left and came back, the second part alone when the first is gone`() {
        var speaker = prepared(500)
        reader.table.end(0, speaker.number)
        for _ in 0..<1_000 { speaker.say(bytes: 100) }
        speaker.publish(to: reader)
        speaker.subscribe(0, from: 600, reader)
        speaker.trim(exactlyBelow: 1_400, reader)
        #expect(reader.all(0) == gone(1_400) + speaker.bytes(1_400, 1_500))
    }

    @Test func `wait with it for room in the record`() {
        var speaker = prepared(1_000)
        speaker.trim(exactlyBelow: 700, reader)
        #expect(reader.record(0, used: CursorTable.recordSize - 10) == [])
        #expect(reader.table.isBehind(0))
        #expect(reader.all(0) == gone(700) + speaker.bytes(700, 1_000))
    }

    @Test func `keep it over a list that is opened again`() {
        var speaker = prepared(1_000)
        speaker.subscribe(1, from: 950, reader)
        speaker.trim(exactlyBelow: 700, reader)
        speaker.open(reader)
        #expect(reader.all(0) == gone(700) + speaker.bytes(700, 1_000))
        #expect(reader.all(1) == speaker.bytes(950, 1_000))
    }

    @Test func `hear it after a list was opened again without their lines`() {
        var speaker = prepared(1_000)
        speaker.subscribe(1, from: 950, reader)
        _ = speaker.timeline.trim(below: 800)
        speaker.open(reader)
        let first = Int(speaker.timeline.firstSeq)
        #expect(reader.all(0) == gone(first) + speaker.bytes(first, 1_000))
        #expect(reader.all(1) == speaker.bytes(950, 1_000))
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `at random: every line comes once and in order, or a gone says what is left out`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var speaker = prepared(1)
        var next = [Int](repeating: 1, count: 4)
        for owner in 1..<4 { speaker.subscribe(owner, from: 1, reader) }
        var jumps = 0
        func read(_ owner: Int, _ bytes: [UInt8]) {
            for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: true) {
                let text = String(decoding: line, as: UTF8.self)
                if text.hasPrefix("EV gone") {
                    let first = Int(text.field("first")) ?? 0
                    #expect(first > next[owner], "\(text) at \(next[owner])")
                    (next[owner], jumps) = (first, jumps + 1)
                } else {
                    #expect(Array(line) + [0x0A] == speaker.lines[next[owner] - 1], "line \(next[owner])")
                    next[owner] += 1
                }
            }
        }
        for _ in 0..<5_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...6: speaker.say(bytes: Int.random(in: 20...900, using: &random))
            case 7: speaker.publish(to: reader)
            case 8:
                speaker.publish(to: reader)
                let back = Seq.random(in: 0...600, using: &random)
                speaker.trim(exactlyBelow: speaker.timeline.nextSeq - min(back, speaker.timeline.nextSeq - 1), reader)
            default:
                let owner = Int.random(in: 0..<3, using: &random)
                read(owner, reader.record(owner, used: Int.random(in: 0..<CursorTable.recordSize, using: &random)))
            }
        }
        speaker.publish(to: reader)
        for owner in next.indices {
            read(owner, reader.all(owner))
            #expect(next[owner] == speaker.lines.count + 1)
        }
        #expect(jumps > 20)
    }
}
