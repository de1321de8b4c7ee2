import ChatTesting
import Testing

@Suite("SEND")
struct SendTests {
    @Test(arguments: [1, 2])
    func `the message has the server's author, seq and time, in OK, event and history alike`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ben.ok("SUB \(room)")
        let text = "مرحبا 你好 :) key=value  two  blanks"
        let sent = try ann.ok("SEND \(room.uppercased()) \(text)")
        #expect(sent["conv"] == room && sent.seq == 3 && isTime(sent["ts"]))
        let event = try #require(try ben.event("msg"))
        let row = try #require(try ben.rows("HISTORY \(room)").first)
        for line in [event, row] {
            #expect(line.text == text && line.raw.contains(text) && line["by"] == ann.user)
            #expect(line.seq == sent.seq && line["ts"] == sent["ts"] && line["conv"] == room)
        }
    }

    @Test(arguments: [1, 2])
    func `text= carries line breaks and controls, which leave escaped`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        try ann.ok("SUB \(room)")
        try ann.ok(#"SEND text="one\ntwo\u000d\u001b[31m" \#(room)"#)
        let event = try #require(try ann.event("msg"))
        #expect(event.text == "one\ntwo\r\u{1b}[31m" && event.raw.contains(#"one\u000atwo\u000d\u001b[31m"#))
    }

    @Test(arguments: [1, 2])
    func `a repeated nonce is the same message, whatever its text, on any connection`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let other = try scene.daemon.another(of: ann)
        let first = try ann.ok("SEND nonce=n-1 \(room) once")
        for client in [ann, other] {
            let again = try client.ok("SEND nonce=n-1 \(room) changed")
            #expect(
                again.seq == first.seq && again["dup"] == "yes" && again["ts"] == first["ts"] && again["conv"] == room
            )
        }
        #expect(first["dup"] == nil)
        #expect(try ann.allTexts(of: room) == ["once"])
    }

    @Test(arguments: [1, 2])
    func `the same nonce with another conversation is CONFLICT, of another user it is another`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let other = try scene.room(of: ann, ben)
        let first = try ann.ok("SEND nonce=same \(room) a")
        try ann.expectRefusal("SEND nonce=same \(other) a", "CONFLICT")
        let second = try ben.ok("SEND nonce=same \(room) b")
        #expect(second.seq == first.seq + 1 && second["dup"] == nil)
    }

    @Test(arguments: [1, 2])
    func `a nonce may have 64 bytes, and no more, and not none`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        try ann.ok("SEND nonce=\(String(repeating: "é", count: 32)) \(room) x")
        for bad in [String(repeating: "n", count: 65), "\"\""] {
            let line = try ann.refusal("SEND nonce=\(bad) \(room) x")
            #expect(line["field"] == "nonce", "\(line)")
        }
    }

    @Test(arguments: [1, 2])
    func `a reply names its message, by option or by REPLY`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let first = try ann.ok("SEND \(room) question").seq
        try ann.ok("SUB \(room)")
        try ann.ok("SEND reply=\(first) \(room) by option")
        try ann.ok("REPLY \(room) \(first) by alias")
        for text in ["by option", "by alias"] {
            let event = try #require(try ann.event("msg"))
            #expect(event["reply"] == String(first) && event.text == text)
        }
        #expect(try ann.rows("HISTORY limit=1 \(room)").first?["reply"] == String(first))
    }

    @Test(arguments: ["x", "-1", "+1", "01", "1.5", "18446744073709551616", "٣"], [1, 2])
    func `a reply to what is no number is BAD-ARG`(value: String, loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        try ann.expectRefusal("SEND reply=\(value) \(try scene.room(of: ann)) x", "BAD-ARG", field: "reply")
    }

    @Test(arguments: [1, 2])
    func `a reply to a message that is not there is refused and named`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let line = try ann.refusal("SEND reply=999 \(room) x")
        #expect(["NOT-FOUND", "BAD-ARG"].contains(line.code) && line["field"] == "reply", "\(line)")
    }

    @Test(arguments: ["SEND %@", "SEND %@ ", "SEND %@    ", #"SEND text="" %@"#, #"SEND text="  \n\t " %@"#], [1, 2])
    func `no text or only blanks is BAD-ARG`(request: String, loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        try ann.expectRefusal(request.replacing("%@", with: room), "BAD-ARG", field: "text")
    }

    @Test(arguments: ["x", "é", "🎉", "e\u{301}"], [1, 2])
    func `a text may have 4000 scalars, one more is TOO-LONG with the numbers`(character: String, loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let fitting = String(repeating: character, count: 4000 / character.unicodeScalars.count)
        // Four-byte characters fill the line of 16,384 bytes before the text: there the line's own limit speaks.
        let room4 = fitting.utf8.count < 16_000 ? fitting : String(repeating: character, count: 3900)
        try ann.ok("SEND \(room) \(room4)")
        #expect(try ann.allTexts(of: room) == [room4])
        guard room4 == fitting else { return }
        let line = try ann.expectRefusal("SEND \(room) \(fitting)x", "TOO-LONG", field: "text")
        #expect(line["limit"] == "4000" && line["got"] == "4001")
    }

    @Test(arguments: [1, 2])
    func `who is no member is DENIED in a public conversation, and NOT-FOUND in a private one`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, eve) = (try scene.user(), try scene.user("eve"))
        let (open, closed) = (try scene.room(of: ann), try scene.room(of: ann, isPrivate: true))
        try eve.expectRefusal("SEND \(open) x", "DENIED")
        try eve.expectRefusal("SEND \(closed) x", "NOT-FOUND")
        try eve.expectRefusal("SEND nonce=a \(closed) x", "NOT-FOUND")
    }

    @Test(arguments: ["lobby", "#", "#a,b", "@", "@a b", "", "x", "@,", "@a,b,c"], [1, 2])
    func `what names no conversation is refused`(name: String, loops: Int) throws {
        let ann = try Scene(loops).user()
        let line = try ann.refusal("SEND \(name) text")
        #expect(["BAD-ARG", "NOT-FOUND"].contains(line.code), "\(line)")
    }

    @Test(arguments: [1, 2])
    func `seqs have no gaps and times never go back, whoever sends`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ann.ok("SUB since=0 \(room)")
        try ben.send((0..<200).map { "@b\($0) SEND \(room) b\($0)\n" }.joined())
        let mine = try ann.pipeline((0..<200).map { "SEND \(room) a\($0)" }).map(\.seq)
        let theirs = try (0..<200).map { try ben.reply(to: "b\($0)").seq }
        #expect(Set(mine + theirs) == Set(3...402) && mine == mine.sorted() && theirs == theirs.sorted())
        let heard = try ann.logEvents(of: room, count: 402)
        #expect(difference(heard.map(\.seq), Array(1...402)) == nil)
        #expect(timesNeverGoBack(heard))
    }
}
