import ChatTesting
import Testing

@Suite("GRANT")
struct GrantTests {
    @Test(arguments: ["op", "reader", "member"], [1, 2])
    func `a grant is an event with user and role, and MEMBERS and CONVS show it`(role: String, loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        if role == "member" { try ann.ok("GRANT role=op \(room) \(ben.user)") }
        try ben.ok("SUB \(room)")
        let reply = try ann.ok("GRANT role=\(role) \(room) \(ben.user.uppercased())")
        try ben.expectEvent("grant", of: reply, ["by": ann.user, "user": ben.user, "role": role])
        #expect(try ann.roles(in: room) == ["\(ann.user) owner", "\(ben.user) \(role)"])
        #expect(try ben.row(of: room)?["role"] == role)
    }

    @Test(arguments: [1, 2])
    func `GRANT role=owner makes the giver an op`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ben.ok("SUB \(room)")
        let reply = try ann.ok("GRANT role=owner \(room) \(ben.user)")
        try ben.expectEvent("grant", of: reply, ["by": ann.user, "user": ben.user, "role": "owner"])
        #expect(try ann.roles(in: room) == ["\(ann.user) op", "\(ben.user) owner"])
        try ann.expectRefusal("DROP \(room)", "DENIED")
        try ann.expectRefusal("EJECT \(room) \(ben.user)", "DENIED")
        try ben.ok("GRANT role=member \(room) \(ann.user)")
    }

    @Test(arguments: [1, 2])
    func `an op makes ops and readers, and makes them members again`(loops: Int) throws {
        let cast = try Cast(loops, isPrivate: true)
        for (user, roles) in [(cast.member.user, ["op", "member"]), (cast.reader.user, ["member", "reader"])] {
            for role in roles {
                try cast.op.ok("GRANT role=\(role) \(cast.room) \(user)")
                #expect(try cast.op.roles(in: cast.room).contains("\(user) \(role)"))
            }
        }
    }

    @Test(arguments: [1, 2])
    func `an op makes no owner, not of himself either, and changes nothing about the owner`(loops: Int) throws {
        let cast = try Cast(loops, isPrivate: false)
        let before = try cast.owner.roles(in: cast.room)
        for (role, user) in [
            ("owner", cast.member), ("owner", cast.op), ("member", cast.owner), ("reader", cast.owner),
        ] {
            try cast.op.expectRefusal("GRANT role=\(role) \(cast.room) \(user.user)", "DENIED")
        }
        #expect(try cast.owner.roles(in: cast.room) == before)
    }

    @Test(arguments: [1, 2])
    func `a reader reads but does not write, in public and private`(loops: Int) throws {
        for isPrivate in [true, false] {
            let cast = try Cast(loops, isPrivate: isPrivate)
            let seq = try cast.owner.ok("SEND \(cast.room) read me").seq
            for request in ["SEND \(cast.room) x", "EMOTE \(cast.room) \(seq) 👍", "TYPING \(cast.room)"] {
                try cast.reader.expectRefusal(request, "DENIED")
            }
            #expect(try cast.reader.message(seq, in: cast.room).text == "read me")
            try cast.owner.ok("GRANT role=member \(cast.room) \(cast.reader.user)")
            try cast.reader.ok("SEND \(cast.room) now I may")
        }
    }

    @Test(arguments: [1, 2])
    func `the same role again changes nothing and says so`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let first = try ann.ok("GRANT role=op \(room) \(ben.user)")
        let again = try ann.ok("GRANT role=op \(room) \(ben.user)")
        #expect(first["dup"] == nil && again["dup"] == "yes" && again["conv"] == room && again.seq == first.seq)
        #expect(try ann.ok("SEND \(room) next").seq == first.seq + 1)
    }

    @Test(arguments: [1, 2])
    func `an owner cannot make himself less than the owner`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        for role in ["op", "member", "reader"] {
            let reply = try ann.request("GRANT role=\(role) \(room) \(ann.user)")
            #expect(["CONFLICT", "DENIED"].contains(reply.code), "\(reply)")
        }
        #expect(try ann.roles(in: room).contains("\(ann.user) owner"))
    }

    @Test(arguments: [1, 2])
    func `one who is no member, or nobody at all, is NOT-FOUND`(loops: Int) throws {
        let cast = try Cast(loops, isPrivate: false)
        for user in [cast.outsider.user, cast.banned.user, "nobody-has-this"] {
            try cast.owner.expectRefusal("GRANT role=op \(cast.room) \(user)", "NOT-FOUND", field: "user")
        }
    }

    @Test(arguments: [1, 2])
    func `an op who leaves and joins again is a member`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ann.ok("GRANT role=op \(room) \(ben.user)")
        try ben.ok("LEAVE \(room)")
        try ben.ok("JOIN \(room)")
        #expect(try ann.roles(in: room).contains("\(ben.user) member"))
    }

    @Test(arguments: [1, 2])
    func `an owner who leaves is followed by the eldest op before elder members`(loops: Int) throws {
        let scene = try Scene(loops)
        let clients = try ["ann", "ben", "cat", "dan"].map { try scene.user($0) }
        let room = try scene.room(of: clients[0], clients[1], clients[2], clients[3])
        for client in [clients[3], clients[2]] { try clients[0].ok("GRANT role=op \(room) \(client.user)") }
        try clients[0].ok("LEAVE \(room)")
        #expect(try clients[1].roles(in: room).contains("\(clients[2].user) owner"))
    }

    @Test(
        arguments: [
            ("GRANT %@ %u", "role"), ("GRANT role=king %@ %u", "role"), ("GRANT role=\"\" %@ %u", "role"),
            ("GRANT role=op %@", "user"), ("GRANT role=op frob=1 %@ %u", "frob"),
        ],
        [1, 2]
    )
    func `a missing or unknown role, a missing user and an unknown option are BAD-ARG`(
        request: (text: String, field: String),
        loops: Int
    ) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let text = request.text.replacing("%@", with: room).replacing("%u", with: ben.user)
        try ann.expectRefusal(text, "BAD-ARG", field: request.field)
    }
}
