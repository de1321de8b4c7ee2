import Bytes
import Foundation
import Storage
import Testing

@Suite("Trimming the journal") struct JournalTrimTests {
    private let directory = TemporaryDirectory()

    private var segments: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [])
            .filter { $0.hasSuffix(".log") }.sorted()
    }

    private func segment(_ first: Int) -> String {
        String(repeating: "0", count: 12 - "\(first)".count) + "\(first).log"
    }

    private func started(_ settings: JournalSettings = JournalSettings()) throws -> FileJournal {
        let journal = FileJournal(directory: directory.storage, settings: settings)
        _ = try journal.texts()
        return journal
    }

    @Test func `a turn begins a new segment between two batches, also when nothing is written`() throws {
        let journal = try started()
        journal.append(["a", "b"], behind: 0)
        #expect(journal.reaches(2))
        journal.turn()
        #expect(holds { !journal.isTurning })
        #expect(segments == [segment(1), segment(3)])
        journal.turn()
        #expect(holds { !journal.isTurning })
        #expect(segments == [segment(1), segment(3)], "an empty segment is new enough")
        journal.append(["c"], behind: 2)
        #expect(journal.reaches(3))
        journal.seal()
        #expect(try recovered(directory).texts == ["a", "b", "c"])
    }

    @Test(arguments: [JournalSettings.Durability.sync, .interval(seconds: 0.05)])
    func `turns under load lose and double nothing`(durability: JournalSettings.Durability) throws {
        let journal = try started(JournalSettings(durability: durability))
        for number in 0..<300 {
            journal.append(["\(number)"], behind: UInt64(number))
            if number % 7 == 0 { journal.turn() }
            if number % 50 == 49 { #expect(journal.reaches(UInt64(number + 1))) }
        }
        #expect(journal.reaches(300))
        #expect(holds { !journal.isTurning })
        journal.seal()
        #expect(segments.count > 1)
        #expect(try recovered(directory).texts == (0..<300).map(String.init))
    }

    @Test func `only segments wholly at or below the snapshot go, and the newest stays`() throws {
        let journal = try started()
        for number in 0..<5 {
            journal.append(["a\(number)", "b\(number)"], behind: UInt64(number * 2))
            #expect(journal.reaches(UInt64(number * 2 + 2)))
            journal.turn()
            #expect(holds { !journal.isTurning })
        }
        #expect(segments == [1, 3, 5, 7, 9, 11].map(segment))
        #expect(try JournalTrim.trim(directory.storage, through: 5) == 2)
        #expect(segments == [5, 7, 9, 11].map(segment))
        journal.append(["c"], behind: 10)
        #expect(journal.reaches(11))
        journal.seal()
        #expect(throws: JournalFault.self) { try recovered(directory) }
        #expect(try recovered(directory, after: 5).texts == ["b2", "a3", "b3", "a4", "b4", "c"])
        #expect(try JournalTrim.trim(directory.storage, through: 99) == 3)
        #expect(segments == [segment(11)])
        #expect(try recovered(directory, after: 11).texts == [])
    }

    @Test func `a journal that ends before what a snapshot holds is damage and is left as it is`() throws {
        let journal = try started()
        journal.append(["a", "b"], behind: 0)
        #expect(journal.reaches(2))
        journal.seal()
        let before = try directory.contents()
        #expect(throws: JournalFault.self) {
            try recovered(directory, after: 1, JournalSettings(expectedThrough: 3))
        }
        #expect(try directory.contents() == before)
        #expect(try recovered(directory, after: 1, JournalSettings(expectedThrough: 2)).texts == ["b"])
    }
}
