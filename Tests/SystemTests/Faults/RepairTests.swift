import ChatTesting
import Foundation
import Testing

@Suite("fcd repair") struct RepairTests {
    /// A daemon that ended with all its data in the journal: ann's and bob's talk in #room.
    private func talk(_ count: Int = 40) throws -> RunningDaemon {
        let daemon = try RunningDaemon()
        let (ann, bob) = (try daemon.user("ann"), try daemon.user("bob"))
        try ann.ok("CREATE #room")
        try bob.ok("JOIN #room")
        for number in 0..<count { try (number % 2 == 0 ? ann : bob).ok("SEND #room text-\(number).") }
        daemon.kill()
        return daemon
    }

    private func flip(_ text: String, in daemon: RunningDaemon) throws {
        let journal = JournalFiles(daemon)
        var bytes = journal.bytes
        let at = try #require(bytes.firstRange(of: Array(text.utf8))).lowerBound
        bytes[at] ^= 1
        try journal.write(bytes)
    }

    @Test func `sound data are left alone`() throws {
        let daemon = try talk(3)
        let before = Contents(daemon)
        let run = try FcdRun(["repair"], data: daemon.data)
        #expect(run.code == 0 && run.lines == ["nothing to repair"])
        #expect(try FcdRun(["repair", "--yes"], data: daemon.data).lines == ["nothing to repair"])
        #expect(Contents(daemon) == before)
    }

    @Test func `without --yes it says what it would do and changes nothing`() throws {
        let daemon = try talk()
        try flip("text-20.", in: daemon)
        let before = Contents(daemon)
        let run = try FcdRun(["repair"], data: daemon.data)
        #expect(run.code == 1)
        #expect(run.output.contains("journal/000000000001.log, offset "))
        #expect(run.lines.contains("#room: seq 23 is lost"))
        #expect(run.lines.last == "nothing was changed; fcd repair --yes does this")
        let rows = try FcdRun(["repair", "--json"], data: daemon.data)
        #expect(rows.code == 1)
        #expect(rows.lines.contains(##"{"kind":"lost","conv":"#room","first":"23","last":"23"}"##))
        #expect(Contents(daemon) == before)
    }

    @Test func `with --yes the damaged record leaves an event and all else is there`() throws {
        let daemon = try talk()
        let before = try log(of: daemon)
        try flip("text-20.", in: daemon)
        let damaged = JournalFiles(daemon).bytes
        let run = try FcdRun(["repair", "--yes"], data: daemon.data)
        #expect(run.code == 0, "\(run.errors)")
        let check = try FcdRun(["check"], data: daemon.data)
        #expect(check.code == 0 && !check.output.contains("repair-1"), "\(check.output)")
        #expect(try FcdRun(["repair"], data: daemon.data).lines == ["nothing to repair"])
        let kept = daemon.data + "/repair-1/journal/000000000001.log"
        #expect(FileManager.default.contents(atPath: kept) == Data(damaged))
        try daemon.start()
        #expect(try log(of: daemon, started: true) != before)
        let ann = try signedIn(daemon)
        #expect(try ann.allTexts(of: "#room") == (0..<40).filter { $0 != 20 }.map { "text-\($0)." })
        try ann.ok("SUB since=22 #room")
        let event = try #require(try ann.event("lost"))
        #expect(event["seq"] == "23" && event["conv"] == "#room" && event["by"] == "server")
        #expect(try ann.ok("SEND #room more")["seq"] == "43")
    }

    @Test func `while a daemon runs it is refused`() throws {
        let daemon = try RunningDaemon()
        #expect(try FcdRun(["repair", "--yes"], data: daemon.data).code == 3)
    }

    @Test func `what it keeps is for the server's user only`() throws {
        let daemon = try talk()
        try flip("text-20.", in: daemon)
        let open = ["sh", "-c", "umask 0; exec \"$@\"", "sh"]
        let run = try FcdRun(["repair", "--yes"], data: daemon.data, wrapper: open)
        #expect(run.code == 0)
        for name in FileManager.default.enumerator(atPath: daemon.data)?.compactMap({ $0 as? String }) ?? [] {
            let mode = try FileManager.default.attributesOfItem(atPath: daemon.data + "/" + name)[.posixPermissions]
            #expect((mode as? Int ?? 0) & 0o077 == 0, "\(name)")
        }
    }

