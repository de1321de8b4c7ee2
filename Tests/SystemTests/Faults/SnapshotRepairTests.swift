import ChatTesting
import Foundation
import Testing

@Suite("fcd repair of a snapshot") struct SnapshotRepairTests {
    /// A daemon that ended with a snapshot and a trimmed journal: #room of ann's with bob in it, #den of ann's, private,
    /// and a 1:1; a copy of its data beside it.
    private struct Ended {
        let daemon: RunningDaemon
        let snapshot: SnapshotDirectory
        let holder = TemporaryDirectory()

        init() throws {
            daemon = try RunningDaemon()
            snapshot = SnapshotDirectory(daemon)
            let (ann, bob) = (try daemon.user("ann"), try daemon.user("bob"))
            for name in ["#room", "private=yes #den"] { try ann.ok("CREATE \(name)") }
            try bob.ok("JOIN #room")
            for number in 0..<20 { try (number % 2 == 0 ? ann : bob).ok("SEND #room text-\(number).") }
            try ann.ok("SEND #den secret")
            try ann.ok("SEND @bob hello")
            #expect(daemon.terminate(within: 5) == 0)
            try JournalFiles(daemon).keep(as: holder.path + "/base")
        }

        func again() throws { try JournalFiles(daemon).putBack(holder.path + "/base") }

