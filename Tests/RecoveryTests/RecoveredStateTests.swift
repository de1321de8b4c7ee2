import ChatTesting
import Foundation
import SystemIO
import Testing

/// What a start makes of a damaged journal is the state that the records before the damage make: nothing half.
@Suite("The state behind a torn journal") struct RecoveredStateTests {
    private let map: RecordMap
    private let sample: SampleData

    init() throws {
        sample = try SampleData.killed.get()
        map = try SampleData.newestSegment.get()
    }

    @Test func `cut or changed at a random place, the state is exactly that of the records that were kept`() throws {
        let trial = try DataTrial(sample)
        let name = trial.newestSegment
        var random = SeededRandom(seed: 41)
        var kept = 0
        for number in 0..<Effort.tries(400, sample: 12) {
            var bytes = map.bytes
            if number % 2 == 0 {
                bytes = Array(bytes[..<Int.random(in: (map.end - 65_536)..<map.end, using: &random)])
            } else {
                let place = map.end - Int.random(in: 1...1500, using: &random)
                bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            try trial.directory.write(name, bytes)
            let (seen, _) = trial.inspect()
            let (outcome, content) = try trial.start()
            #expect(seen == outcome, "an inspection says what a start will do")
            if case .kept(let last, _, _) = outcome {
                kept += 1
                #expect(try content?.text == trial.reference(through: last).text, "try \(number)")
            }
            try trial.putBack(name)
        }
        #expect(kept > Effort.tries(200, sample: 6) - 1)
    }
}
