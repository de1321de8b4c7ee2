import ChatTesting
import Testing

/// Records that are sound and stand where they do not belong: a disk may give old blocks back, lose a write or put it in a
/// wrong place.
@Suite("Stale, repeated, moved and missing records") struct StaleRecordTests {
    private let map: RecordMap

    init() throws { map = try SampleData.newestSegment.get() }

    @Test func `old blocks behind the end are cut off, and nothing is lost`() throws {
        var random = SeededRandom(seed: 11)
        try tryAll(1000, sample: 40) { _ in
            let from = Int.random(in: 0..<(map.end - 512), using: &random)
            let count = Int.random(in: 1...min(20_000, map.end - from), using: &random)
            let gap = [0, Int.random(in: 1...600, using: &random)].randomElement(using: &random) ?? 0
            let changed = map.bytes + [UInt8](repeating: 0, count: gap) + map.bytes[from..<(from + count)]
            return (changed, map.outcome(overwritten: changed, file: ""), "\(count) bytes of \(from) after \(gap)")
        }
    }

    @Test func `whole old records right behind the end are cut off, and nothing is lost`() throws {
        var random = SeededRandom(seed: 12)
        try tryAll(1000, sample: 40) { _ in
            let from = Int.random(in: map.items.indices, using: &random)
            let through = Int.random(in: from..<min(from + 50, map.items.count), using: &random)
            return arranged(Array(map.items.indices) + Array(from...through))
        }
    }

    @Test func `a block that holds an older block's bytes is damage, or what was never acknowledged`() throws {
        var random = SeededRandom(seed: 13)
        try tryAll(1000, sample: 40) { number in
            // Every second one at the end, where it is not always damage.
            let size = [512, 4096].randomElement(using: &random) ?? 512
            let last = map.end / size
            let place = (number % 2 == 0 ? Int.random(in: 1..<last, using: &random) : last) * size
            let source = Int.random(in: 0..<(place / size), using: &random) * size
            var changed = map.bytes + [UInt8](repeating: 0, count: 4096)
            let count = min(size, changed.count - place)
            changed.replaceSubrange(place..<(place + count), with: map.bytes[source..<(source + count)])
            return (changed, map.outcome(overwritten: changed, file: ""), "\(size) bytes at \(place) of \(source)")
        }
    }

    @Test func `a block that was never written is damage, or what was never acknowledged`() throws {
        var random = SeededRandom(seed: 14)
        try tryAll(1000, sample: 40) { number in
            let size = [512, 4096].randomElement(using: &random) ?? 512
            let last = map.end / size
            let place = (number % 2 == 0 ? Int.random(in: 1..<last, using: &random) : last) * size
            var changed = map.bytes
            let count = min(size, changed.count - place)
            changed.replaceSubrange(place..<(place + count), with: repeatElement(0, count: count))
            return (changed, map.outcome(overwritten: changed, file: ""), "zeros at \(place)")
        }
    }

    @Test func `records that are repeated, exchanged, moved or left out are damage, or were never acknowledged`() throws
    {
        var random = SeededRandom(seed: 15)
        try tryAll(1000, sample: 80) { number in
            var list = Array(map.items.indices)
            // Every second one near the end, where it is not always damage.
            let lowest = number % 2 == 0 ? 0 : list.count - 8
            let (a, b) = (
                Int.random(in: lowest..<list.count, using: &random), Int.random(in: lowest..<list.count, using: &random)
            )
            switch number / 2 % 4 {
            case 0: list.insert(a, at: b)
            case 1: list.swapAt(a, b)
            case 2: list.insert(list.remove(at: a), at: b)
            default: list.removeSubrange(min(a, b)...max(a, b))
            }
            return arranged(list)
        }
    }

    private typealias Case = (bytes: [UInt8], expected: Outcome, what: String)

    private func arranged(_ list: [Int]) -> Case {
        let first = zip(list, 0...).first { $0 != $1 }
        let what = first.map { "\($0) at \($1), \(list.count) in all" } ?? "all"
        return (map.arranged(list), map.outcome(arranged: list, file: ""), what)
    }

    /// Has each made segment read, and every fortieth recovered in earnest.
    private func tryAll(_ count: Int, sample: Int, _ make: (Int) throws -> Case) throws {
        let trial = try JournalTrial(map)
        var wrong: [String] = []
        for number in 0..<Effort.tries(count, sample: sample) {
            var (bytes, expected, what) = try make(number)
            try trial.replace(with: bytes)
            if case .damage(_, let offset) = expected { expected = .damage(file: trial.shownName, offset: offset) }
            var found = trial.inspect()
            if found == expected, number % 40 < 2 { found = try trial.recover() }
            if found != expected { wrong.append("\(what): \(found), not \(expected)") }
        }
        #expect(wrong.isEmpty, "\(wrong.count), as \(wrong.prefix(5).joined(separator: "; "))")
    }
}
