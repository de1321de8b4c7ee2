import ChatTesting
import Testing

@Suite("BAN and UNBAN")
struct BanTests {
    @Test(arguments: [1, 2])
    func `a ban is an event with user and reason, and ends the membership`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ann.ok("SUB \(room)")
        let reply = try ann.ok("BAN \(room) \(ben.user.uppercased()) too loud")
        #expect(reply.seq == 3)
        try ann.expectEvent("ban", of: reply, ["by": ann.user, "user": ben.user, "reason": "too loud"])
        #expect(try ann.roles(in: room) == ["\(ann.user) owner"])
        #expect(try ann.ok("SEND \(room) next").seq == 4)
    }

    @Test(arguments: [true, false], [1, 2])
    func `the banned hears his ban and nothing after it, on all his connections`(isPrivate: Bool, loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, isPrivate: isPrivate, ben)
        let other = try scene.daemon.another(of: ben)
        try ben.ok("SUB \(room)")
        try other.ok("SUB all=yes")
        let reply = try ann.ok("BAN \(room) \(ben.user)")
        try ann.ok("SEND \(room) after")
        for ear in [ben, other] {
            try ear.expectEvent("ban", of: reply, ["user": ben.user])
            #expect(try ear.hearsNothing(of: room))
        }
    }

    @Test(arguments: [1, 2])
    func `a banned one cannot come back to a public conversation until UNBAN`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ann.ok("BAN \(room) \(ben.user)")
        for request in ["JOIN \(room)", "SEND \(room) x", "HISTORY \(room)", "SUB \(room)"] {
            try ben.expectRefusal(request, "DENIED")
        }
        try ann.ok("SUB \(room)")
        let reply = try ann.ok("UNBAN \(room) \(ben.user)")
        try ann.expectEvent("unban", of: reply, ["by": ann.user, "user": ben.user])
        try ben.expectRefusal("SEND \(room) x", "DENIED")
        #expect(try ben.ok("JOIN \(room)")["dup"] == nil)
        try ben.ok("SEND \(room) back")
    }

    @Test(arguments: [1, 2])
    func `a banned one cannot come back to a private conversation, invited or not, until UNBAN`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, isPrivate: true, ben)
        try ann.ok("BAN \(room) \(ben.user)")
        _ = try ann.request("INVITE \(room) \(ben.user)")
        #expect(try ben.request("JOIN \(room)").final.isRefusal)
        try ann.ok("UNBAN \(room) \(ben.user)")
        try ann.ok("INVITE \(room) \(ben.user)")
        try ben.ok("JOIN \(room)")
    }

    @Test(arguments: [1, 2])
    func `an account that never was a member can be banned before it comes`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann)
        #expect(try ann.ok("BAN \(room) \(ben.user)")["dup"] == nil)
        try ben.expectRefusal("JOIN \(room)", "DENIED")
    }

    @Test(arguments: [1, 2])
    func `a ban takes back an invitation`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, isPrivate: true)
        try ann.ok("INVITE \(room) \(ben.user)")
        try ann.ok("BAN \(room) \(ben.user)")
        try ben.expectRefusal("JOIN \(room)", "NOT-FOUND")
        #expect(try ben.row(of: room) == nil)
    }

    @Test(arguments: [1, 2])
    func `banning the banned, or unbanning one who is not, changes nothing and says so`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben, cat) = (try scene.user(), try scene.user("ben"), try scene.user("cat"))
        let room = try scene.room(of: ann, ben)
        let first = try ann.ok("BAN \(room) \(ben.user)")
        #expect(first["dup"] == nil)
        let again = try ann.ok("BAN \(room) \(ben.user)")
        #expect(again["dup"] == "yes" && again["conv"] == room && again.seq == first.seq)
        #expect(try ann.ok("UNBAN \(room) \(cat.user)")["dup"] == "yes")
        #expect(try ann.ok("SEND \(room) next").seq == first.seq + 1)
    }

    @Test(arguments: [1, 2])
    func `nobody bans the owner, and nobody at all is NOT-FOUND`(loops: Int) throws {
        let cast = try Cast(loops, isPrivate: false)
        try cast.op.expectRefusal("BAN \(cast.room) \(cast.owner.user)", "DENIED")
        #expect(try cast.owner.request("BAN \(cast.room) \(cast.owner.user)").final.isRefusal)
        for verb in ["BAN", "UNBAN"] {
            try cast.owner.expectRefusal("\(verb) \(cast.room) nobody-has-this", "NOT-FOUND", field: "user")
        }
        #expect(try cast.owner.roles(in: cast.room).contains("\(cast.owner.user) owner"))
    }

    @Test(arguments: [1, 2])
    func `a guest can be banned, and stays banned after becoming an account`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, guest) = (try scene.user(), try scene.guest())
        let room = try scene.room(of: ann)
        try guest.ok("JOIN \(room)")
        try ann.ok("BAN \(room) \(guest.user)")
        try guest.expectRefusal("JOIN \(room)", "DENIED")
        let name = SharedDaemon.name("linked")
        try guest.ok("LINK name=\(name) \(name)@example.test Secret123")
        try guest.expectRefusal("JOIN \(room)", "DENIED")
    }

    @Test(arguments: ["BAN", "UNBAN"], [1, 2])
    func `a missing user and an unknown option are BAD-ARG`(verb: String, loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        try ann.expectRefusal("\(verb) \(room)", "BAD-ARG", field: "user")
        try ann.expectRefusal("\(verb) frob=1 \(room) \(ann.user)", "BAD-ARG", field: "frob")
    }

    @Test(arguments: [1, 2])
    func `one who never heard of a private conversation does not hear of it by a ban`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, eve) = (try scene.user(), try scene.user("eve"))
        let room = try scene.room(of: ann, isPrivate: true)
        try ann.ok("BAN \(room) \(eve.user)")
        #expect(try eve.hearsNothing("conv"))
    }
}
