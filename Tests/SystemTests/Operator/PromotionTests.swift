import ChatTesting
import Testing

@Suite("ADMIN USER promote and delete", .timeLimit(.minutes(10)))
struct PromotionTests {
    @Test(arguments: [1, 2])
    func `a promoted account is an op of the lobby, by an event of the operator's`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        try ben.ok("SUB #lobby")
        #expect(try daemon.operatorClient().ok("ADMIN USER promote ANN")["user"] == "ann")
        let event = try #require(try ben.event("grant", ["conv": "#lobby"]))
        #expect(event.has(["by": "operator", "user": "ann", "role": "op"]), "\(event)")
        #expect(try ben.roles(in: "#lobby") == ["ann op", "ben member"])
        let seq = try ben.ok("SEND #lobby rude").seq
        try ann.ok("DELETE #lobby \(seq)")
        try ann.ok("TOPIC #lobby be nice")
        try ann.ok("MUTE for=1h #lobby ben")
        try ben.expectRefusal("SEND #lobby x", "DENIED")
    }

    @Test(arguments: [1, 2])
    func `the lobby loses nobody: an op neither ejects nor bans there, nor drops it`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        try daemon.operatorClient().ok("ADMIN USER promote ann")
        for request in ["EJECT #lobby ben", "BAN #lobby ben", "DROP #lobby", "LEAVE #lobby"] {
            try ann.expectRefusal(request, "DENIED")
        }
        try ben.ok("SEND #lobby still here")
    }

    @Test func `a second time changes nothing and says so, and it is there after kill -9 and a snapshot`() throws {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        try daemon.operatorClient().ok("ADMIN USER promote ann")
        for isSnapshot in [false, true] {
            if isSnapshot { try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30) }
            try daemon.restart()
            #expect(try daemon.operatorClient().ok("ADMIN USER promote ann")["dup"] == "yes")
            #expect(try daemon.another(of: ann).roles(in: "#lobby") == ["ann op"])
        }
    }

    @Test(arguments: [1, 2])
    func `delete erases as UNREGISTER does, without a password`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        let seq = try ben.ok("SEND #lobby oblivion").seq
        try ann.ok("SUB #lobby")
        #expect(try daemon.operatorClient().ok("ADMIN USER delete ben@example.test", within: 30)["user"] == "ben")
        #expect(try ann.event("erase", ["conv": "#lobby"])?["user"] == "ben")
        #expect(ben.isEnded(within: 5))
        for _ in 0..<2 {
            let row = try daemon.another(of: ann).message(seq, in: "#lobby")
            #expect(row["by"] == "deleted" && row.text == nil, "\(row)")
            try daemon.client().expectRefusal("AUTH ben Secret123", "BAD-AUTH")
            try daemon.client().expectRefusal("SIGNUP name=ben x@example.test Secret123", "EXISTS", field: "name")
            #expect(try daemon.operatorClient().rows("ADMIN USERS ben").isEmpty)
            try daemon.restart()
        }
        try daemon.client().ok("SIGNUP name=ben2 ben@example.test Secret123")
    }

    @Test(arguments: [1, 2])
    func `a guest can be deleted as well`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, guest) = (try daemon.user("ann"), try daemon.client())
        let handle = try guest.ok("AUTH anonymous=yes")["user"] ?? ""
        let seq = try guest.ok("SEND #lobby oblivion").seq
        try daemon.operatorClient().ok("ADMIN USER delete \(handle)", within: 30)
        #expect(guest.isEnded(within: 5))
        #expect(try ann.message(seq, in: "#lobby")["by"] == "deleted")
    }

    @Test(arguments: ["promote", "delete"])
    func `somebody unknown is NOT-FOUND, nobody BAD-ARG`(action: String) throws {
        let admin = try SharedDaemon.with(loops: 1).operatorClient()
        try admin.expectRefusal("ADMIN USER \(action) nobody-here", "NOT-FOUND", field: "user")
        try admin.expectRefusal("ADMIN USER \(action)", "BAD-ARG", field: "user")
    }
}
