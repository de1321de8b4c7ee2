import ChatTesting
import Foundation
import Testing

@Suite("fcd as a program")
struct ProgramTests {
    /// Runs fcd with these arguments to its end: the exit code and what it wrote to standard error.
    private func run(_ arguments: [String]) throws -> (code: Int32?, errors: String) {
        let directory = TemporaryDirectory()
        let process = try ChildProcess(
            [RunningDaemon.executable] + arguments,
            output: "\(directory.path)/out",
            errors: "\(directory.path)/err"
        )
        let code = process.wait(atMost: 15)
        return (code, readWhole("\(directory.path)/err") + readWhole("\(directory.path)/out"))
    }

    @Test(arguments: [1, 2])
    func `SIGTERM finishes what was asked and exits 0 within 5 seconds, and it starts again`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let ann = try daemon.user("ann")
        let idle = try daemon.client()
        try ann.ok("CREATE #room")
        try ann.send((0..<200).map { "@m\($0) SEND #room \($0)\n" }.joined())
        let first = try ann.reply(to: "m0")
        #expect(first.isOK)
        #expect(daemon.terminate(within: 5) == 0)
        var acknowledged = 1
        while let reply = try? ann.reply(to: "m\(acknowledged)"), reply.isOK { acknowledged += 1 }
        #expect(idle.isEnded(within: 5))
        try daemon.start()
        let texts = try daemon.another(of: ann).allTexts(of: "#room")
        #expect(texts == (0..<texts.count).map(String.init) && texts.count >= acknowledged)
    }

    @Test func `a second daemon on the same data ends with 3 and leaves the first alone`() throws {
        let daemon = try RunningDaemon()
        let ports = ["--chat", "127.0.0.1:0", "--plain", "none", "--blobs", "127.0.0.1:0"]
        #expect(try run(["--data", daemon.data] + ports).code == 3)
        try FileManager.default.removeItem(atPath: daemon.data + "/lock")
        #expect(try run(["--data", daemon.data] + ports).code == 3, "deleting the lock file lets nobody in")
        _ = try daemon.user("ann").ok("SEND #lobby alive")
    }

    @Test func `nothing in the data directory is open to others, whatever the umask`() throws {
        let daemon = try RunningDaemon(.init(umask: "000"))
        _ = try daemon.user("ann").ok("SEND #lobby x")
        var seen = 0
        let inside = FileManager.default.enumerator(atPath: daemon.data)?.compactMap { $0 as? String } ?? []
        for path in [daemon.data] + inside.map({ "\(daemon.data)/\($0)" }) {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
            #expect(mode & 0o077 == 0, "\(path) has mode \(String(mode, radix: 8))")
            seen += 1
        }
        #expect(seen >= 4)
    }

    @Test(
        arguments: [
            ["--set", "limits.txt=5"], ["--set", "limits.text=-1"], ["--set", "limits.text=many"],
            ["--set", "loops=0"],
            ["--set", "durability=maybe"], ["--set", "nonsense"], ["--frob"], ["--plain", "0.0.0.0:0"],
            ["--chat", "nonsense"],
            ["--config", "/nonexistent/fcd.json5"], ["frob"],
        ]
    )
    func `a wrong option or setting ends with 2 and is named`(arguments: [String]) throws {
        let directory = TemporaryDirectory()
        let (code, errors) = try run(["--data", directory.path + "/data", "--chat", "127.0.0.1:0"] + arguments)
        #expect(code == 2, "\(arguments) -> \(errors)")
        #expect(errors.contains(arguments.last?.split(separator: "=").first ?? "?"), "\(errors)")
    }

    @Test func `a setting that takes effect shows in HI and in refusals`() throws {
        let daemon = try RunningDaemon(.init(settings: ["limits.text=10", "auth.anonymous=off", "auth.signup=open"]))
        let ann = try daemon.user("ann")
        #expect(ann.hi?["text"] == "10" && ann.hi?["auth"] == "password,token")
        let line = try ann.expectRefusal("SEND #lobby 12345678901", "TOO-LONG", field: "text")
        #expect(line["limit"] == "10" && line["got"] == "11")
        #expect(try daemon.client().request("AUTH anonymous=yes").code == "DENIED")
    }

    @Test func `a closed sign-up is DENIED, and guests may create when a setting allows it`() throws {
        let daemon = try RunningDaemon(.init(settings: ["auth.signup=closed", "auth.anonymous-create=on"]))
        #expect(try daemon.client().request("SIGNUP name=ann ann@example.test Secret123").code == "DENIED")
        let guest = try daemon.client()
        try guest.ok("AUTH anonymous=yes")
        try guest.ok("CREATE #guests")
    }

    @Test func `HI tells durability, and an unclean start under interval makes a new log`() throws {
        let daemon = try RunningDaemon(.init(settings: ["durability=interval"]))
        let ann = try daemon.user("ann")
        #expect(ann.hi?["durability"] == "interval")
        try ann.ok("SEND #lobby x")
        try daemon.restart()
        #expect(try daemon.client().hi?["log"] != ann.hi?["log"])
    }

    @Test func `with plain none there is no plain port, and READY says so`() throws {
        let daemon = try RunningDaemon(.init(arguments: ["--plain", "none"]))
        #expect(daemon.ready?["plain"] == "none")
        try daemon.client().ok("PING x")
    }
}
