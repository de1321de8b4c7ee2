import ChatTesting
import Testing

@Suite("MUTE and UNMUTE")
struct MuteTests {
    private struct Room {
        let scene: Scene
        let ann: TestClient
        let ben: TestClient
        let name: String
    }

    /// A room of ann's, where ben is a member and ann hears everything.
    private func room(_ loops: Int) throws -> Room {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let name = try scene.room(of: ann, ben)
        try ann.ok("SUB \(name)")
        return Room(scene: scene, ann: ann, ben: ben, name: name)
    }

    @Test(arguments: [1, 2])
    func `a mute is an event, with its end when it has one`(loops: Int) throws {
        let room = try room(loops)
        let timed = try room.ann.ok("MUTE for=10m \(room.name) \(room.ben.user.uppercased())")
        let event = try room.ann.expectEvent("mute", of: timed, ["by": room.ann.user, "user": room.ben.user])
        #expect(isTime(event["until"]) && seconds(from: event["ts"], to: event["until"]) == 600, "\(event)")
        let endless = try room.ann.ok("MUTE \(room.name) \(room.ben.user)")
        #expect(try room.ann.expectEvent("mute", of: endless, ["user": room.ben.user])["until"] == nil)
    }

    @Test(arguments: [1, 2])
    func `a muted one reads but does not write, until UNMUTE`(loops: Int) throws {
        let room = try room(loops)
        let seq = try room.ben.ok("SEND \(room.name) before").seq
        try room.ann.ok("MUTE \(room.name) \(room.ben.user)")
        for request in [
            "SEND \(room.name) x", "SEND geo=1,2 \(room.name)", "EDIT \(room.name) \(seq) x",
            "EMOTE \(room.name) \(seq) 👍", "TYPING \(room.name)",
        ] {
            try room.ben.expectRefusal(request, "DENIED")
        }
        #expect(try room.ben.rows("HISTORY \(room.name)").map(\.text) == ["before"])
        try room.ben.ok("SUB \(room.name)")
        try room.ann.ok("SEND \(room.name) heard")
        #expect(try room.ben.event("msg")?.text == "heard")
        let reply = try room.ann.ok("UNMUTE \(room.name) \(room.ben.user)")
        try room.ann.expectEvent("unmute", of: reply, ["by": room.ann.user, "user": room.ben.user])
        try room.ben.ok("SEND \(room.name) again")
    }

    @Test(arguments: [1, 2])
    func `a muted one may delete what is his own, and leave`(loops: Int) throws {
        let room = try room(loops)
        let seq = try room.ben.ok("SEND \(room.name) sorry").seq
        try room.ann.ok("MUTE \(room.name) \(room.ben.user)")
        try room.ben.ok("DELETE \(room.name) \(seq)")
        try room.ben.ok("LEAVE \(room.name)")
    }

    @Test(arguments: [1, 2])
    func `leaving and joining again does not end a mute`(loops: Int) throws {
        let room = try room(loops)
        try room.ann.ok("MUTE for=1h \(room.name) \(room.ben.user)")
        try room.ben.ok("LEAVE \(room.name)")
        try room.ben.ok("JOIN \(room.name)")
        try room.ben.expectRefusal("SEND \(room.name) x", "DENIED")
    }

    @Test(arguments: [1, 2])
    func `a mute runs out by itself, which is an event of the server's`(loops: Int) throws {
        let room = try room(loops)
        let muted = try room.ann.ok("MUTE for=1s \(room.name) \(room.ben.user)")
        try room.ben.expectRefusal("SEND \(room.name) x", "DENIED")
        let event = try #require(try room.ann.event("unmute"))
        #expect(event.has(["by": "server", "user": room.ben.user, "conv": room.name]) && event.seq == muted.seq + 1)
        let wait = try #require(seconds(from: muted["ts"], to: event["ts"]))
        #expect(wait >= 1 && wait < 5)
        try room.ben.ok("SEND \(room.name) again")
    }

    @Test(arguments: [1, 2])
    func `a mute lasts over a restart, and one that ran out meanwhile does not`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben, cat) = (try daemon.user("ann"), try daemon.user("ben"), try daemon.user("cat"))
        try ann.ok("CREATE #room")
        for client in [ben, cat] { try client.ok("JOIN #room") }
        try ann.ok("MUTE #room ben")
        try ann.ok("MUTE for=1s #room cat")
        daemon.kill()
        pauseThread(0.9)
        pauseThread(0.3)
        try daemon.start()
        try daemon.another(of: ben).expectRefusal("SEND #room x", "DENIED")
        let again = try daemon.another(of: cat)
        #expect(try holds(within: 5) { try again.request("SEND #room x").isOK })
    }

    @Test(arguments: [1, 2])
    func `muting the muted, or unmuting one who is not, changes nothing and says so`(loops: Int) throws {
        let room = try room(loops)
        #expect(try room.ann.ok("UNMUTE \(room.name) \(room.ben.user)")["dup"] == "yes")
        let first = try room.ann.ok("MUTE \(room.name) \(room.ben.user)")
        let again = try room.ann.ok("MUTE \(room.name) \(room.ben.user)")
        #expect(first["dup"] == nil && again["dup"] == "yes" && again.seq == first.seq)
        #expect(try room.ann.ok("MUTE for=1h \(room.name) \(room.ben.user)")["dup"] == nil)
    }

    @Test(arguments: [1, 2])
    func `nobody mutes the owner, and one who is no member is NOT-FOUND`(loops: Int) throws {
        let cast = try Cast(loops, isPrivate: false)
        try cast.op.expectRefusal("MUTE \(cast.room) \(cast.owner.user)", "DENIED")
        #expect(try cast.owner.request("MUTE \(cast.room) \(cast.owner.user)").final.isRefusal)
        for user in [cast.outsider.user, "nobody-has-this"] {
            try cast.owner.expectRefusal("MUTE \(cast.room) \(user)", "NOT-FOUND", field: "user")
        }
        try cast.owner.ok("SEND \(cast.room) I still speak")
    }

    @Test(arguments: ["x", "10", "-1m", "1w", "1.5h", "1000000000s", "٣m", "\"\""], [1, 2])
    func `what is no duration is BAD-ARG`(value: String, loops: Int) throws {
        let room = try room(loops)
        try room.ann.expectRefusal("MUTE for=\(value) \(room.name) \(room.ben.user)", "BAD-ARG", field: "for")
    }

    @Test(arguments: [1, 2])
    func `the longest duration harms nothing`(loops: Int) throws {
        let room = try room(loops)
        let reply = try room.ann.request("MUTE for=999999999d \(room.name) \(room.ben.user)")
        #expect(reply.isOK || reply.code == "BAD-ARG", "\(reply)")
        try room.ann.ok("PING alive")
    }

    @Test(arguments: ["MUTE", "UNMUTE"], [1, 2])
    func `a missing user and an unknown option are BAD-ARG`(verb: String, loops: Int) throws {
        let room = try room(loops)
        try room.ann.expectRefusal("\(verb) \(room.name)", "BAD-ARG", field: "user")
        try room.ann.expectRefusal("\(verb) frob=1 \(room.name) \(room.ben.user)", "BAD-ARG", field: "frob")
    }
}
