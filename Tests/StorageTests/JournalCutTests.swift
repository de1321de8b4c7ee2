import SystemIO
import Testing

@testable import Storage

/// What is cut off before writing begins again: everything behind the last record that was durable, with whole segments.
@Suite("Cutting a journal behind a record") struct JournalCutTests {
    private let texts = (1...400).map { "message \($0) of some length" }
    private let directory = TemporaryDirectory()

    private func cut(behind last: UInt64, _ disk: any FileSystem) throws(JournalFault) {
        let place = Directory(directory.path, on: disk)
        try JournalRecovery(directory: place, expectsData: true, expectedThrough: last).cut(behind: last)
    }

    @Test(arguments: [1, 20, 100, 399, 400])
    func `an end between any two of its steps leaves everything up to the record, and no segment is missed`(
        last: Int
    ) throws {
        try write(texts.map { [$0] }, to: directory, JournalSettings(segmentSize: 1024, fillAfter: .max))
        let base = try directory.contents()
        var steps = 0
        while true {
            try directory.restore(base)
            var isDone = true
            do throws(JournalFault) { try cut(behind: UInt64(last), EndingFileSystem(after: steps)) } catch {
                isDone = false
            }
            let found = try recovered(directory)
            #expect(found.texts.starts(with: texts[..<last]) && texts.starts(with: found.texts), "step \(steps)")
            if isDone {
                #expect(found.texts == Array(texts[..<last]) && found.replay.cut == nil)
                break
            }
            steps += 1
        }
        #expect(steps > 0)
        try write([["more"]], to: directory)
        #expect(try recovered(directory).texts == Array(texts[..<last]) + ["more"])
    }
}
