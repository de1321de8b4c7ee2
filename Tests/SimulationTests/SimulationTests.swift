import Foundation
import Testing

/// `make simulate` plays 10,000 seeds; `SEED=n` plays one again.
@Suite("A server through power cuts, failing disks and set clocks") struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seeds: [UInt64] = {
        if let seed = environment["SEED"].flatMap({ UInt64($0) }) { return [seed] }
        let count = environment["SEEDS"].flatMap { UInt64($0) } ?? 200
        return Array(1...max(1, count))
    }()

    @Test
    func `loses nothing that was acknowledged, keeps order, doubles nothing, and tells nobody what is not theirs`()
        throws
    {
        var all = Play.Counts()
        for seed in Self.seeds {
            do {
                let play = try Play(seed: seed)
                try play.play(steps: 600)
                all.add(play.counts)
            } catch {
                Issue.record("SEED=\(seed): \(error)")
            }
        }
        print("simulation: \(Self.seeds.count) seeds, \(all)")
        if Self.seeds.count >= 100 {
            let perSeed = Self.seeds.count
            #expect(all.acknowledged > 20 * perSeed && all.heard > 20 * perSeed)
            #expect(all.powerCuts > 2 * perSeed && all.resumes > perSeed / 4 && all.snapshots > perSeed)
        }
    }
}
