import ChatModel
import ChatTesting
import Testing

@testable import ChatCore

@Suite("The index of messages that are kept") struct TrimmedIndexTests {
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `counts and finds like a list, however much of it is let go`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var (index, all, first) = (MessageIndex(), [Bool](), Seq(1))
        for _ in 0..<6_000 {
            let isMessage = Int.random(in: 0..<3, using: &random) > 0
            index.append(isMessage: isMessage)
            all.append(isMessage)
            guard Int.random(in: 0..<40, using: &random) == 0 else { continue }
            first = max(first, Seq.random(in: 1...UInt64(all.count) + 1, using: &random))
            index.trim(below: first)
            expect(index, all, from: first, &random)
        }
        index.trim(below: UInt64(all.count) + 1)
        index.append(isMessage: true)
        #expect(index.last == index.lastSeq && index.isMessage(index.lastSeq))
    }

    private func expect(_ index: MessageIndex, _ all: [Bool], from first: Seq, _ random: inout SeededRandom) {
        #expect(index.count == UInt64(all.count { $0 }) && index.lastSeq == UInt64(all.count))
        let below = UInt64(all.prefix(Int(first) - 1).count { $0 })
        #expect(index.count(through: first - 1) == below)
        for _ in 0..<5 where first <= all.count {
            let seq = Int.random(in: Int(first)...all.count, using: &random)
            let rank = UInt64(all.prefix(seq).count { $0 })
            #expect(index.isMessage(Seq(seq)) == all[seq - 1] && index.count(through: Seq(seq)) == rank)
            if all[seq - 1] { #expect(index.seq(ofMessage: rank - 1) == Seq(seq)) }
            #expect(index.count(through: Seq(max(0, seq - 4000))) <= rank)
        }
        for rank in [0, below / 2, index.count, .max] where rank < below || rank >= index.count {
            #expect(index.seq(ofMessage: rank).map { $0 < first } ?? true)
        }
    }

    @Test(arguments: 0...200)
    func `begins anywhere, once it is told how many stand before`(offset: UInt64) {
        for base in [0, 5, 1 << 32, 7 + 1 << 40] as [UInt64] {
            let before = Int(base + offset)
            var index = MessageIndex(startingAt: UInt64(before) + 1)
            for seq in before..<before + 130 { index.append(isMessage: seq % 3 == 0) }
            let known = UInt64((before..<before + 130).count { $0 % 3 == 0 })
            index.anchor(count: base + known)
            #expect(index.count == base + known && index.count(through: UInt64(before)) == base)
            #expect(index.seq(ofMessage: base) == UInt64((before..<before + 3).first { $0 % 3 == 0 } ?? 0) + 1)
            #expect(base == 0 || index.seq(ofMessage: base - 1) == nil)
            index.append(isMessage: true)
            #expect(index.last == index.lastSeq && index.count(through: .max) == base + known + 1)
        }
    }

    @Test(arguments: [0, 1, 1 << 62, .max] as [UInt64]) func `no number makes it trap`(number: UInt64) {
        var index = MessageIndex(startingAt: number)
        index.anchor(count: number)
        index.append(isMessage: true)
        index.trim(below: number)
        _ = (index.count(through: number), index.seq(ofMessage: number), index.isMessage(number), index.last)
        index.append(isMessage: true)
        #expect(index.last == index.lastSeq)
    }
}
