import ChatModel
import ChatTesting
import Engine
import SystemIO
import Testing

@Suite("Searches between threads") struct SearchTests {
    private static func line(_ seq: Seq, _ text: String) -> [UInt8] {
        Array("EV msg conv=#a seq=\(seq) ts=2026-01-31T12:00:00.000Z by=ada text=\"\(text)\"".utf8)
    }

    /// The engine's side: says and rewrites lines, and has `hand` take what is there after each portion, with how many
    /// lines that are, all of which match.
    private func speak(_ count: Int, hand: (ContiguousArray<Timeline.Piece>, Seq) -> Void) {
        var random = SeededRandom(seed: 4)
        var timeline = Timeline()
        while timeline.nextSeq <= count {
            for _ in 0..<Int.random(in: 1...64, using: &random) {
                Self.line(timeline.nextSeq, "Grüße ünd tée").withUnsafeBytes { timeline.append($0) }
            }
            hand(timeline.pieces, timeline.nextSeq - 1)
            let seq = Seq.random(in: 1..<timeline.nextSeq, using: &random)
            _ = Self.line(seq, "TEE, und GRUSSE").withUnsafeBytes { timeline.replace(seq, with: $0) }
        }
    }

    @Test func `see the lines that were there when they began, while more are said and others rewritten`() throws {
        let filter = MessageFilter(words: try SearchWords("tee grüsse und"))
        let jobs = Lock((waiting: ContiguousArray<SearchJob>(), isDone: false))
        let faults = Lock([String]())
        let workers = (0..<2).map { number in
            SystemIO.Thread(name: "search \(number)") {
                var scratch = MessageFilter.Scratch()
                while true {
                    let job = jobs.wait {
                        (jobs: inout (waiting: ContiguousArray<SearchJob>, isDone: Bool)) -> SearchJob?? in
                        if let job = jobs.waiting.popLast() { return .some(job) }
                        return jobs.isDone ? .some(nil) : nil
                    }
                    guard let job else { return jobs.signal() }
                    let found = job.run(&scratch).seqs
                    if found != (1...job.id).reversed().prefix(50).map({ $0 }) {
                        faults.withLock { (faults: inout [String]) in faults.append("\(found) of \(job.id)") }
                    }
                }
            }
        }
        speak(Scale.of(20_000)) { pieces, last in
            let job = SearchJob(id: last, pieces: pieces, seqs: 1..<Seq.max, filter: filter, limit: 50)
            jobs.withLock { (jobs: inout (waiting: ContiguousArray<SearchJob>, isDone: Bool)) in
                jobs.waiting.append(job)
            }
            jobs.signal()
        }
        jobs.withLock { (jobs: inout (waiting: ContiguousArray<SearchJob>, isDone: Bool)) in jobs.isDone = true }
        jobs.signal()
        for worker in workers { worker.join() }
        #expect(faults.withLock { (faults: inout [String]) in faults }.prefix(3) == [])
    }
}
