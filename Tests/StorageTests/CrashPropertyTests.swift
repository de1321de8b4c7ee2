import Bytes
import Storage
import Testing

/// Any batches, any crash: what was acknowledged is there, nothing else than what was appended is, in order.
@Suite("Crash") struct CrashPropertyTests {
    private struct History {
        var bytes = Array("fcd-journal 1 1\n".utf8)
        var texts: [String] = []
        /// Records of which each begins a group or stands alone, as counts of records before them.
        var starts: Set<Int> = [0]
        var acknowledged = 0
        /// Where the acknowledged records end.
        var safe = 0

        /// Batches of random groups; the disk falls behind by a random number of batches.
        init(_ random: inout SeededRandom) {
            safe = bytes.count
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                if Bool.random(using: &random) { (acknowledged, safe) = (texts.count, bytes.count) }
                var batch = ByteBuffer()
                for _ in 0..<Int.random(in: 1...5, using: &random) { appendGroup(&batch, &random) }
                bytes += Array(batch.readable)
            }
        }

        private mutating func appendGroup(_ batch: inout ByteBuffer, _ random: inout SeededRandom) {
            let count = Int.random(in: 1...4, using: &random)
            for i in 1...count {
                let text = "\(texts.count) " + String(repeating: "z", count: Int.random(in: 0...300, using: &random))
                texts.append(text)
                JournalRecord.append(
                    to: &batch,
                    globalSequence: UInt64(texts.count),
                    durable: UInt64(acknowledged),
                    together: i < count
                ) { $0.append(string: text) }
            }
            starts.insert(texts.count)
        }

        /// What the disk holds after a power cut: sectors behind the acknowledged part arrived, or not, or are rubbish.
        func afterCrash(_ random: inout SeededRandom) -> [UInt8] {
            var disk = bytes
            var sector = safe / 512 * 512
            while sector < disk.count {
                let range = max(sector, safe)..<min(sector + 512, disk.count)
                switch Int.random(in: 0...9, using: &random) {
                case 0: for at in range { disk[at] = 0 }
                case 1: for at in range { disk[at] = UInt8.random(in: 0...255, using: &random) }
                case 2: return Array(disk[..<range.lowerBound])
                case 3: return Array(disk[..<Int.random(in: range, using: &random)])
                default: break
                }
                sector += 512
            }
            return disk
        }
    }

    @Test func `what was acknowledged survives, whole groups only, and nothing that was not appended appears`() throws {
        var random = SeededRandom(state: 20_240_607)
        let directory = TemporaryDirectory()
        var torn = 0
        for round in 0..<600 {
            let history = History(&random)
            try directory.restore([firstSegment: history.afterCrash(&random)])
            let found = try recovered(directory)
            let count = found.texts.count
            #expect(count >= history.acknowledged, "round \(round)")
            #expect(found.texts == Array(history.texts[..<count]), "round \(round)")
            #expect(history.starts.contains(count), "round \(round)")
            if found.replay.cut != nil { torn += 1 }
            let again = try recovered(directory)
            #expect(again.texts == found.texts && again.replay.cut == nil, "round \(round)")
        }
        #expect(torn > 100)
    }

    @Test func `batches of any size come back in order while the thread writes them`() throws {
        var random = SeededRandom(state: 9)
        let directory = TemporaryDirectory()
        let settings = JournalSettings(segmentSize: 32 << 10, fillAfter: 4 << 10)
        let journal = FileJournal(directory: directory.storage, settings: settings)
        var last = try journal.texts().replay.last
        var all: [String] = []
        for _ in 0..<2000 {
            let batch = (0..<Int.random(in: 1...6, using: &random)).map { "\(all.count + $0)" }
            journal.append(batch, behind: last)
            last += UInt64(batch.count)
            all += batch
            if Int.random(in: 0..<50, using: &random) == 0 { #expect(journal.reaches(last)) }
        }
        journal.seal()
        #expect(journal.durable == last && journal.synced == last)
        #expect(try recovered(directory).texts == all)
    }
}
