import ChatTesting
import Foundation
import Testing

@Suite("Data of earlier versions", .timeLimit(.minutes(10)))
struct GoldenTests {
    @Test(arguments: GoldenData.names)
    func `is started on, tells what it held, and is sound`(name: String) throws {
        let golden = try GoldenData(name)
        #expect(try FcdRun(["check"], data: golden.data).code == 0)
        let daemon = try RunningDaemon(.init(data: golden.data))
        #expect(try golden.isTold(by: daemon))
        #expect(daemon.terminate() == 0)
        try daemon.start()
        #expect(try golden.isTold(by: daemon), "also out of a snapshot of today")
    }

    @Test(arguments: GoldenData.names)
    func `is restored from a backup of that version`(name: String) throws {
        let golden = try GoldenData(name)
        let run = try FcdRun(["restore", golden.backup], data: golden.restored)
        #expect(run.code == 0, "\(run)")
        let daemon = try RunningDaemon(.init(data: golden.restored))
        #expect(try golden.isTold(by: daemon))
    }

    @Test func `has its blobs`() throws {
        let golden = try GoldenData("snapshot-1")
        defer { withExtendedLifetime(golden) {} }
        let daemon = try RunningDaemon(.init(data: golden.data))
        let ada = try daemon.client()
        let token = try #require(try ada.ok("AUTH ada Secret123")["token"])
        let blob = try #require(try ada.rows("HISTORY limit=200 #room").compactMap { $0["blob"] }.first)
        let line = Array("a pattern of many lines\n".utf8)
        let answer = try daemon.fetch(path(of: try ada.ok("BLOB \(blob)")["url"]), token: token)
        #expect(answer.body == (0..<5000).map { line[$0 % line.count] })
    }

    /// Each kind of file that states a format, with the text that says so.
    private static let formats = [
        ("journal-1", "journal/000000000001.log", "fcd-journal 1 "), ("snapshot-1", "journal/", "fcd-journal 1 "),
        ("snapshot-1", "snapshot/manifest", "{\"format\":1,"), ("snapshot-1", "snapshot/server", "{\"format\":1,"),
        ("snapshot-1", "snapshot/accounts", "{\"format\":1,"),
        ("snapshot-1", "snapshot/conversations", "{\"format\":1,"),
        ("snapshot-1", "snapshot/timeline", "{\"format\":1,"), ("journal-2", "journal/", "fcd-journal 1 "),
        ("snapshot-2", "snapshot/manifest", "{\"format\":1,"), ("snapshot-2", "snapshot/server", "{\"format\":2,"),
        ("snapshot-2", "snapshot/accounts", "{\"format\":2,"),
        ("snapshot-2", "snapshot/conversations", "{\"format\":2,"),
        ("snapshot-2", "snapshot/timeline", "{\"format\":2,"), ("snapshot-3", "snapshot/items-0", "{\"format\":3,"),
        ("snapshot-3", "snapshot/items-2-", "{\"format\":3,"),
    ]

    @Test(arguments: formats)
    func `and of a later version in any file is refused with 4, and nothing is changed`(
        name: String,
        prefix: String,
        format: String
    ) throws {
        let golden = try GoldenData(name)
        let file = try #require(try golden.contents().keys.first { $0.hasPrefix(prefix) })
        try golden.edit(file, format, format.replacing(/[123]/, with: "9"))
        let before = try golden.contents()
        for command in [["serve"], ["check"]] {
            let run = try FcdRun(command, data: golden.data)
            #expect(run.code == 4 && run.errors.contains(file) && run.errors.contains("newer"), "\(run)")
            #expect(try golden.contents() == before)
        }
    }
}
