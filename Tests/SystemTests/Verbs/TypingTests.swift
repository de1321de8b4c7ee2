import ChatTesting
import Testing

@Suite("TYPING")
struct TypingTests {
    @Test(arguments: [1, 2])
    func `it reaches the others, and not oneself on any connection`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben, cat) = (try scene.user(), try scene.user("ben"), try scene.user("cat"))
        let room = try scene.room(of: ann, ben, cat)
        let other = try scene.daemon.another(of: ben)
        for client in [ann, ben, cat, other] { try client.ok("SUB \(room)") }
        try ben.ok("TYPING \(room.uppercased())")
        for client in [ann, cat] {
            let event = try #require(try client.event("typing", ["conv": room]))
            #expect(event["by"] == ben.user && event["seq"] == nil, "\(event)")
        }
        for client in [ben, other] { #expect(try client.event("typing", within: 0.3, ["conv": room]) == nil) }
    }

    @Test(arguments: [1, 2])
    func `it is no part of the log`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ben.ok("TYPING \(room)")
        #expect(try ben.ok("SEND \(room) first").seq == 3)
        try ann.ok("SUB since=0 \(room)")
        #expect(try ann.logEvents(of: room, count: 3).map(\.kind) == ["create", "join", "msg"])
    }

    @Test(arguments: [1, 2])
    func `in a 1:1 it reaches the other under the canonical name`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        try ann.ok("SEND @\(ben.user) hi")
        try ann.ok("SUB @\(ben.user)")
        try ben.ok("TYPING @\(ann.user)")
        #expect(try ann.event("typing", ["conv": oneToOne(ann, ben)])?["by"] == ben.user)
    }

    @Test(arguments: [1, 2])
    func `in a 1:1 without messages it makes no conversation`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        try ann.ok("TYPING @\(ben.user)")
        for client in [ann, ben] { #expect(try client.row(of: oneToOne(ann, ben)) == nil) }
        #expect(try ben.ok("SUB @\(ann.user)")["next"] == "1")
    }

    @Test(arguments: [true, false], [1, 2])
    func `strangers type nothing and hear nothing`(isPrivate: Bool, loops: Int) throws {
        let cast = try Cast(loops, isPrivate: isPrivate)
        let gone = try cast.another()
        try gone.ok("SUB \(cast.room)")
        try gone.ok("LEAVE \(cast.room)")
        for client in cast.strangers + [gone] {
            try client.expectRefusal("TYPING \(cast.room)", isPrivate ? "NOT-FOUND" : "DENIED")
        }
        try cast.op.ok("SUB \(cast.room)")
        try cast.owner.ok("TYPING \(cast.room)")
        #expect(try cast.op.event("typing", ["conv": cast.room]) != nil)
        for client in cast.strangers + [gone] {
            #expect(try client.event("typing", within: 0.1, ["conv": cast.room]) == nil)
        }
    }

    @Test(arguments: [1, 2])
    func `a missing conversation and an unknown option are BAD-ARG`(loops: Int) throws {
        let ann = try Scene(loops).user()
        try ann.expectRefusal("TYPING", "BAD-ARG")
        try ann.expectRefusal("TYPING frob=1 #lobby", "BAD-ARG", field: "frob")
    }
}
