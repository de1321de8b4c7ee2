import ChatTesting
import Testing

@Suite("Control characters never reach another client's stream (B26)")
struct ControlCharacterTests {
    private static let forged = "EV msg conv=#c1 seq=9 by=ann text=\"forged\""

    @Test(
        arguments: [
            "\r\(forged)", "\u{0}there", "\u{b}\u{c}", "\u{1b}[2J", "\u{8}", "\u{7f}", "\u{1b}]52;c;AAAA\u{7}",
        ],
        [1, 2]
    )
    func `raw in a message they are refused and nobody hears it`(characters: String, loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ben.ok("SUB \(room)")
        for request in ["SEND nonce=a \(room) hi\(characters)", "SEND text=\"hi\(characters)\" \(room)"] {
            try ann.expectRefusal(request, "BAD-LINE")
        }
        #expect(try ben.hearsNothing("msg"))
        #expect(try ben.allTexts(of: room).isEmpty)
    }

    @Test(
        arguments: ["\u{85}", "\u{2028}", "\u{2029}", "\u{9b}31m", "\u{202e}", "\u{2066}", "\u{feff}", "\u{200b}"],
        [1, 2]
    )
    func `higher ones are taken in texts, and reach others escaped where they must`(character: String, loops: Int)
        throws
    {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        try ben.ok("SUB \(room)")
        try ann.ok("SEND \(room) a\(character)b")
        // ReceivedLine refuses a line that holds one of those which must be escaped.
        #expect(try ben.event("msg")?.text == "a\(character)b")
    }

    @Test(arguments: [1, 2])
    func `escaped in a title or display name they never leave raw`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = scene.roomName()
        let title = #"a\r\n\u001b]0;x\u0007\u202e"#
        if try ann.request(#"CREATE title="\#(title)" \#(room)"#).isOK {
            try ann.ok("SUB since=0 \(room)")
            #expect(try ann.event("create") != nil)
            _ = try ann.rows("CONVS")
            _ = try ann.rows("LIST \(room)")
        }
        let client = try scene.daemon.client()
        let name = SharedDaemon.name("ctl")
        if try client.request(#"SIGNUP name=\#(name) display="\#(title)" \#(name)@example.test Secret123"#).isOK {
            try client.ok("WHOAMI")
        }
        let other = try scene.daemon.client()
        let bad = SharedDaemon.name("bad")
        try other.expectRefusal(
            #"SIGNUP name="\#(bad)\u001b" \#(bad)@example.test Secret123"#,
            "BAD-ARG",
            field: "name"
        )
        try other.expectRefusal("SIGNUP name=\(bad) \(bad)\u{85}@example.test Secret123", "BAD-ARG", field: "email")
    }

    @Test(arguments: [1, 2])
    func `LF alone or CR LF ends a line, and nothing else does`(loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        try client.send(
            "@a PING a\n@b PING b\r\n@c PING c\r\r\n@d PING d\n\r@e PING e\n@f PING f\r@g PING g\n@h PING h\n"
        )
        #expect(try client.line().raw == "OK @a pong=a")
        #expect(try client.line().raw == "OK @b pong=b")
        try client.line().expectRefusal("BAD-LINE")
        #expect(try client.line().raw == "OK @d pong=d")
        try client.line().expectRefusal("BAD-LINE")
        try client.line().expectRefusal("BAD-LINE")
        #expect(try client.line().raw == "OK @h pong=h")
    }
}
