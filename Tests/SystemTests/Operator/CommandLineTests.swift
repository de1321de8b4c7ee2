import ChatTesting
import Foundation
import Testing

@Suite("fcd's subcommands", .timeLimit(.minutes(10)))
struct CommandLineTests {
    private func json(_ line: String) throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
    }

    @Test func `status, set, user and snapshot go to the running daemon`() throws {
        let daemon = try RunningDaemon()
        _ = try daemon.user("ann")
        let status = try FcdRun(["status"], data: daemon.data)
        #expect(status.code == 0 && status.lines.contains { $0.hasPrefix("version ") && $0.hasSuffix(" 1.0") })
        #expect(try FcdRun(["status", "--json"], data: daemon.data).lines.allSatisfy { try json($0)["key"] != nil })
        #expect(try FcdRun(["set", "limits.text", "33"], data: daemon.data).code == 0)
        #expect(try daemon.client().hi?["text"] == "33")
        let bad = try FcdRun(["set", "limits.text", "0"], data: daemon.data)
        #expect(bad.code == 1 && bad.errors.contains("BAD-ARG (value)"))
        #expect(try FcdRun(["user", "disable", "ann"], data: daemon.data).code == 0)
        let users = try FcdRun(["user", "list"], data: daemon.data)
        #expect(users.code == 0 && users.output.contains("ann@example.test"))
        #expect(try FcdRun(["user", "list", "x"], data: daemon.data).lines.isEmpty)
        #expect(try FcdRun(["user", "enable", "ann"], data: daemon.data).code == 0)
        let reset = try FcdRun(["user", "reset", "ann", "--json"], data: daemon.data)
        let code = try #require(try json(reset.output)["code"])
        try daemon.client().ok("AUTH ann \(code)")
        let unknown = try FcdRun(["user", "reset", "ben"], data: daemon.data)
        #expect(unknown.code == 1 && unknown.errors.contains("NOT-FOUND"))
    }

    @Test func `user list shows all of many accounts`() throws {
        let daemon = try RunningDaemon()
        let client = try daemon.client()
        for number in 0..<230 {
            try client.ok("SIGNUP name=user-\(number) u\(number)@example.test Secret123")
            try client.ok("LOGOUT")
        }
        #expect(try FcdRun(["user", "list", "--json"], data: daemon.data).lines.count == 230)
        #expect(daemon.terminate() == 0)
        #expect(try FcdRun(["user", "list", "--json"], data: daemon.data).lines.count == 230)
    }

    @Test func `without a daemon, check and user list read the data and change nothing, the others say why not`() throws
    {
        let daemon = try RunningDaemon()
        _ = try daemon.user("ann").ok("SEND #lobby hi")
        daemon.kill()
        func contents() throws -> [String: Data] {
            let paths = FileManager.default.enumerator(atPath: daemon.data)?.compactMap { $0 as? String } ?? []
            return Dictionary(
                uniqueKeysWithValues: paths.map { path in
                    (path, FileManager.default.contents(atPath: "\(daemon.data)/\(path)") ?? Data())
                }
            )
        }
        let before = try contents()
        let check = try FcdRun(["check"], data: daemon.data)
        #expect(check.code == 0 && check.output.contains("data: sound"), "\(check)")
        let users = try FcdRun(["user", "list", "--json"], data: daemon.data)
        #expect(try users.code == 0 && json(users.output)["user"] == "ann")
        for command in [["status"], ["set", "limits.text", "5"], ["snapshot"], ["user", "reset", "ann"]] {
            let run = try FcdRun(command, data: daemon.data)
            #expect(run.code == 1 && run.errors.contains("no daemon runs on \(daemon.data)"), "\(command): \(run)")
        }
        #expect(try contents() == before)
    }

    @Test func `check of damaged data ends with 4, names file and offset, and changes nothing`() throws {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        for number in 0..<50 { try ann.ok("SEND #lobby \(number)") }
        daemon.kill()
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: daemon.data + "/journal").first { $0.hasSuffix(".log") }
        )
        let path = "\(daemon.data)/journal/\(name)"
        var bytes = try #require(FileManager.default.contents(atPath: path))
        let place = try #require(bytes.range(of: Data("text=\"20\"".utf8)))
        bytes[place.lowerBound] = UInt8(ascii: "X")
        try bytes.write(to: URL(fileURLWithPath: path))
        for command in [["check"], ["user", "list"], ["serve"]] {
            let run = try FcdRun(command, data: daemon.data)
            #expect(run.code == 4 && run.errors.contains("\(name), offset "), "\(command): \(run)")
        }
        #expect(FileManager.default.contents(atPath: path) == bytes)
    }

    @Test func `check of a torn tail is sound, and says what a start will cut off`() throws {
        let daemon = try RunningDaemon()
        _ = try daemon.user("ann").ok("SEND #lobby hi")
        daemon.kill()
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: daemon.data + "/journal").first { $0.hasSuffix(".log") }
        )
        let path = "\(daemon.data)/journal/\(name)"
        var bytes = try #require(FileManager.default.contents(atPath: path))
        let end = try #require(bytes.lastIndex { $0 != 0 })
        bytes = bytes.prefix(end + 1) + Data("torn".utf8)
        try bytes.write(to: URL(fileURLWithPath: path))
        let run = try FcdRun(["check"], data: daemon.data)
        #expect(run.code == 0 && run.output.contains("cut off"), "\(run)")
        #expect(FileManager.default.contents(atPath: path) == bytes)
    }

    @Test func `check beside a running daemon asks it`() throws {
        let daemon = try RunningDaemon()
        let run = try FcdRun(["check"], data: daemon.data)
        #expect(run.code == 0 && run.output.contains("data: in use"), "\(run)")
    }

    @Test func `check of a wrong configuration ends with 2 and names file and key`() throws {
        let file = ConfigurationFile()
        for (text, named) in [
            ("{ limits: { txt: 5 } }", "limits.txt"), ("{ limits: { text: 0 } }", "limits.text"), ("{", "line 1"),
        ] {
            try file.write(text)
            let run = try FcdRun(["check", "--config", file.path])
            #expect(run.code == 2 && run.errors.contains(file.path) && run.errors.contains(named), "\(text): \(run)")
        }
        try file.write("{ limits: { text: 5 } }")
        let run = try FcdRun(["check", "--config", file.path])
        #expect(run.code == 0 && run.output.contains("settings: sound"))
    }

    @Test(arguments: [
        (["stauts"], "status"), (["user", "lsit"], "list"), (["user", "rest", "ann"], "reset"),
        (["user", "promot", "ann"], "promote"), (["invit"], "invite"),
        (["set", "limit.text", "5"], "limits.text"),
        (["user", "disable"], "user disable USER"), (["set"], "set KEY VALUE"), (["status", "now"], "now"),
        (["chek"], "check"), (["snapshot", "--jsn"], "--json"),
    ])
    func `wrong usage ends with 2 and names the nearest right word`(arguments: [String], named: String) throws {
        let run = try FcdRun(arguments)
        #expect(run.code == 2 && run.errors.contains(named), "\(run)")
    }
}