    @Test func `a segment of a newer version is refused untouched`() throws {
        let daemon = try talk(3)
        try Data("fcd-journal 2 500\n".utf8).write(to: URL(fileURLWithPath: daemon.data + "/journal/000000000500.log"))
        let before = Contents(daemon)
        let run = try FcdRun(["repair", "--yes"], data: daemon.data)
        #expect(run.code == 4 && run.errors.contains("newer"), "\(run.errors)")
        #expect(Contents(daemon) == before)
    }

    @Test func `a file whose record is lost is kept beside the rest`() throws {
        let daemon = try talk(2)
        try daemon.start()
        let ann = try signedIn(daemon)
        let bytes = Array("what is in it".utf8)
        let id = try #require(try ann.upload(bytes, "name=list.txt")["blob"])
        try ann.ok("SEND blob=\(id) #room")
        daemon.kill()
        let file = try #require(blobFiles(daemon).first)
        try flip("L blob id=", in: daemon)
        let run = try FcdRun(["repair", "--yes"], data: daemon.data)
        #expect(run.code == 0 && run.lines.contains { $0.hasPrefix("1 file under blobs has no record") })
        try daemon.start()
        #expect(blobFiles(daemon).isEmpty)
        #expect(FileManager.default.contents(atPath: daemon.data + "/repair-1/blobs/" + file) == Data(bytes))
        #expect(try signedIn(daemon).ok("HISTORY limit=1 #room").rows.first?["blob"] == id)
    }

    /// Calls of a repair, and how often one makes each of them at least.
    private static let calls = [
        ("openat", 30), ("pwrite64", 6), ("fsync", 12), ("rename", 7), ("link", 1), ("unlink", 1), ("mkdir", 2),
    ]

    @Test(arguments: calls)
    func `a kill at any of its calls leaves the damaged state or the repaired one`(call: String, atLeast: Int) throws {
        let daemon = try talk()
        try flip("text-20.", in: daemon)
        let holder = TemporaryDirectory()
        try JournalFiles(daemon).keep(as: holder.path + "/base")
        var kills = 0
        while kills < 150 {
            try JournalFiles(daemon).putBack(holder.path + "/base")
            let inject = "inject=\(call):signal=KILL:when=\(kills + 1)"
            let strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e", inject]
            let run = try FcdRun(["repair", "--yes"], data: daemon.data, wrapper: strace)
            if run.code == 0 { break }
            kills += 1
            let check = try FcdRun(["check"], data: daemon.data)
            #expect(check.code == 0 || check.code == 4, "killed at call \(kills): \(check.errors)")
            let again = try FcdRun(["repair", "--yes"], data: daemon.data)
            #expect(again.code == 0, "killed at call \(kills): \(again.errors)")
            #expect(try FcdRun(["check"], data: daemon.data).code == 0, "killed at call \(kills)")
        }
        #expect(kills >= atLeast && kills < 150, "a repair makes \(kills) of these calls")
        try daemon.start()
        let ann = try signedIn(daemon)
        #expect(try ann.allTexts(of: "#room") == (0..<40).filter { $0 != 20 }.map { "text-\($0)." })
    }

    private func signedIn(_ daemon: RunningDaemon) throws -> TestClient {
        let client = try daemon.client()
        try client.ok("AUTH ann Secret123", within: 60)
        return client
    }

    /// The log's identity, as a start greets with it.
    private func log(of daemon: RunningDaemon, started: Bool = false) throws -> String? {
        if !started { try daemon.start() }
        defer { if !started { daemon.kill() } }
        return try daemon.client().hi?["log"]
    }
}

/// All files below a data directory, for comparison.
struct Contents: Equatable {
    let files: [String: Data]

    init(_ daemon: RunningDaemon) {
        var files: [String: Data] = [:]
        for name in FileManager.default.enumerator(atPath: daemon.data)?.compactMap({ $0 as? String }) ?? [] {
            files[name] = FileManager.default.contents(atPath: daemon.data + "/" + name) ?? Data()
        }
        self.files = files
    }
}