        func path(_ stem: String) throws -> String { snapshot.path + "/" + (try #require(snapshot.file(stem))) }

        func change(_ stem: String, _ edit: (inout Data) throws -> Void) throws {
            let path = try path(stem)
            var data = try #require(FileManager.default.contents(atPath: path))
            try edit(&data)
            try data.write(to: URL(fileURLWithPath: path))
        }

        func flip(_ text: String, in stem: String) throws {
            try change(stem) { data in
                let place = try #require(data.firstRange(of: Data(text.utf8)))
                data[place.lowerBound] ^= 1
            }
        }

        /// Repairs; the lines it said.
        func repair() throws -> [String] {
            let run = try FcdRun(["repair", "--yes"], data: daemon.data)
            #expect(run.code == 0, "\(run.errors)")
            #expect(try FcdRun(["check"], data: daemon.data).code == 0)
            #expect(try FcdRun(["repair"], data: daemon.data).lines == ["nothing to repair"])
            #expect(snapshot.files == snapshot.named)
            return run.lines
        }

        func signedIn(_ name: String) throws -> TestClient {
            if !daemon.isAlive { try daemon.start() }
            let client = try daemon.client()
            try client.ok("AUTH \(name) Secret123", within: 60)
            return client
        }

        func expectAll() throws {
            let (ann, bob) = (try signedIn("ann"), try signedIn("bob"))
            for one in [ann, bob] { #expect(try one.allTexts(of: "#room") == (0..<20).map { "text-\($0)." }) }
            #expect(try ann.allTexts(of: "#den") == ["secret"])
            #expect(try bob.allTexts(of: "@ann") == ["hello"])
            #expect(try bob.request("HISTORY #den").isOK == false)
            #expect(try bob.request("JOIN #den").isOK == false)
            #expect(try ann.rows("MEMBERS #room").map { $0["user"] } == ["ann", "bob"])
            #expect(try ann.rows("MEMBERS #room").map { $0["role"] } == ["owner", "member"])
            try bob.ok("SEND #room on")
            daemon.kill()
        }
    }

    @Test func `a changed line costs that message alone, and leaves the event lost`() throws {
        let ended = try Ended()
        try ended.flip("msg conv=#room seq=8 ", in: "timeline-000")
        #expect(try ended.repair().contains("#room: seq 8 is lost"))
        let ann = try ended.signedIn("ann")
        #expect(try ann.allTexts(of: "#room") == (0..<20).filter { $0 != 5 }.map { "text-\($0)." })
        try ann.ok("SUB since=7 #room")
        #expect(try ann.event("lost")?["seq"] == "8")
        #expect(try ann.allTexts(of: "#den") == ["secret"])
        #expect(try ann.ok("SEND #room on")["seq"] == "23")
    }

    @Test func `what is said of conversations is put together again from their lines`() throws {
        let ended = try Ended()
        try FileManager.default.removeItem(atPath: try ended.path("conversations-000"))
        _ = try ended.repair()
        try ended.expectAll()
        try ended.again()
        try ended.change("conversations-000") { $0 = $0.dropFirst($0.count / 2) }
        _ = try ended.repair()
        try ended.expectAll()
    }

    @Test func `a changed number in a file of conversations gives nobody a right`() throws {
        let ended = try Ended()
        // #den belongs to account 1: a flaw would make that another.
        try ended.change("conversations-000") { data in
            let den = try #require(data.firstRange(of: Data("\"den\"".utf8)))
            let place = try #require(data[den.upperBound...].firstRange(of: Data("[[1,\"owner\"".utf8)))
            data[place.lowerBound + 2] = UInt8(ascii: "2")
        }
        _ = try ended.repair()
        try ended.expectAll()
    }

    @Test func `without its manifest the newest files count`() throws {
        let ended = try Ended()
        for edit in ["remove", "flip", "empty"] {
            let path = ended.snapshot.path + "/manifest.json"
            switch edit {
            case "remove": try FileManager.default.removeItem(atPath: path)
            case "flip": try ended.flip("sequence", in: "manifest")
            default: try Data().write(to: URL(fileURLWithPath: path))
            }
            _ = try ended.repair()
            try ended.expectAll()
            try ended.again()
        }
    }

    @Test func `without the journal the snapshot counts`() throws {
        let ended = try Ended()
        for name in entries(of: ended.daemon.data + "/journal") {
            try FileManager.default.removeItem(atPath: ended.daemon.data + "/journal/" + name)
        }
        _ = try ended.repair()
        try ended.expectAll()
    }

    @Test func `where nothing is left of the snapshot, a backup is asked for`() throws {
        let ended = try Ended()
        for name in entries(of: ended.snapshot.path) where name.hasSuffix(".json") {
            try FileManager.default.removeItem(atPath: ended.snapshot.path + "/" + name)
        }
        let before = Contents(ended.daemon)
        let run = try FcdRun(["repair", "--yes"], data: ended.daemon.data)
        #expect(run.code == 4 && run.errors.contains("restore a backup"), "\(run.errors)")
        #expect(Contents(ended.daemon) == before)
    }

    @Test func `a file of a newer version is refused untouched`() throws {
        let ended = try Ended()
        try ended.change("accounts-000") { $0 = Data("{\"format\":9,".utf8) + $0.dropFirst(12) }
        try FileManager.default.removeItem(atPath: ended.snapshot.path + "/manifest.json")
        let before = Contents(ended.daemon)
        let run = try FcdRun(["repair", "--yes"], data: ended.daemon.data)
        #expect(run.code == 4 && run.errors.contains("newer"), "\(run.errors)")
        #expect(Contents(ended.daemon) == before)
    }

    @Test func `an account that cannot be read keeps its handle, its number and its place`() throws {
        let ended = try Ended()
        try ended.change("accounts-000") { data in
            let bob = try #require(data.firstRange(of: Data("{\"n\":2,".utf8)))
            data[bob.lowerBound] ^= 1
        }
        #expect(try ended.repair().contains { $0.hasPrefix("account bob: its record is lost") })
        let ann = try ended.signedIn("ann")
        #expect(try ann.allTexts(of: "#room").count == 20)
        #expect(try ann.rows("MEMBERS #room").map { $0["user"] } == ["ann", "bob"])
        let reset = try FcdRun(["user", "reset", "bob"], data: ended.daemon.data)
        let code = try #require(
            reset.output.split(separator: "code=").last?.split(whereSeparator: \.isWhitespace).first
        )
        let bob = try ended.daemon.client()
        try bob.ok("AUTH bob \(code)")
        try bob.ok("PASSWD Another123")
        #expect(try bob.allTexts(of: "#room").count == 20)
    }

    @Test(arguments: ["accounts-000", "conversations-000", "server", "timeline-000"])
    func `a file that is changed anywhere, cut or missing is repaired`(stem: String) throws {
        let ended = try Ended()
        let size = try #require(FileManager.default.contents(atPath: try ended.path(stem))?.count)
        var edits: [(inout Data) -> Void] = [{ $0 = $0.dropLast($0.count / 3) }, { $0 = Data() }]
        for part in 0..<8 { edits.append { $0[part * (size - 1) / 7] ^= 4 } }
        for edit in edits {
            try ended.change(stem, edit)
            _ = try ended.repair()
            try ended.again()
        }
        try FileManager.default.removeItem(atPath: try ended.path(stem))
        #expect(try ended.repair().contains { $0.contains("it is missing") })
        try ended.daemon.start()
    }
}
