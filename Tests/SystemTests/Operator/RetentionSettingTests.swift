import ChatTesting
import Foundation
import Testing

@Suite("history.max-messages and history.max-age", .timeLimit(.minutes(5)))
struct RetentionSettingTests {
    private func seqs(_ client: TestClient, _ room: String) throws -> [Int] {
        try client.rows("HISTORY limit=200 \(room)").map(\.seq)
    }

    @Test func `count for every conversation, 1:1s and the lobby too, but not where the operator said otherwise`()
        throws
    {
        let daemon = try RunningDaemon(.init(settings: ["history.max-messages=3"]))
        let (ann, bob) = (try daemon.user("ann"), try daemon.user("bob"))
        for room in ["#room", "#archive"] { try ann.ok("CREATE \(room)") }
        try daemon.operatorClient().ok("ADMIN RETAIN max=all #archive")
        for room in ["#room", "#archive", "#lobby", "@bob"] {
            _ = try ann.pipeline((0..<10).map { "SEND \(room) m\($0)" })
        }
        #expect(try seqs(ann, "#room") == [9, 10, 11] && seqs(bob, "#lobby") == [9, 10, 11])
        #expect(try seqs(bob, "@ann") == [9, 10, 11] && seqs(ann, "#archive").count == 10)
        let row = try daemon.operatorClient().rows("ADMIN CONVS").first { $0["conv"] == "#archive" }
        #expect(row?["max"] == "all" && row?["messages"] == "10" && row?["first"] == nil)
    }

    @Test func `a setting that is taken back brings nothing back, and lets nothing more go`() throws {
        let holder = TemporaryDirectory()
        func start(_ settings: [String]) throws -> RunningDaemon {
            try RunningDaemon(.init(settings: settings, data: holder.path + "/data"))
        }
        let first = try start(["history.max-messages=3"])
        let ann = try first.user("ann")
        try ann.ok("CREATE #room")
        _ = try ann.pipeline((0..<10).map { "SEND #room m\($0)" })
        first.kill()
        for (settings, expected) in [([], 3), (["history.max-messages=2"], 2), ([], 2)] as [([String], Int)] {
            let daemon = try start(settings)
            #expect(try seqs(try daemon.another(of: ann), "#room").count == expected, "\(settings)")
            #expect(daemon.terminate(within: 5) == 0)
        }
        let last = try start([])
        let again = try last.another(of: ann)
        _ = try again.pipeline((0..<10).map { "SEND #room m\($0)" })
        #expect(try seqs(again, "#room").count == 12)
    }

    @Test func `a repair brings nothing back either`() throws {
        let daemon = try RunningDaemon(.init(settings: ["history.max-messages=5"]))
        let ann = try daemon.user("ann")
        try ann.ok("CREATE #room")
        _ = try ann.pipeline((0..<20).map { "SEND #room m\($0)" })
        #expect(daemon.terminate(within: 5) == 0)
        let snapshot = SnapshotDirectory(daemon)
        for stem in ["manifest", "conversations-000"] {
            let path = try snapshot.path + "/" + #require(snapshot.file(stem))
            try FileManager.default.removeItem(atPath: path)
            let run = try FcdRun(["repair", "--yes"], data: daemon.data)
            #expect(run.code == 0, "\(run.errors)")
            #expect(try FcdRun(["check"], data: daemon.data).code == 0)
            try daemon.start()
            let again = try daemon.another(of: ann)
            #expect(try seqs(again, "#room") == Array(17...21), "\(stem)")
            try again.expectRefusal("SUB since=3 #room", "GONE")
            #expect(daemon.terminate(within: 5) == 0)
        }
    }
}
