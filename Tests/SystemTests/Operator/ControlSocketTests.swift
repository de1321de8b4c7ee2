import ChatTesting
import Foundation
import Testing

@Suite("The control socket", .timeLimit(.minutes(10)))
struct ControlSocketTests {
    @Test func `is for its owner alone, and gone after the end`() throws {
        let daemon = try RunningDaemon(.init(umask: "000"))
        #expect(daemon.ready?["control"] == daemon.control)
        let attributes = try FileManager.default.attributesOfItem(atPath: daemon.control)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(attributes[.type] as? FileAttributeType == .typeSocket)
        #expect(daemon.terminate() == 0)
        #expect(!FileManager.default.fileExists(atPath: daemon.control))
    }

    @Test func `is taken over from a daemon that was killed`() throws {
        let daemon = try RunningDaemon()
        try daemon.restart()
        try daemon.operatorClient().ok("ADMIN STATUS")
    }

    @Test(.enabled(if: geteuid() == 0))
    func `another user's connection is closed without a word, even when the file modes let it in`() throws {
        let daemon = try RunningDaemon()
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: daemon.control)
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: daemon.data)
        try files.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: String(daemon.data.dropLast("/data".count))
        )
        let other = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        let script = "printf 'ADMIN STATUS\\n' | timeout 10 nc -N -U \(daemon.control); echo end"
        let directory = TemporaryDirectory()
        let process = try ChildProcess(other + ["sh", "-c", script], output: directory.path + "/out")
        #expect(process.wait(atMost: 20) == 0)
        #expect(readWhole(directory.path + "/out") == "end\n")
        try daemon.operatorClient().ok("PING x")
    }

    @Test(arguments: [1, 2])
    func `greets as elsewhere, answers HELP, PING and BYE, and waits for no sign-in`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)", "limits.sign-in-time=1"]))
        let admin = try daemon.operatorClient()
        #expect(try admin.hi?["log"] == daemon.client().hi?["log"])
        pauseThread(0.9)
        pauseThread(0.9)
        pauseThread(0.9)
        #expect(try admin.ok("PING x")["pong"] == "x")
        let help = try admin.rows("HELP")
        #expect(help.contains { $0["verb"] == "ADMIN" && $0.text?.hasPrefix("ADMIN STATUS") == true })
        #expect(help.allSatisfy { ["ADMIN", "HELP", "PING", "HELLO", "BYE"].contains($0["verb"] ?? "") })
        #expect(try admin.rows("help admin").allSatisfy { $0["verb"] == "ADMIN" })
        #expect(try admin.rows("HELP PING").count == 1)
        try admin.ok("BYE")
        #expect(admin.isEnded(within: 5))
    }

    @Test(arguments: [
        "SEND #lobby hi", "SUB #lobby", "WHOAMI", "AUTH anonymous=yes", "SIGNUP x@y.zz", "PASSWD", "LIMITS",
    ])
    func `the operator has no account, so what needs one is DENIED`(request: String) throws {
        try SharedDaemon.with(loops: 2).operatorClient().expectRefusal(request, "DENIED")
    }

    @Test(arguments: ["STATUS", "SET limits.text 1", "USERS", "x", ""])
    func `ADMIN is no verb anywhere else, signed in or not`(rest: String) throws {
        let scene = try Scene(2)
        try scene.daemon.client().expectRefusal("ADMIN \(rest)", "BAD-VERB")
        try scene.user().expectRefusal("ADMIN \(rest)", "BAD-VERB")
        try scene.daemon.plainClient().expectRefusal("admin \(rest)", "BAD-VERB")
    }

    @Test func `what is nothing is BAD-VERB`() throws {
        try SharedDaemon.with(loops: 1).operatorClient().expectRefusal("ADMIN FROB", "BAD-VERB")
    }

    @Test(
        arguments: [
            ("ADMIN", "subverb"), ("ADMIN SET", "key"), ("ADMIN SET limits.text", "value"), ("ADMIN USER", "action"),
            ("ADMIN USER frob ann", "action"), ("ADMIN USER disable", "user"), ("ADMIN USER verify", "user"),
            ("ADMIN ADD-USER", "name"), ("ADMIN ADD-USER ann", "email"), ("ADMIN BAN-ADDR frob=1 ::", "frob"),
            ("ADMIN BAN-ADDR off=maybe ::", "off"), ("ADMIN INVITE expires=3651d", "expires"),
            ("ADMIN INVITE uses=100001", "uses"), ("ADMIN DROP lobby", "conv"), ("ADMIN BANS limit=0", "limit"),
            ("ADMIN END", "connection"), ("ADMIN UNSET", "key"), ("ADMIN NOTICE", "text"), ("ADMIN NOTICE    ", "text"),
            ("ADMIN NOTICE text=\"a\" b", "text"), ("ADMIN NOTICE frob=1 b", "frob"),
            ("ADMIN USERS limit=201", "limit"),
            ("ADMIN USERS frob=1", "frob"), ("ADMIN USERS a limit=5", "limit"), ("ADMIN GET limits.txt", "key"),
            ("ADMIN STATUS now", nil), ("ADMIN END 0.0.1 x", nil),
        ] as [(String, String?)]
    )
    func `a wrong request is BAD-ARG and names what is wrong`(request: String, field: String?) throws {
        try SharedDaemon.with(loops: 2).operatorClient().expectRefusal(request, "BAD-ARG", field: field)
    }

    @Test func `the verb and its subverb are taken in any case, with tag and blanks`() throws {
        let admin = try SharedDaemon.with(loops: 2).operatorClient()
        try admin.send("   @a  aDmIn   StAtUs  \r\n")
        #expect(try admin.reply(to: "a").rows.contains { $0["key"] == "version" && $0["value"] == "1.0" })
    }

    @Test func `replies come in order, also of a whole pipeline of slow and quick ones`() throws {
        let daemon = try RunningDaemon()
        for name in ["ann", "ben"] { _ = try daemon.user(name) }
        let admin = try daemon.operatorClient()
        let requests = [
            "ADMIN USER reset ann", "PING 1", "ADMIN CLIENTS", "ADMIN FROB", "ADMIN USER reset ben", "ADMIN STATUS",
        ]
        let replies = try admin.pipeline((0..<10).flatMap { _ in requests })
        for (index, reply) in replies.enumerated() { #expect(reply.isOK == (index % 6 != 3), "\(reply)") }
    }

    @Test func `what the operator does stands in audit.log with time and uid, what only looks at settings does not`()
        throws
    {
        let daemon = try RunningDaemon(.init(umask: "000"))
        _ = try daemon.user("ann")
        let admin = try daemon.operatorClient()
        try admin.ok("ADMIN STATUS")
        try admin.ok("ADMIN GET")
        try admin.ok("admin set limits.text 77")
        try admin.ok("ADMIN USER disable ann")
        try admin.ok("ADMIN NOTICE caf\u{e9} \u{202e}x")
        let code = try #require(try admin.ok("ADMIN USER reset ann")["code"])
        let lines = readWhole(daemon.data + "/audit.log").split(separator: "\n")
        let uid = "uid=\(geteuid()) "
        #expect(lines.count == 4 && lines.allSatisfy { isTime(String($0.prefix(24))) && $0.contains(uid) }, "\(lines)")
        let told = ["set limits.text 77", "USER disable ann", "NOTICE caf\u{e9} \\u202ex", "USER reset ann"]
        #expect(zip(lines, told).allSatisfy { $0.hasSuffix($1) }, "\(lines)")
        #expect(!lines.contains { $0.contains(code) })
        let attributes = try FileManager.default.attributesOfItem(atPath: daemon.data + "/audit.log")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test func `SNAPSHOT is OK when it is on disk, and check reads it`() throws {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        for number in 0..<100 { try ann.ok("SEND #lobby \(number)") }
        try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30)
        #expect(FileManager.default.fileExists(atPath: daemon.data + "/snapshot/manifest.json"))
        #expect(try FcdRun(["snapshot"], data: daemon.data).code == 0)
        try ann.ok("SEND #lobby after")
        daemon.kill()
        let check = try FcdRun(["check"], data: daemon.data)
        #expect(
            check.code == 0 && check.output.contains("data: sound") && check.output.contains("1 accounts"),
            "\(check)"
        )
        #expect(try FcdRun(["user", "list"], data: daemon.data).output.contains("ann@example.test"))
    }

    @Test func `when the disk takes nothing more, STATUS and check say why, and SET is refused`() throws {
        let wrapper = ["sh", "-c", "ulimit -f 512; exec \"$@\"", "sh"]
        let daemon = try RunningDaemon(.init(settings: ["snapshot.interval=86400"], wrapper: wrapper))
        let ann = try daemon.user("ann")
        let text = String(repeating: "x", count: 3900)
        let isFull = try (0..<2000).contains { _ in try !ann.request("SEND #lobby \(text)").isOK }
        #expect(isFull)
        let admin = try daemon.operatorClient()
        let row = try #require(try admin.rows("ADMIN STATUS").first { $0["key"] == "read-only" })
        #expect(row["value"] != "no")
        try admin.expectRefusal("ADMIN SET limits.text 5", "INTERNAL")
        #expect(try daemon.client().hi?["text"] == "4000")
        try admin.expectRefusal("ADMIN USER disable ann", "INTERNAL")
        try admin.ok("ADMIN USERS")
        let check = try FcdRun(["check"], data: daemon.data)
        #expect(check.code == 1 && check.errors.contains("read-only"), "\(check)")
    }

    @Test func `STATUS tells version, log, durability, journal, connections, accounts, memory and certificate`() throws
    {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        let rows = try daemon.operatorClient().rows("ADMIN STATUS")
        let values = Dictionary(uniqueKeysWithValues: rows.map { ($0["key"] ?? "", $0["value"] ?? "") })
        #expect(values["version"] == "1.0" && values["log"] == ann.hi?["log"] && values["durability"] == "sync")
        #expect(values["journal.decided"] == values["journal.durable"] && values["read-only"] == "no")
        #expect(values["connections"] == "2" && values["accounts"] == "1" && values["conversations"] == "1")
        #expect(values["certificate.sha256"] == daemon.ready?["cert-sha256"] && values["reload.state"] == "none")
        #expect(Int(values["memory.resident"] ?? "").map { $0 > 1 << 20 } == true)
        #expect(isTime(values["certificate.expires"]) && Int(values["uptime"] ?? "") != nil)
    }
}
