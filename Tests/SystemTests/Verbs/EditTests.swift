import ChatTesting
import Testing

@Suite("EDIT")
struct EditTests {
    @Test(arguments: [1, 2])
    func `an edit is an event with id and new text, and HISTORY reads as now`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ben.ok("SUB \(room)")
        let sent = try ann.ok("SEND \(room) frist")
        let reply = try ann.ok("EDIT \(room.uppercased()) \(sent.seq)  first :) x=y ")
        #expect(reply["conv"] == room && reply.seq == sent.seq + 1)
        try ben.expectEvent(
            "edit",
            of: reply,
            ["by": ann.user, "id": "\(sent.seq)", "text": " first :) x=y "]
        )
        let row = try ben.message(sent.seq, in: room)
        #expect(row.text == " first :) x=y " && row["edited"] == "\(reply.seq)", "\(row)")
        #expect(row["ts"] == sent["ts"] && row["by"] == ann.user)
        #expect(try ben.rows("HISTORY \(room)").count == 1)
    }

    @Test(arguments: [1, 2])
    func `of several edits the last one counts, and text= carries line breaks`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let seq = try ann.ok("SEND \(room) one").seq
        try ann.ok("EDIT \(room) \(seq) two")
        let last = try ann.ok(#"EDIT text="three\nlines" \#(room) \#(seq)"#)
        let row = try ann.message(seq, in: room)
        #expect(row.text == "three\nlines" && row["edited"] == "\(last.seq)", "\(row)")
    }

    @Test(arguments: [true, false], [1, 2])
    func `only the author edits, not another member, an op or the owner`(isPrivate: Bool, loops: Int) throws {
        let cast = try Cast(loops, isPrivate: isPrivate)
        let seq = try cast.member.ok("SEND \(cast.room) mine").seq
        for client in [cast.owner, cast.op, cast.reader] {
            try client.expectRefusal("EDIT \(cast.room) \(seq) x", "DENIED")
        }
        for client in cast.strangers {
            try client.expectRefusal("EDIT \(cast.room) \(seq) x", isPrivate ? "NOT-FOUND" : "DENIED")
        }
        #expect(try cast.owner.message(seq, in: cast.room).text == "mine")
    }

    @Test(arguments: [true, false], [1, 2])
    func `an author who left edits no more`(isPrivate: Bool, loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, isPrivate: isPrivate, ben)
        let seq = try ben.ok("SEND \(room) mine").seq
        try ben.ok("LEAVE \(room)")
        try ben.expectRefusal("EDIT \(room) \(seq) x", isPrivate ? "NOT-FOUND" : "DENIED")
        try ann.ok("INVITE \(room) \(ben.user)")
        try ben.ok("JOIN \(room)")
        if isPrivate {
            try ben.expectRefusal("EDIT \(room) \(seq) x", "NOT-FOUND", field: "id")
        } else {
            try ben.ok("EDIT \(room) \(seq) x")
        }
    }

    @Test(arguments: [1, 2])
    func `the same text again changes nothing and says so`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let seq = try ann.ok("SEND \(room) same").seq
        let reply = try ann.ok("EDIT \(room) \(seq) same")
        #expect(reply["dup"] == "yes" && reply["conv"] == room, "\(reply)")
        #expect(try ann.message(seq, in: room)["edited"] == nil)
        #expect(try ann.ok("SEND \(room) next").seq == seq + 1)
    }

    @Test(arguments: ["EDIT %@ %s x", "DELETE %@ %s", "EMOTE %@ %s 👍"], [1, 2])
    func `an id that is no message's is NOT-FOUND, one that is no number BAD-ARG`(request: String, loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let seq = try ann.ok("SEND \(room) text").seq
        let edit = try ann.ok("EDIT \(room) \(seq) new").seq
        func ask(_ id: String) -> String { request.replacing("%@", with: room).replacing("%s", with: id) }
        for id in ["1", "2", "\(edit)", "999999", "9223372036854775807"] {
            try ann.expectRefusal(ask(id), "NOT-FOUND", field: "id")
        }
        for id in ["x", "-1", "+1", "01", "1.5", "18446744073709551616", "٣"] {
            try ann.expectRefusal(ask(id), "BAD-ARG", field: "id")
        }
    }

    @Test(arguments: ["EDIT %@", "EDIT %@ ", "EDIT %@    ", #"EDIT text="" %@"#], [1, 2])
    func `no text or only blanks is BAD-ARG`(request: String, loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let seq = try ann.ok("SEND \(room) text").seq
        try ann.expectRefusal(request.replacing("%@", with: "\(room) \(seq)"), "BAD-ARG", field: "text")
    }

    @Test(arguments: [1, 2])
    func `a text over the limit is TOO-LONG with the numbers, and the old one stays`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let seq = try ann.ok("SEND \(room) old").seq
        let text = String(repeating: "é", count: 4001)
        let line = try ann.expectRefusal("EDIT \(room) \(seq) \(text)", "TOO-LONG", field: "text")
        #expect(line["limit"] == "4000" && line["got"] == "4001")
        #expect(try ann.message(seq, in: room).text == "old")
        try ann.ok("EDIT \(room) \(seq) \(text.dropLast())")
    }

    @Test(arguments: [1, 2])
    func `the words of a place can be edited, the place stays`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let first = try ann.ok("SEND \(room) where?").seq
        let seq = try ann.ok("SEND reply=\(first) geo=52.52,13.405 \(room)").seq
        try ann.ok("EDIT \(room) \(seq) here")
        let row = try ann.message(seq, in: room)
        #expect(row.has(["geo": "52.52,13.405", "kind": "location", "text": "here", "reply": "\(first)"]), "\(row)")
    }

    @Test(arguments: [1, 2])
    func `an edit counts as no new message, and CONVS shows the new text`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let seq = try ann.ok("SEND \(room) old").seq
        let edit = try ann.ok("EDIT \(room) \(seq) new")
        let row = try #require(try ben.row(of: room))
        #expect(row.has(["unread": "1", "preview": "new", "last-kind": "edit", "last-seq": "\(edit.seq)"]), "\(row)")
    }

    @Test(arguments: [1, 2])
    func `an unknown option is BAD-ARG`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        for request in ["EDIT frob=1 \(room) 2 x", "DELETE frob=1 \(room) 2", "EMOTE frob=1 \(room) 2 👍"] {
            try ann.expectRefusal(request, "BAD-ARG", field: "frob")
        }
    }
}
