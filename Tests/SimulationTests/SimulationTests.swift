import Foundation
import Testing

/// `make simulate` plays 10,000 seeds; `SEED=n` plays one again, and `TRACE=1` shows what happens in it.
@Suite("A server through power cuts, failing disks and set clocks") struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let chunkSize: UInt64 = 25

    /// The first seeds of chunks that are played at the same time.
    private static let chunks: [UInt64] = {
        if environment["SEED"] != nil { return [0] }
        let count = environment["SEEDS"].flatMap { UInt64($0) } ?? 200
        return Array(stride(from: 1, through: max(1, count), by: Int(chunkSize)))
    }()

    @Test(arguments: chunks)
    func `loses nothing acknowledged, keeps order, doubles nothing, and tells nobody what is not theirs`(
        first: UInt64
    ) async throws {
        var all = Play.Counts()
        let single = Self.environment["SEED"].flatMap { UInt64($0) }
        let seeds = single.map { $0...$0 } ?? first...first + Self.chunkSize - 1
        for seed in seeds {
            // Others want the thread, too.
            await Task.yield()
            do {
                let play = try Play(seed: seed)
                try play.play(steps: 600)
                all.add(play.counts)
            } catch {
                Issue.record("SEED=\(seed): \(error)")
            }
        }
        print("seeds \(seeds.lowerBound) to \(seeds.upperBound): \(all)")
        if single != nil { return }
        let count = seeds.count
        #expect(all.acknowledged > 20 * count && all.heard > 20 * count, "they hardly talk")
        #expect(all.powerCuts > 2 * count && all.resumes > count / 4 && all.snapshots > count / 2, "hardly any trouble")
    }
}
