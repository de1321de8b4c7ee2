import ChatTesting
import Testing

@Suite("What ADMIN BAN-ADDR does to connections that are there, and BANS", .timeLimit(.minutes(10)))
struct AddressBanRulesTests {
    @Test func `BANS lists prefixes in one spelling, in the order of their ban and in pages`() throws {
        let daemon = try RunningDaemon()
        let admin = try daemon.operatorClient()
        #expect(try admin.ok("ADMIN BAN-ADDR 192.0.2.7/32")["prefix"] == "192.0.2.7")
        try admin.ok("ADMIN BAN-ADDR 2001:DB8:0::/32")
        try admin.ok("ADMIN BAN-ADDR 10.0.0.0/8")
        #expect(try admin.ok("ADMIN BAN-ADDR 192.0.2.7")["dup"] == "yes")
        #expect(try admin.ok("ADMIN BAN-ADDR off=yes 198.51.100.0/24")["dup"] == "yes")
        let first = try admin.ok("ADMIN BANS limit=2")
        #expect(first.rows.map { "\($0.kind ?? "") \($0["prefix"] ?? "")" } == ["ban 192.0.2.7", "ban 2001:db8::/32"])
        #expect(first["n"] == "2" && first["more"] == "yes")
        let rest = try admin.ok("ADMIN BANS after=2001:db8::/32")
        #expect(rest.rows.map { $0["prefix"] } == ["10.0.0.0/8"] && rest["more"] == "no")
        #expect(try admin.ok("ADMIN BAN-ADDR off=yes 2001:db8::/32")["dup"] == nil)
        try daemon.restart()
        #expect(try daemon.operatorClient().rows("ADMIN BANS").map { $0["prefix"] } == ["192.0.2.7", "10.0.0.0/8"])
    }

    @Test(arguments: [1, 2])
    func `who does not read, who uploads and who waits at the blob port is cut off`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let ann = try daemon.user("ann")
        let slow = try daemon.another(of: ann, .init(isSecure: false, receiveBuffer: 4096, readSize: 1024))
        try slow.ok("SUB #lobby")
        let uploader = try daemon.another(of: ann)
        try uploader.send("PUT-BLOB size=1000000 type=image/png\nnot all of it")
        let text = String(repeating: "x", count: 3900)
        for _ in 0..<8 { _ = try ann.pipeline((0..<200).map { _ in "SEND #lobby \(text)" }) }
        let waiter = try TestClient(port: daemon.blobsPort, .init(readsHi: false))
        let admin = try daemon.operatorClient()
        #expect(
            try holds(within: 10) { try admin.rows("ADMIN CLIENTS").contains { $0.number("behind") > 1 << 20 } }
        )
        try admin.ok("ADMIN BAN-ADDR 127.0.0.1")
        // At once: who is given time for a last word has two seconds of it at least.
        #expect(waiter.isEnded(within: 1.5) && uploader.isEnded(within: 1.5))
        #expect(try holds(within: 1.5) { try !admin.rows("ADMIN CLIENTS").contains { $0.number("behind") > 1 << 20 } })
        #expect(try ann.restOfStream().last?.raw.hasPrefix("BYE DENIED - ") == true)
        #expect(try holds(within: 5) { try admin.rows("ADMIN CLIENTS").count == 1 })
    }

    @Test(arguments: [1, 2])
    func `the session lives on, and its owner is let in once the ban is lifted`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let ann = try daemon.user("ann")
        let admin = try daemon.operatorClient()
        try admin.ok("ADMIN BAN-ADDR 127.0.0.0/8")
        #expect(ann.isEnded(within: 5))
        try admin.ok("ADMIN BAN-ADDR off=yes 127.0.0.0/8")
        #expect(try daemon.another(of: ann).ok("WHOAMI")["user"] == "ann")
    }
}
