import ChatTesting
import Foundation
import Testing

@Suite("fcd check of files", .timeLimit(.minutes(10)))
struct CheckTests {
    private static let blob = "blobs/4e/15a732070ceaf471e25e7ef23e9554f6685ffea5623eb02381941dc68f7f6d"

    @Test func `reads every blob that a record knows`() throws {
        let golden = try GoldenData("snapshot-1")
        let run = try FcdRun(["check"], data: golden.data)
        #expect(run.code == 0 && run.output.contains("blobs: sound, 1 files, 5000 bytes"), "\(run)")
        #expect(!run.output.contains("other:"))
    }

    @Test(arguments: ["missing", "cut", "longer", "changed"])
    func `names a blob that is not as its record says, with the offset, and ends with 4`(fault: String) throws {
        let golden = try GoldenData("snapshot-1")
        let path = golden.data + "/" + Self.blob
        var bytes = try #require(FileManager.default.contents(atPath: path))
        var offset = 0
        switch fault {
        case "missing": try FileManager.default.removeItem(atPath: path)
        case "cut": (bytes, offset) = (bytes.prefix(1234), 1234)
        case "longer": (bytes, offset) = (bytes + [0], 5000)
        default: bytes[4999] ^= 1
        }
        if fault != "missing" { try bytes.write(to: URL(fileURLWithPath: path)) }
        let before = try golden.contents()
        let run = try FcdRun(["check"], data: golden.data)
        #expect(run.code == 4 && run.errors.contains("\(Self.blob), offset \(offset): damaged"), "\(run)")
        #expect(run.output.contains("data: sound") && run.output.contains("blobs: damaged"), "\(run)")
        #expect(try golden.contents() == before)
    }

    @Test func `mentions files that nothing knows, and calls the data sound all the same`() throws {
        let golden = try GoldenData("snapshot-1")
        let strange = [
            "notes.txt", "blobs/4e/" + String(repeating: "0", count: 62), "blobs/incoming-1", "journal/old.log",
            "snapshot/accounts-000.1.json",
        ]
        for name in strange { try Data("x".utf8).write(to: URL(fileURLWithPath: golden.data + "/" + name)) }
        let run = try FcdRun(["check"], data: golden.data)
        #expect(run.code == 0, "\(run)")
        let line = try #require(run.lines.first { $0.hasPrefix("other: unknown") })
        for name in strange { #expect(line.contains(name), "\(line)") }
        #expect(!line.contains("manifest") && !line.contains("15a732"))
    }
}
