import ChatModel
import Testing

@testable import Engine

@Suite("The memory of cursors") struct CursorMemoryTests {
    private struct Held { weak var chunk: Chunk? }

    @Test func `a cursor is a few words, without references`() {
        #expect(MemoryLayout<Cursor>.stride <= 80)
        #expect(MemoryLayout<CursorOwner>.stride <= 16)
        #expect(_isPOD(Cursor.self) && _isPOD(CursorOwner.self))
    }

    @Test func `a thousand owners that never read share one list of chunks and hold nothing of their own`() {
        let reader = Reader()
        var speaker = Speaker()
        speaker.say(bytes: 100)
        speaker.open(reader)
        for owner in 0..<1_000 { speaker.subscribe(owner, from: 1, reader) }
        for _ in 0..<10_000 {
            speaker.say(bytes: 200)
            speaker.publish(to: reader)
        }
        let chunks = speaker.timeline.pieces.map { Held(chunk: $0.chunk) }
        #expect(chunks.count > 30)
        speaker.trim(below: 9_500, reader)
        let alive = chunks.count { $0.chunk != nil }
        #expect(alive == speaker.timeline.pieces.count, "what retention drops is freed, though all are behind in it")
        let first = Int(speaker.timeline.firstSeq)
        for owner in [0, 999] { #expect(reader.all(owner) == speaker.bytes(first, 10_001)) }
    }

    @Test func `chunks are freed when the last list lets go of them`() {
        let reader = Reader()
        var speaker = Speaker()
        for _ in 0..<50 { speaker.say(bytes: 1_000) }
        let held = Held(chunk: speaker.timeline.pieces[0].chunk)
        speaker.open(reader)
        speaker.subscribe(0, from: 1, reader)
        speaker.timeline = Timeline()
        reader.table.close(speaker.number)
        #expect(held.chunk != nil, "the loop's list holds it for the cursor")
        #expect(reader.all(0) == speaker.bytes(1, 50))
        reader.table.removeOwner(0)
        #expect(held.chunk == nil)
    }

    @Test func `a replaced chunk is freed`() {
        let reader = Reader()
        var speaker = Speaker()
        for _ in 0..<5 { speaker.say(bytes: 100) }
        speaker.open(reader)
        speaker.subscribe(0, from: 1, reader)
        let held = Held(chunk: speaker.timeline.pieces[0].chunk)
        speaker.replace(2, with: Array("erased\n".utf8), reader)
        #expect(held.chunk == nil)
    }
}
