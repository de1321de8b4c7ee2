import ChatTesting
import SystemIO
import Testing

/// The newest segment of a killed daemon's journal, cut and changed at every place: what any record says was on disk is
/// recovered or missed by name, what is cut was never acknowledged and is reported to the byte, and no other text appears.
@Suite("The end of a journal") struct JournalTailTests {
    private let map: RecordMap

    init() throws {
        map = try SampleData.newestSegment.get()
        try #require(map.end > 64 << 10)
        try #require(map.items.filter { $0.together && $0.offset > map.end - 4096 }.count > 3)
    }

    @Test func `cut at any of its last 65,536 bytes, it keeps all whole records and groups and reports the rest`()
        throws
    {
        let places = (map.end - 65_536)..<map.end
        try sweep(places.count, sample: 400) { trial, index in
            // From the end to the front, so that each place is one shorter than the one before.
            let size = places.upperBound - 1 - index
            try trial.truncate(to: size)
            let whole = map.items.firstIndex { $0.end > size } ?? map.items.count
            return ("cut at \(size)", map.outcome(whole: whole, size: size, intact: 0..<whole, file: trial.shownName))
        }
    }

    @Test func `with zeros from any of its last 4,096 bytes on, it keeps all whole records and groups`() throws {
        let places = (map.end - 4096)..<map.end
        try sweep(places.count, sample: 100) { trial, index in
            let from = places.upperBound - 1 - index
            try trial.put([UInt8](repeating: 0, count: map.end - from), at: from)
            let whole = map.items.firstIndex { $0.end > from } ?? map.items.count
            let size = (map.bytes[..<from].lastIndex { $0 != 0 } ?? -1) + 1
            return (
                "zeros from \(from)", map.outcome(whole: whole, size: size, intact: 0..<whole, file: trial.shownName)
            )
        }
    }

    @Test
    func `with any single bit of its last 4,096 bytes changed, it is damage, or what was never acknowledged is cut`()
        throws
    {
        let start = map.end - 4096
        try sweep(4096 * 8, sample: 400) { trial, index in
            try flip(trial, at: start + index / 8, bit: index % 8)
        } after: { trial, index in
            try trial.put([map.bytes[start + index / 8]], at: start + index / 8)
        }
    }

    @Test func `with any single bit changed in the zeros behind it, nothing is lost and the rest is reported`() throws {
        try sweep(512 * 8, sample: 50) { trial, index in
            let at = map.end + index / 8
            try trial.put([1 << UInt8(index % 8)], at: at)
            let all = map.items.indices
            let outcome = map.outcome(whole: all.count, size: at + 1, intact: all, file: trial.shownName)
            return ("byte \(at)", outcome)
        } after: { trial, index in
            try trial.put([0], at: map.end + index / 8)
        }
    }

    @Test func `with any of 1,000 random bits of its body changed, it is damage with its place`() throws {
        var random = SeededRandom(seed: 1)
        let bits = (0..<1000).map { _ in Int.random(in: (map.head * 8)..<((map.end - 4096) * 8), using: &random) }
        try sweep(bits.count, sample: 60) { trial, index in
            try flip(trial, at: bits[index] / 8, bit: bits[index] % 8)
        } after: { trial, index in
            try trial.put([map.bytes[bits[index] / 8]], at: bits[index] / 8)
        }
    }

    private func flip(_ trial: JournalTrial, at place: Int, bit: Int) throws -> (String, Outcome) {
        try trial.put([map.bytes[place] ^ (1 << UInt8(bit))], at: place)
        let hit = map.index(at: place) ?? 0
        let intact = map.items.indices.filter { $0 != hit }
        return (
            "byte \(place), bit \(bit)", map.outcome(whole: hit, size: map.end, intact: intact, file: trial.shownName)
        )
    }

    /// Damages the journal in `count` ways, or in a sample of them, has it read, and compares with what `damage` says must
    /// come of it; starts from some of them in earnest. `after` takes the damage back.
    private func sweep(
        _ count: Int,
        sample: Int,
        damage: @Sendable @escaping (JournalTrial, Int) throws -> (String, Outcome),
        after: @Sendable @escaping (JournalTrial, Int) throws -> Void = { _, _ in }
    ) throws {
        let step = Effort.isWhole ? 1 : max(1, count / sample)
        let wrong = Lock<[String]>([])
        let earnest = max(1, count / step / 40)
        let workers = 2
        try together(
            (0..<workers).map { worker in
                {
                    let trial = try JournalTrial(map, zeros: 4096)
                    let range = (count * worker / workers)..<(count * (worker + 1) / workers)
                    for (turn, index) in stride(from: range.lowerBound, to: range.upperBound, by: step).enumerated() {
                        let (what, expected) = try damage(trial, index)
                        var found = trial.inspect()
                        if found == expected, turn % earnest == 0 { found = try trial.recover() }
                        if found != expected { wrong.withLock { $0.append("\(what): \(found), not \(expected)") } }
                        try after(trial, index)
                    }
                }
            }
        )
        let all = wrong.withLock { $0 }
        #expect(all.isEmpty, "\(all.count) of \(count / step), as \(all.prefix(5).joined(separator: "; "))")
    }
}
