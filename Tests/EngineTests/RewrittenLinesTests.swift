import ChatModel
import ChatTesting
import Engine
import Testing

@Suite("Cursors in lines that change") struct RewrittenLinesTests {
    let reader = Reader()

    /// One owner before each line, one at the end; all lines fit one chunk.
    private func prepared(_ count: Int) -> Speaker {
        var speaker = Speaker()
        for _ in 0..<count { speaker.say(bytes: 40) }
        speaker.open(reader)
        for owner in 0...count { speaker.subscribe(owner, from: Seq(owner + 1), reader) }
        return speaker
    }

    @Test(arguments: 1...8, [2, 40, 900])
    func `a replaced line is read as it is now, from a cursor at every place`(seq: Int, bytes: Int) {
        var speaker = prepared(8)
        speaker.replace(Seq(seq), with: [UInt8](repeating: 0x79, count: bytes - 1) + [0x0A], reader)
        speaker.say(bytes: 40)
        speaker.publish(to: reader)
        for owner in 0...8 { #expect(reader.all(owner) == speaker.bytes(owner + 1, 9), "from \(owner + 1)") }
    }

    @Test(arguments: [2, 40, 900]) func `an end keeps its line too`(bytes: Int) {
        var speaker = prepared(8)
        for owner in 0...8 { reader.table.end(owner, speaker.number) }
        speaker.replace(3, with: [UInt8](repeating: 0x79, count: bytes - 1) + [0x0A], reader)
        speaker.say(bytes: 40)
        speaker.publish(to: reader)
        for owner in 0..<8 { #expect(reader.all(owner) == speaker.bytes(owner + 1, 8), "from \(owner + 1)") }
        #expect(reader.all(8) == [])
    }

    @Test(arguments: [2, 40, 900]) func `so does the end of the catch-up`(bytes: Int) {
        var speaker = prepared(8)
        speaker.say(bytes: 40)
        speaker.publish(to: reader)
        speaker.replace(3, with: [UInt8](repeating: 0x79, count: bytes - 1) + [0x0A], reader)
        for owner in 0...8 { reader.table.stopLive(owner, catchUpOnly: true) }
        for owner in 0..<8 { #expect(reader.all(owner) == speaker.bytes(owner + 1, 8), "from \(owner + 1)") }
        #expect(reader.all(8) == [])
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `replacing, trimming and reading at random never cuts, doubles or drops a line`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var speaker = Speaker()
        speaker.say(bytes: 30)
        speaker.open(reader)
        var next = [1, 1, 1]
        for owner in next.indices { speaker.subscribe(owner, from: 1, reader) }
        func read(_ owner: Int, _ bytes: [UInt8]) {
            let first = Int(speaker.timeline.firstSeq)
            for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: true) {
                next[owner] = max(next[owner], first)
                #expect(Array(line) + [0x0A] == speaker.lines[next[owner] - 1], "line \(next[owner])")
                next[owner] += 1
            }
        }
        for _ in 0..<1_000 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0...4: speaker.say(bytes: Int.random(in: 20...2_000, using: &random))
            case 5, 6: speaker.publish(to: reader)
            case 7, 8:
                speaker.publish(to: reader)
                let (first, last) = (speaker.timeline.firstSeq, UInt64(speaker.lines.count))
                let seq = UInt64.random(in: first...last, using: &random)
                let length = Int.random(in: 1...3_000, using: &random)
                speaker.replace(
                    seq,
                    with: Array("r\(seq):".utf8) + Array(repeating: 0x79, count: length) + [0x0A],
                    reader
                )
            case 9 where Int.random(in: 0..<8, using: &random) == 0:
                speaker.publish(to: reader)
                // What is trimmed unread is skipped, so the slowest reads first here.
                for owner in next.indices where Bool.random(using: &random) { read(owner, reader.all(owner)) }
                speaker.trim(below: UInt64.random(in: 1...UInt64(speaker.lines.count), using: &random), reader)
            default:
                let owner = Int.random(in: 0..<3, using: &random)
                read(owner, reader.record(owner))
            }
        }
        speaker.publish(to: reader)
        for owner in next.indices {
            read(owner, reader.all(owner))
            #expect(next[owner] == speaker.lines.count + 1)
        }
    }

    @Test func `a cursor in trimmed chunks goes on at the first line kept, others stay`() {
        var speaker = Speaker()
        for _ in 0..<300 { speaker.say(bytes: 100) }
        speaker.open(reader)
        for owner in 0..<301 { speaker.subscribe(owner, from: Seq(owner + 1), reader) }
        speaker.trim(below: 150, reader)
        let first = Int(speaker.timeline.firstSeq)
        #expect(first > 1 && first <= 150)
        for owner in 0..<301 { #expect(reader.all(owner) == speaker.bytes(max(owner + 1, first), 300)) }
    }

    @Test func `an ended cursor whose lines are all trimmed is gone`() {
        var speaker = Speaker()
        for _ in 0..<100 { speaker.say(bytes: 100) }
        speaker.open(reader)
        speaker.subscribe(0, from: 1, reader)
        reader.table.end(0, speaker.number)
        for _ in 0..<200 { speaker.say(bytes: 100) }
        speaker.publish(to: reader)
        speaker.trim(below: 250, reader)
        #expect(reader.all(0) == [])
        #expect(!reader.table.isBehind(0))
    }

    @Test func `a list that is opened again after a trim serves cursors that ended before it`() {
        var speaker = Speaker()
        for _ in 0..<100 { speaker.say(bytes: 100) }
        speaker.open(reader)
        speaker.subscribe(0, from: 1, reader)
        reader.table.end(0, speaker.number)
        reader.table.close(speaker.number)
        // The loop has no subscriber by the engine's books, so this trim is not mailed to it.
        _ = speaker.timeline.trim(below: 80)
        speaker.open(reader)
        speaker.subscribe(1, from: 1, reader)
        let first = Int(speaker.timeline.firstSeq)
        #expect(reader.all(0) == speaker.bytes(first, 100))
        #expect(reader.all(1) == speaker.bytes(first, 100))
    }
}
