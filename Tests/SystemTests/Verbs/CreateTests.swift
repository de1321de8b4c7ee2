import ChatTesting
import Testing

@Suite("CREATE")
struct CreateTests {
    @Test(arguments: [1, 2])
    func `a conversation begins with its create event, seq 1, and its maker owns it`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = scene.roomName("Garden")
        let reply = try ann.ok(#"CREATE title="A \"green\" room" \#(room)"#)
        #expect(reply["conv"] == room && reply.seq == 1 && isTime(reply["ts"]))
        try ann.ok("SUB since=0 \(room)")
        let first = try #require(try ann.event("create", ["conv": room]))
        #expect(first.seq == 1 && first["by"] == ann.user && first["ts"] == reply["ts"])
        #expect(first["title"] == "A \"green\" room")
        #expect(try ann.rows("MEMBERS \(room)").map { [$0["user"], $0["role"]] } == [[ann.user, "owner"]])
    }

    @Test(arguments: [1, 2])
    func `the maker's connections hear that it was created`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let other = try scene.daemon.another(of: ann)
        let room = try scene.room(of: ann)
        for client in [ann, other] {
            #expect(try client.event("conv", ["conv": room])?["state"] == "created")
        }
    }

    @Test(arguments: [1, 2])
    func `a name that is taken is EXISTS in any case, also when the other is private`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        for room in [try scene.room(of: ann), try scene.room(of: ann, isPrivate: true), "#lobby"] {
            for name in [room, room.uppercased()] {
                #expect(try ben.expectRefusal("CREATE \(name)", "EXISTS")["field"] != nil)
            }
        }
    }

    @Test(
        arguments: [
            "plain", "#", "@ann", "#a,b", "#a:b", "#a=b", "#a#b", "#a@b", "#a/b", "#a+b", "#a\"b", "##", "#\u{301}",
            "#a\u{200b}b",
            "#a\u{202e}b", "#" + String(repeating: "x", count: 33), "#pаypal",
        ],
        [1, 2]
    )
    func `a name that breaks the rules is BAD-ARG`(name: String, loops: Int) throws {
        let line = try Scene(loops).user().expectRefusal("CREATE \(name)", "BAD-ARG")
        #expect(line["field"] != nil, "\(line)")
    }

    @Test(arguments: [1, 2])
    func `reserved words, one character and 32 characters make names`(loops: Int) throws {
        let ann = try Scene(loops).user()
        let unique = SharedDaemon.name("")
        let long = unique + String(repeating: "字", count: 32 - unique.count)
        for name in ["#\(long)", loops == 1 ? "#system" : "#server", loops == 1 ? "#ж" : "#龍"] {
            #expect(try ann.ok("CREATE \(name)")["conv"] == name)
        }
    }

    @Test(
        arguments: [("private=maybe", "private"), ("frob=1", "frob"), ("private=yes private=yes", "private")],
        [1, 2]
    )
    func `a bad option is BAD-ARG`(option: (text: String, field: String), loops: Int) throws {
        let scene = try Scene(loops)
        try scene.user().expectRefusal("CREATE \(option.text) \(scene.roomName())", "BAD-ARG", field: option.field)
    }

    @Test(arguments: [1, 2])
    func `guests may not create`(loops: Int) throws {
        let scene = try Scene(loops)
        try scene.guest().expectRefusal("CREATE \(scene.roomName())", "DENIED")
    }

    @Test(arguments: [1, 2])
    func `fifty can be owned, one more is LIMIT`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let replies = try ann.pipeline((0..<50).map { _ in "CREATE \(scene.roomName("own"))" })
        #expect(replies.allSatisfy { $0.isOK })
        try ann.expectRefusal("CREATE \(scene.roomName("own"))", "LIMIT")
    }

    @Test(arguments: [1, 2])
    func `of ten that want one name at once exactly one gets it`(loops: Int) throws {
        let scene = try Scene(loops)
        let clients = try (0..<10).map { _ in try scene.user() }
        let room = scene.roomName("race")
        for client in clients { try client.send("@x CREATE \(room)\n") }
        let replies = try clients.map { try $0.reply(to: "x") }
        #expect(replies.filter(\.isOK).count == 1 && replies.filter { $0.code == "EXISTS" }.count == 9)
    }
}
