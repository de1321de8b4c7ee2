import Bytes
import Storage
import SystemIO
import Testing

/// What the tests write: payloads in batches, into real files.
extension FileJournal {
    /// Appends `payloads` as one batch behind record `last`, stating the journal's durable mark.
    func append(_ payloads: [String], behind last: UInt64, together: Bool = false) {
        var batch = spareBuffer()
        var sequence = last
        for (index, payload) in payloads.enumerated() {
            sequence += 1
            JournalRecord.append(
                to: &batch,
                globalSequence: sequence,
                durable: synced,
                together: together && index + 1 < payloads.count
            ) { $0.append(string: payload) }
        }
        append(batch, through: sequence)
        flush()
    }

    /// True when record `sequence` is durable within ten seconds.
    func reaches(_ sequence: UInt64) -> Bool { holds { self.durable >= sequence } }

    /// The texts above `after`, by a recovery.
    func texts(after: UInt64 = 0) throws(JournalFault) -> (texts: [String], replay: Replay) {
        var texts: [String] = []
        let replay = try replay(after: after) { texts.append(String(decoding: $0.payload, as: UTF8.self)) }
        return (texts, replay)
    }
}

/// Waits until `condition` is true, at most ten seconds.
func holds(_ condition: () -> Bool) -> Bool {
    let end = Clock.monotonicNanoseconds + 10_000_000_000
    while !condition() {
        if Clock.monotonicNanoseconds > end { return false }
        // A moment of sleep so that the awaited thread gets the core; the deadline above bounds the loop.
        _ = Lock(0).wait(atMost: 0.000_2) { (_: inout Int) -> Bool? in nil }
    }
    return true
}

/// Recovers the journal in `directory`, stops it again, and tells what was there.
func recovered(
    _ directory: TemporaryDirectory,
    after: UInt64 = 0,
    _ settings: JournalSettings = JournalSettings()
) throws(JournalFault) -> (texts: [String], replay: Replay) {
    let journal = FileJournal(directory: directory.storage, settings: settings)
    defer { journal.seal() }
    return try journal.texts(after: after)
}

/// Writes each of `batches` and waits until it is durable.
func write(
    _ batches: [[String]],
    to directory: TemporaryDirectory,
    together: Bool = false,
    _ settings: JournalSettings = JournalSettings()
) throws {
    let journal = FileJournal(directory: directory.storage, settings: settings)
    defer { journal.seal() }
    var last = try journal.texts().replay.last
    for batch in batches {
        journal.append(batch, behind: last, together: together)
        last += UInt64(batch.count)
        try #require(journal.reaches(last))
    }
}

/// Random numbers that are the same in every run (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }
}

/// The offsets behind the first line and behind each record of a segment without damage.
func boundaries(_ bytes: [UInt8]) -> [Int] { bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 } }

let firstSegment = "000000000001.log"
