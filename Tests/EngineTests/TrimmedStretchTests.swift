import ChatModel
import ChatTesting
import Testing

@testable import Engine

@Suite("Stretches of what is kept") struct TrimmedStretchTests {
    /// The stretches and the tail cover exactly the lines from `kept` on, each a run of its own lines.
    private func expectCover(_ speaker: Speaker, _ kept: Seq) {
        var next = kept
        for stretch in speaker.timeline.stretches {
            #expect(stretch.first == next && stretch.last >= stretch.first)
            #expect(written(speaker, stretch.first, stretch.last) == said(speaker, stretch.first, stretch.last))
            next = stretch.last + 1
        }
        #expect(speaker.timeline.tailSeq(from: kept) == next)
        let last = speaker.timeline.nextSeq - 1
        #expect(written(speaker, next, last) == said(speaker, next, last))
    }

    /// The lines that a file would hold.
    private func written(_ speaker: Speaker, _ first: Seq, _ last: Seq) -> [UInt8] {
        let (chunks, skipping) = speaker.timeline.chunks(from: first, through: last)
        var bytes: [UInt8] = []
        for piece in chunks {
            let skipped = bytes.isEmpty ? skipping : 0
            let start = UnsafeRawPointer(piece.chunk.base + skipped)
            bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: Int(piece.length) - skipped))
        }
        return bytes
    }

    private func said(_ speaker: Speaker, _ first: Seq, _ last: Seq) -> [UInt8] {
        var bytes: [UInt8] = []
        for line in speaker.lines[Int(first - 1)..<Int(last)] { bytes.append(contentsOf: line) }
        return bytes
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `cover what is kept, whatever goes from files and from memory`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var speaker = Speaker()
        var kept: Seq = 1
        for _ in 0..<60 {
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                speaker.say(bytes: Int.random(in: 20...9_000, using: &random))
            }
            if Bool.random(using: &random) {
                kept = max(kept, Seq.random(in: 1...speaker.timeline.nextSeq, using: &random))
            }
            if Bool.random(using: &random) { _ = speaker.timeline.trim(below: kept) }
            speaker.timeline.trimStretches(below: kept)
            if Bool.random(using: &random) { speaker.timeline.seal(from: kept) }
            expectCover(speaker, kept)
        }
    }

    @Test func `one that is cut falls into its chunks, of which only the first is written again`() {
        var speaker = Speaker()
        for _ in 0..<3_000 { speaker.say(bytes: 1000) }
        speaker.timeline.seal(from: 1)
        #expect(speaker.timeline.stretches.count == 2)
        for index in speaker.timeline.stretches.indices { speaker.timeline.stretches[index].saved = 0 }
        var files = 0
        for kept in stride(from: Seq(500), to: 900, by: 10) {
            speaker.timeline.trimStretches(below: kept)
            for (index, stretch) in speaker.timeline.stretches.enumerated() where stretch.saved == nil {
                files += 1
                speaker.timeline.stretches[index].saved = 0
            }
        }
        // 40 times the first, and once the others of the stretch: half of it was gone.
        #expect((45...55).contains(files), "\(files)")
        #expect(speaker.timeline.stretches.last?.saved == 0)
    }

    @Test func `a conversation of which nothing is kept goes on with its next line`() {
        var speaker = Speaker()
        for _ in 0..<3_000 { speaker.say(bytes: 1000) }
        speaker.timeline.seal(from: 1)
        speaker.timeline.trimStretches(below: 3_001)
        #expect(speaker.timeline.stretches.isEmpty && speaker.timeline.tailSeq(from: 3_001) == 3_001)
        expectCover(speaker, 3_001)
        speaker.say(bytes: 1000)
        speaker.timeline.seal(from: 3_001)
        expectCover(speaker, 3_001)
    }
}
