import ChatTesting
import Testing

@Suite("SUB all=yes")
struct SubAllTests {
    @Test(arguments: [1, 2])
    func `it follows every conversation of mine, present and future`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let present = try scene.room(of: ann, ben)
        let reply = try ben.ok("SUB all=yes")
        #expect(Set(reply.rows.compactMap { $0["conv"] }) == [present, "#lobby"] && reply["n"] == "2")
        #expect(reply.rows.allSatisfy { $0.kind == "sub" && $0.number("next") > 0 })
        try ann.ok("SEND \(present) one")
        #expect(try ben.event("msg", ["conv": present])?.text == "one")
        let future = try scene.room(of: ann, isPrivate: true, ben)
        try ann.ok("SEND \(future) two")
        #expect(try ben.event("msg", ["conv": future])?.text == "two")
        let direct = try ann.ok("SEND @\(ben.user) three")["conv"] ?? ""
        #expect(try ben.event("msg", ["conv": direct])?.text == "three")
        let own = try scene.room(of: ben)
        try ben.ok("SEND \(own) four")
        #expect(try ben.event("msg", ["conv": own])?.text == "four")
    }

    @Test(arguments: [1, 2])
    func `a conversation left is followed no more, and joined again it is`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ben.ok("SUB all=yes")
        try ben.ok("LEAVE \(room)")
        try ann.ok("SEND \(room) unheard")
        #expect(try ben.event("msg", within: 0.3, ["conv": room]) == nil)
        try ben.ok("JOIN \(room)")
        try ann.ok("SEND \(room) heard")
        #expect(try ben.event("msg", ["conv": room])?.text == "heard")
    }

    @Test(arguments: [1, 2])
    func `since=TIME gives at least everything from then on`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let rooms = [try scene.room(of: ann, ben), try scene.room(of: ann, ben)]
        let old = try ann.ok("SEND \(rooms[0]) old")
        pauseThread(0.005)
        let first = try #require(try ann.ok("SEND \(rooms[0]) new")["ts"])
        try ann.ok("SEND \(rooms[1]) newer")
        try ben.ok("SUB all=yes since=\(first)")
        var heard: Set<String> = []
        _ = try holds(within: 10, every: 0) {
            if let event = try ben.event("msg", within: 1), rooms.contains(event["conv"] ?? "") {
                heard.insert(event.text ?? "")
            }
            return heard.isSuperset(of: ["new", "newer"])
        }
        #expect(heard.isSuperset(of: ["new", "newer"]) && old.seq > 0)
    }

    @Test(arguments: [1, 2])
    func `a SUB of one conversation moves its cursor, and nothing comes twice`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ben.ok("SUB all=yes")
        try ann.ok("SEND \(room) one")
        #expect(try ben.logEvents(of: room, count: 1).map(\.seq) == [3])
        try ben.ok("SUB since=1 \(room)")
        try ann.ok("SEND \(room) two")
        #expect(try ben.logEvents(of: room, count: 3).map(\.seq) == [2, 3, 4])
        #expect(try ben.logEvents(of: room, count: 1, within: 0.2).isEmpty)
    }

    @Test(arguments: [1, 2])
    func `UNSUB all=yes ends it`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ben.ok("SUB all=yes")
        try ben.ok("UNSUB all=yes")
        try ann.ok("SEND \(room) unheard")
        let later = try scene.room(of: ann, ben)
        try ann.ok("SEND \(later) unheard")
        #expect(try ben.hearsNothing("msg", for: 0.3))
        #expect(try ben.rows("SUBS").isEmpty)
    }

    @Test(
        arguments: [
            ("SUB all=maybe", "all"), ("SUB all=yes since=5", "since"), ("SUB all=yes since=yesterday", "since"),
            ("SUB all=yes frob=1", "frob"), ("UNSUB all=maybe", "all"),
        ],
        [1, 2]
    )
    func `a bad option is BAD-ARG`(option: (text: String, field: String), loops: Int) throws {
        try Scene(loops).user().expectRefusal(option.text, "BAD-ARG", field: option.field)
    }
}
