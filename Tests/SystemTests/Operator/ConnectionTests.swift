import ChatTesting
import Testing

@Suite("ADMIN CONVS, CLIENTS, END and NOTICE", .timeLimit(.minutes(10)))
struct OperatorConnectionTests {
    @Test func `CONVS lists all conversations in pages, without anybody's texts`() throws {
        let daemon = try RunningDaemon()
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        try ann.ok("CREATE #open")
        try ann.ok("CREATE private=yes #hidden")
        try ann.ok("SEND @ben a-secret-word")
        try ben.ok("JOIN #open")
        let admin = try daemon.operatorClient()
        let rows = try admin.rows("ADMIN CONVS")
        #expect(rows.map { $0["conv"] } == ["#lobby", "#open", "#hidden", "@ann,ben"])
        #expect(rows[1].has(["private": "no", "members": "2", "owner": "ann"]) && rows[2]["private"] == "yes")
        #expect(rows[3].has(["messages": "1", "last-seq": "2"]))
        #expect(!rows.contains { $0.raw.contains("a-secret-word") })
        let page = try admin.ok("ADMIN CONVS after=#open limit=1")
        #expect(page.rows.map { $0["conv"] } == ["#hidden"] && page["more"] == "yes")
    }

    @Test(arguments: [1, 2])
    func `CLIENTS shows who is connected and what waits for whoever does not read`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let ann = try daemon.user("ann")
        let slow = try daemon.another(of: ann, .init(isSecure: false, receiveBuffer: 4096, readSize: 1024))
        try slow.ok("SUB #lobby")
        let idle = try daemon.plainClient()
        let text = String(repeating: "x", count: 3900)
        for _ in 0..<8 { _ = try ann.pipeline((0..<200).map { _ in "SEND #lobby \(text)" }) }
        let admin = try daemon.operatorClient()
        let rows = try admin.rows("ADMIN CLIENTS")
        #expect(rows.count == 4 && Set(rows.map { $0["id"] }).count == 4)
        #expect(rows.count { $0["user"] == "ann" } == 2 && rows.count { $0["uid"] != nil } == 1)
        #expect(rows.allSatisfy { isTime($0["since"]) && $0["source"] != nil && $0.number("waits") >= 0 })
        let behind = rows.filter { $0.number("behind") > 1 << 20 }
        #expect(behind.count == 1 && behind[0].number("subs") == 1, "\(rows)")
        var (seen, after) = ([String](), "")
        while true {
            let page = try admin.ok("ADMIN CLIENTS \(after)limit=1")
            seen += page.rows.compactMap { $0["id"] }
            guard page["more"] == "yes", let last = seen.last else { break }
            after = "after=\(last) "
        }
        #expect(seen == rows.compactMap { $0["id"] })
        try idle.ok("PING x")
        try admin.ok("ADMIN END \(behind[0]["id"] ?? "")")
        #expect(try holds(within: 5) { try admin.rows("ADMIN CLIENTS").count == 3 }, "who takes nothing is cut off")
    }

    @Test(arguments: [1, 2])
    func `END says good-bye and closes that connection alone; its session lives on`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        let admin = try daemon.operatorClient()
        let row = try #require(try admin.rows("ADMIN CLIENTS").first { $0["user"] == "ann" })
        let id = row["id"] ?? ""
        try admin.ok("ADMIN END \(id)")
        #expect(try ann.restOfStream().last?.raw.hasPrefix("BYE DENIED - ") == true)
        ann.close()
        #expect(try holds(within: 5) { try admin.request("ADMIN END \(id)").code == "NOT-FOUND" })
        _ = try daemon.another(of: ann).ok("WHOAMI")
        try ben.ok("PING x")
    }

    @Test(arguments: ["x", "1", "0.0", "0.0.0.0", "9.1.1", "0.99999999.1", "0.-1.1", "0.0.99999999999999999999"])
    func `END of what is no connection is NOT-FOUND`(id: String) throws {
        try SharedDaemon.with(loops: 2).operatorClient().expectRefusal(
            "ADMIN END \(id)",
            "NOT-FOUND",
            field: "connection"
        )
    }

    @Test(arguments: [1, 2])
    func `NOTICE reaches every connection once, text and all`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let clients = try [daemon.user("ann"), daemon.user("ben"), daemon.plainClient(), daemon.operatorClient()]
        let admin = try daemon.operatorClient()
        try admin.ok("ADMIN NOTICE  going down, at=5  \u{1F44B}")
        for client in clients {
            let event = try #require(try client.event("notice"))
            #expect(event.text == " going down, at=5  \u{1F44B}" && isTime(event["ts"]))
            #expect(try client.hearsNothing("notice"))
        }
        try admin.ok("ADMIN NOTICE text=\"two\\nlines\"")
        #expect(try clients[0].event("notice")?.text == "two\nlines")
        try admin.expectRefusal("ADMIN NOTICE \(String(repeating: "x", count: 4001))", "TOO-LONG", field: "text")
    }
}
