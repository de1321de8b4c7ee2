import ChatTesting
import Testing

@Suite("ADMIN DELETE and DROP", .timeLimit(.minutes(10)))
struct ModerationTests {
    @Test(arguments: [1, 2])
    func `DELETE takes any message away, also where only members read, by an event of the operator's`(
        loops: Int
    ) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let admin = try scene.daemon.operatorClient()
        let closed = try scene.room(of: ann, isPrivate: true, ben)
        for name in ["#lobby", closed, oneToOne(ann, ben)] {
            let seq = try ann.ok("SEND \(name) rude").seq
            try ben.ok("SUB \(name)")
            let reply = try admin.ok("ADMIN DELETE \(name.uppercased()) \(seq)")
            #expect(reply["conv"] == name)
            try ben.expectEvent("delete", of: reply, ["by": "operator", "id": "\(seq)"])
            let row = try ben.message(seq, in: name)
            #expect(row.text == nil && row["deleted"] == "\(reply.seq)", "\(row)")
            try admin.expectRefusal("ADMIN DELETE \(name) \(seq)", "GONE")
        }
    }

    @Test(arguments: [1, 2])
    func `DELETE of what is no message is NOT-FOUND, and what is no number BAD-ARG`(loops: Int) throws {
        let scene = try Scene(loops)
        let room = try scene.room(of: try scene.user())
        let admin = try scene.daemon.operatorClient()
        for seq in ["1", "999999"] { try admin.expectRefusal("ADMIN DELETE \(room) \(seq)", "NOT-FOUND") }
        try admin.expectRefusal("ADMIN DELETE \(scene.roomName("none")) 1", "NOT-FOUND")
        for seq in ["x", "-1", "01", "18446744073709551616", ""] {
            try admin.expectRefusal("ADMIN DELETE \(room) \(seq)", "BAD-ARG")
        }
        try admin.expectRefusal("ADMIN DELETE", "BAD-ARG")
    }

    @Test(arguments: [true, false], [1, 2])
    func `DROP ends a conversation, by an event of the operator's`(isPrivate: Bool, loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, isPrivate: isPrivate, ben)
        for client in [ann, ben] { try client.ok("SUB \(room)") }
        let reply = try scene.daemon.operatorClient().ok("ADMIN DROP \(room)")
        for client in [ann, ben] {
            try client.expectEvent("drop", of: reply, ["by": "operator"])
            try client.expectRefusal("HISTORY \(room)", "NOT-FOUND")
        }
        try ann.expectRefusal("CREATE \(room)", "EXISTS")
        try scene.daemon.operatorClient().expectRefusal("ADMIN DROP \(room)", "NOT-FOUND")
    }

    @Test func `the lobby is not dropped`() throws {
        let daemon = try SharedDaemon.with(loops: 2)
        try daemon.operatorClient().expectRefusal("ADMIN DROP #lobby", "DENIED")
    }

    @Test func `what the operator did is there after kill -9 and after a snapshot`() throws {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        let seq = try ann.ok("SEND #lobby rude").seq
        try ann.ok("CREATE #room")
        let admin = try daemon.operatorClient()
        try admin.ok("ADMIN DELETE #lobby \(seq)")
        try admin.ok("ADMIN DROP #room")
        for isSnapshot in [false, true] {
            if isSnapshot { try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30) }
            try daemon.restart()
            let again = try daemon.another(of: ann)
            #expect(try again.message(seq, in: "#lobby").text == nil)
            try again.expectRefusal("HISTORY #room", "NOT-FOUND")
        }
    }
}
