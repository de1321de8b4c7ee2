import ChatTesting
import Testing

@Suite("EJECT")
struct EjectTests {
    @Test(arguments: ["EJECT", "KICK", "eject"], [1, 2])
    func `an eject is an event with user and reason, and ends the membership`(verb: String, loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ann.ok("SUB \(room)")
        let reply = try ann.ok("\(verb) \(room.uppercased()) \(ben.user.uppercased()) be nice :) x=y")
        #expect(reply["conv"] == room && reply.seq == 3)
        try ann.expectEvent(
            "eject",
            of: reply,
            ["by": ann.user, "user": ben.user, "reason": "be nice :) x=y"]
        )
        #expect(try ann.roles(in: room) == ["\(ann.user) owner"])
        #expect(try ben.row(of: room) == nil)
    }

    @Test(arguments: [1, 2])
    func `a reason may be missing, or come as text=`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben, cat) = (try scene.user(), try scene.user("ben"), try scene.user("cat"))
        let room = try scene.room(of: ann, ben, cat)
        try ann.ok("SUB \(room)")
        let plain = try ann.ok("EJECT \(room) \(ben.user)")
        #expect(try ann.expectEvent("eject", of: plain, ["user": ben.user])["reason"] == nil)
        let told = try ann.ok(#"EJECT text="one\ntwo" \#(room) \#(cat.user)"#)
        try ann.expectEvent("eject", of: told, ["user": cat.user, "reason": "one\ntwo"])
    }

    @Test(arguments: [true, false], [1, 2])
    func `the ejected hears his eject and nothing after it, on all his connections`(
        isPrivate: Bool,
        loops: Int
    ) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, isPrivate: isPrivate, ben)
        let ears = [ben] + (try (0..<3).map { _ in try scene.daemon.another(of: ben) })
        for (ear, request) in zip(ears, ["SUB \(room)", "SUB since=0 \(room)", "SUB all=yes"]) {
            try ear.ok(request)
        }
        let reply = try ann.ok("EJECT \(room) \(ben.user)")
        for number in 0..<5 { try ann.ok("SEND \(room) after \(number)") }
        for ear in ears.dropLast() {
            try ear.expectEvent("eject", of: reply, ["user": ben.user])
            #expect(try ear.hearsNothing(of: room))
            #expect(try ear.rows("SUBS").allSatisfy { $0["conv"] != room })
        }
        #expect(try ears[3].event("conv", ["conv": room, "state": "left"]) != nil)
    }

    @Test(arguments: [1, 2])
    func `no verb of the ejected reaches a private conversation any more`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, isPrivate: true, ben)
        let seq = try ben.ok("SEND \(room) mine").seq
        try ann.ok("EJECT \(room) \(ben.user)")
        for request in [
            "SEND \(room) x", "HISTORY \(room)", "SUB since=0 \(room)", "EDIT \(room) \(seq) x",
            "DELETE \(room) \(seq)", "EMOTE \(room) \(seq) 👍", "SEEN \(room) \(seq)", "TYPING \(room)", "WHO \(room)",
            "MEMBERS \(room)", "JOIN \(room)", "LEAVE \(room)",
        ] {
            try ben.expectRefusal(request, "NOT-FOUND")
        }
    }

    @Test(arguments: [1, 2])
    func `one ejected from a public conversation may join again, from a private one when invited anew`(
        loops: Int
    ) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let (open, closed) = (try scene.room(of: ann, ben), try scene.room(of: ann, isPrivate: true, ben))
        for room in [open, closed] { try ann.ok("EJECT \(room) \(ben.user)") }
        try ben.expectRefusal("SEND \(open) x", "DENIED")
        try ben.ok("JOIN \(open)")
        try ben.expectRefusal("JOIN \(closed)", "NOT-FOUND")
        try ann.ok("INVITE \(closed) \(ben.user)")
        #expect(try ben.ok("JOIN \(closed)")["dup"] == nil)
    }

    @Test(arguments: [1, 2])
    func `one who is no member, or nobody at all, is NOT-FOUND`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann)
        for user in [ben.user, "nobody-has-this"] {
            try ann.expectRefusal("EJECT \(room) \(user)", "NOT-FOUND", field: "user")
        }
        try ann.ok("SUB \(room)")
        #expect(try ann.hearsNothing("eject"))
    }

    @Test(arguments: [1, 2])
    func `nobody ejects the owner, not even himself`(loops: Int) throws {
        let cast = try Cast(loops, isPrivate: false)
        try cast.op.expectRefusal("EJECT \(cast.room) \(cast.owner.user)", "DENIED")
        #expect(try cast.owner.request("EJECT \(cast.room) \(cast.owner.user)").final.isRefusal)
        #expect(try cast.owner.roles(in: cast.room).contains("\(cast.owner.user) owner"))
    }

    @Test(arguments: [1, 2])
    func `what the ejected wrote stays`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ben.ok("SEND \(room) mine")
        try ann.ok("EJECT \(room) \(ben.user)")
        #expect(try ann.rows("HISTORY \(room)").map { [$0["by"], $0.text] } == [[ben.user, "mine"]])
    }

    @Test(arguments: [1, 2])
    func `a missing user and an unknown option are BAD-ARG`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        try ann.expectRefusal("EJECT \(room)", "BAD-ARG", field: "user")
        try ann.expectRefusal("EJECT frob=1 \(room) \(ann.user)", "BAD-ARG", field: "frob")
    }
}
