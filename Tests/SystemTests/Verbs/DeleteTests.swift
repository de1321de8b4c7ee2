import ChatTesting
import Testing

@Suite("DELETE")
struct DeleteTests {
    @Test(arguments: [1, 2])
    func `a delete is an event with the id, and HISTORY keeps the place without the text`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ben.ok("SUB \(room)")
        let sent = try ann.ok("SEND \(room) unforgettable")
        let reply = try ann.ok("DELETE \(room.uppercased()) \(sent.seq)")
        #expect(reply["conv"] == room && reply.seq == sent.seq + 1)
        try ben.expectEvent("delete", of: reply, ["by": ann.user, "id": "\(sent.seq)"])
        let row = try ben.message(sent.seq, in: room)
        #expect(row["deleted"] == "\(reply.seq)" && row.text == nil && row["by"] == ann.user, "\(row)")
        #expect(row["ts"] == sent["ts"] && row["edited"] == nil)
    }

    @Test(arguments: [true, false], [1, 2])
    func `the author, an op and the owner may delete, others may not`(isPrivate: Bool, loops: Int) throws {
        let cast = try Cast(loops, isPrivate: isPrivate)
        let other = try cast.another()
        for client in [cast.member, cast.op, cast.owner] {
            let seq = try cast.member.ok("SEND \(cast.room) mine").seq
            for stranger in [other, cast.reader] {
                try stranger.expectRefusal("DELETE \(cast.room) \(seq)", "DENIED")
            }
            for stranger in cast.strangers {
                try stranger.expectRefusal("DELETE \(cast.room) \(seq)", isPrivate ? "NOT-FOUND" : "DENIED")
            }
            #expect(try other.message(seq, in: cast.room).text == "mine")
            try client.ok("DELETE \(cast.room) \(seq)")
        }
    }

    @Test(arguments: [1, 2])
    func `in a 1:1 and in the lobby only the author deletes`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        for (mine, yours) in [("@\(ben.user)", "@\(ann.user)"), ("#lobby", "#lobby")] {
            let seq = try ann.ok("SEND \(mine) mine").seq
            try ben.expectRefusal("DELETE \(yours) \(seq)", "DENIED")
            try ann.ok("DELETE \(mine) \(seq)")
        }
    }

    @Test(arguments: [1, 2])
    func `an author who left deletes no more`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let seq = try ben.ok("SEND \(room) mine").seq
        try ben.ok("LEAVE \(room)")
        try ben.expectRefusal("DELETE \(room) \(seq)", "DENIED")
    }

    @Test(arguments: [1, 2])
    func `anything on a deleted message is GONE, but a reply to it`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let seq = try ann.ok("SEND \(room) gone").seq
        try ben.ok("EMOTE \(room) \(seq) 👍")
        try ann.ok("DELETE \(room) \(seq)")
        for request in ["EDIT \(room) \(seq) x", "DELETE \(room) \(seq)", "EMOTE \(room) \(seq) 🎉"] {
            try ann.expectRefusal(request, "GONE")
        }
        try ben.expectRefusal("EMOTE off=yes \(room) \(seq) 👍", "GONE")
        let reply = try ben.ok("SEND reply=\(seq) \(room) what was it?").seq
        #expect(try ann.message(reply, in: room)["reply"] == "\(seq)")
    }

    @Test(arguments: [1, 2])
    func `strangers are refused before it is looked whether the message is deleted`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, eve) = (try scene.user(), try scene.user("eve"))
        let (open, closed) = (try scene.room(of: ann), try scene.room(of: ann, isPrivate: true))
        for room in [open, closed] {
            let seq = try ann.ok("SEND \(room) gone").seq
            try ann.ok("DELETE \(room) \(seq)")
            for request in ["EDIT \(room) \(seq) x", "DELETE \(room) \(seq)", "EMOTE \(room) \(seq) 🎉"] {
                try eve.expectRefusal(request, room == open ? "DENIED" : "NOT-FOUND")
            }
        }
    }

    @Test(arguments: [1, 2])
    func `reactions and place go with the text`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let seq = try ann.ok("SEND geo=52.52,13.405 \(room) here").seq
        try ben.ok("EMOTE \(room) \(seq) 👍")
        try ann.ok("DELETE \(room) \(seq)")
        let row = try ben.message(seq, in: room)
        #expect(row["react"] == nil && row["mine"] == nil && row["geo"] == nil && row.text == nil, "\(row)")
    }

    @Test(arguments: [1, 2])
    func `a file goes with the last message that has it, also for who put it here`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let put = try ann.upload(tinyPicture, type: "image/png", "name=cat.png")
        let (id, place) = (put["blob"] ?? "", path(of: put["url"]))
        let seqs = try (0..<2).map { _ in try ann.ok("SEND blob=\(id) \(room)").seq }
        func status(_ client: TestClient) throws -> Int { try scene.daemon.fetch(place, token: client.token).status }
        try ann.ok("DELETE \(room) \(seqs[0])")
        #expect(try status(ben) == 200)
        #expect(try ben.message(seqs[0], in: room)["blob"] == nil)
        try ann.ok("DELETE \(room) \(seqs[1])")
        #expect(try status(ben) == 404 && status(ann) == 404)
        for client in [ann, ben] { try client.expectRefusal("BLOB \(id)", "NOT-FOUND") }
    }

    @Test(arguments: [1, 2])
    func `CONVS shows the newest text that is left`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ann.ok("SEND \(room) stays")
        let seq = try ann.ok("SEND \(room) goes").seq
        let reply = try ann.ok("DELETE \(room) \(seq)")
        let row = try #require(try ben.row(of: room))
        #expect(row.has(["preview": "stays", "last-kind": "delete", "last-seq": "\(reply.seq)"]), "\(row)")
    }
}
