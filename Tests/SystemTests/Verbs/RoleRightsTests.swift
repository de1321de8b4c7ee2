import ChatTesting
import Testing

@Suite("Who may do what to a conversation and its members")
struct RoleRightsTests {
    /// What the owner and ops may do to a member (%u) of a conversation (%@).
    private static let opVerbs = [
        "MUTE %@ %u", "UNMUTE %@ %u", "GRANT role=reader %@ %u", "TOPIC %@ a topic of %u", "EJECT %@ %u", "BAN %@ %u",
        "UNBAN %@ %u",
    ]
    private static let all = opVerbs + ["GRANT role=owner %@ %u", "DROP %@"]

    private func text(_ request: String, _ room: String, _ user: TestClient) -> String {
        request.replacing("%@", with: room).replacing("%u", with: user.user)
    }

    @Test(arguments: [true, false], [1, 2])
    func `the owner and ops may mute, grant, set the topic, eject and ban`(isPrivate: Bool, loops: Int) throws {
        let cast = try Cast(loops, isPrivate: isPrivate)
        for client in [cast.owner, cast.op] {
            let target = try cast.another()
            for request in Self.opVerbs {
                if request.hasPrefix("BAN") {
                    try cast.owner.ok("INVITE \(cast.room) \(target.user)")
                    try target.ok("JOIN \(cast.room)")
                }
                let reply = try client.ok(text(request, cast.room, target))
                #expect(reply["conv"] == cast.room && reply.seq > 0 && reply["dup"] == nil, "\(reply)")
            }
        }
    }

    @Test(arguments: [true, false], [1, 2])
    func `only the owner makes an owner or drops the conversation`(isPrivate: Bool, loops: Int) throws {
        let cast = try Cast(loops, isPrivate: isPrivate)
        for request in ["GRANT role=owner %@ %u", "DROP %@"] {
            try cast.op.expectRefusal(text(request, cast.room, cast.member), "DENIED")
        }
        try cast.owner.ok("GRANT role=owner \(cast.room) \(cast.member.user)")
        try cast.member.ok("DROP \(cast.room)")
    }

    @Test(arguments: [true, false], [1, 2])
    func `members and readers are DENIED all of it`(isPrivate: Bool, loops: Int) throws {
        let cast = try Cast(loops, isPrivate: isPrivate)
        let before = try cast.owner.roles(in: cast.room)
        for client in [cast.member, cast.reader] {
            for request in Self.all { try client.expectRefusal(text(request, cast.room, cast.op), "DENIED") }
        }
        #expect(try cast.owner.roles(in: cast.room) == before)
    }

    @Test(arguments: [1, 2])
    func `in a public conversation outsiders, guests, ejected and banned ones are DENIED all of it`(
        loops: Int
    ) throws {
        let cast = try Cast(loops, isPrivate: false)
        for client in cast.strangers {
            for request in Self.all { try client.expectRefusal(text(request, cast.room, cast.member), "DENIED") }
        }
    }

    @Test(arguments: [1, 2])
    func `in a private conversation they cannot tell it from one that does not exist`(loops: Int) throws {
        let cast = try Cast(loops, isPrivate: true)
        let missing = cast.scene.roomName("none")
        for client in cast.strangers {
            for request in Self.all {
                let hidden = try client.expectRefusal(text(request, cast.room, cast.member), "NOT-FOUND")
                let none = try client.expectRefusal(text(request, missing, cast.member), "NOT-FOUND")
                #expect(hidden.raw.split(separator: " ").dropFirst(2) == none.raw.split(separator: " ").dropFirst(2))
            }
        }
    }

    @Test(arguments: [1, 2])
    func `in the lobby they are DENIED, and it is not left`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        for request in Self.all { try ann.expectRefusal(text(request, "#lobby", ben), "DENIED") }
        try ann.expectRefusal("LEAVE #lobby", "DENIED")
    }

    @Test(arguments: [1, 2])
    func `in a 1:1 both are DENIED, and it is not joined, left or opened to a third`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben, eve) = (try scene.user(), try scene.user("ben"), try scene.user("eve"))
        try ann.ok("SEND @\(ben.user) hi")
        for (client, other) in [(ann, ben), (ben, ann)] {
            for request in Self.all + ["LEAVE %@"] {
                try client.expectRefusal(text(request, "@\(other.user)", other), "DENIED")
            }
            try client.expectRefusal("INVITE @\(other.user) \(eve.user)", "DENIED")
        }
        for request in Self.all {
            try eve.expectRefusal(text(request, oneToOne(ann, ben), ben), "NOT-FOUND")
        }
        try ben.ok("SEND @\(ann.user) still here")
    }

    @Test(arguments: [1, 2])
    func `an op may eject, ban and mute another op`(loops: Int) throws {
        let cast = try Cast(loops, isPrivate: false)
        let second = try cast.another("second")
        try cast.owner.ok("GRANT role=op \(cast.room) \(second.user)")
        for request in ["MUTE %@ %u", "EJECT %@ %u", "BAN %@ %u"] {
            try cast.op.ok(text(request, cast.room, second))
        }
    }

    @Test(arguments: [1, 2])
    func `one who was an op and was ejected has no right left`(loops: Int) throws {
        let cast = try Cast(loops, isPrivate: false)
        try cast.owner.ok("EJECT \(cast.room) \(cast.op.user)")
        try cast.op.expectRefusal("EJECT \(cast.room) \(cast.member.user)", "DENIED")
        try cast.op.ok("JOIN \(cast.room)")
        try cast.op.expectRefusal("EJECT \(cast.room) \(cast.member.user)", "DENIED")
    }

    @Test func `roles, bans and mutes are there after kill -9 and after a snapshot`() throws {
        let daemon = try RunningDaemon()
        let clients = try ["ann", "ben", "cat", "dan", "eve"].map { try daemon.user($0) }
        try clients[0].ok("CREATE #room")
        for client in clients.dropFirst() { try client.ok("JOIN #room") }
        for request in ["GRANT role=op #room ben", "GRANT role=reader #room cat", "BAN #room dan", "MUTE #room eve"] {
            try clients[0].ok(request)
        }
        for isSnapshot in [false, true] {
            if isSnapshot { try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30) }
            try daemon.restart()
            let roles = try daemon.another(of: clients[0]).roles(in: "#room")
            #expect(roles == ["ann owner", "ben op", "cat reader", "eve member"])
            try daemon.another(of: clients[3]).expectRefusal("JOIN #room", "DENIED")
            for client in [clients[2], clients[4]] {
                try daemon.another(of: client).expectRefusal("SEND #room x", "DENIED")
            }
        }
    }
}
