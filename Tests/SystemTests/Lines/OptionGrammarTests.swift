import ChatTesting
import Testing

@Suite("Options, arguments and rest")
struct OptionGrammarTests {
    @Test(
        arguments: [
            (#"SEND nonce=a nonce=b #lobby x"#, "nonce"), (#"SEND frob=1 #lobby x"#, "frob"),
            (#"SEND text="a" #lobby b"#, "text"),
            (#"SEND text="a #lobby"#, "text"), (#"SEND text="a"b #lobby"#, "text"),
            (#"SEND text="\ud800" #lobby"#, "text"),
            (#"SEND text="\udc00\ud800" #lobby"#, "text"), (#"SEND text="\u0000" #lobby"#, "text"),
            (#"SEND text="\q" #lobby"#, "text"),
            (#"SEND text="\u12" #lobby"#, "text"), (#"PING frob=1 x"#, "frob"), (#"WHOAMI frob=1"#, "frob"),
            (#"CONVS frob=1"#, "frob"),
        ],
        [1, 2]
    )
    func `an option that is unknown, doubled or badly quoted is BAD-ARG and named`(
        refused: (request: String, field: String),
        loops: Int
    ) throws {
        try Scene(loops).user().expectRefusal(refused.request, "BAD-ARG", field: refused.field)
    }

    @Test(
        arguments: [
            "HISTORY #lobby limit=5", "PING a b", "WHOAMI x", "HISTORY #lobby x", "SUB #lobby since=1", "LOGOUT x",
            "SUBS x", "HELLO x",
            "LEAVE #lobby x", "JOIN #lobby x", "MEMBERS #lobby x", "LIMITS x",
        ],
        [1, 2]
    )
    func `a word too many is BAD-ARG`(request: String, loops: Int) throws {
        try Scene(loops).user().expectRefusal(request, "BAD-ARG")
    }

    @Test(
        arguments: [
            "SEND", "HISTORY", "SUB", "UNSUB", "CREATE", "JOIN", "LEAVE", "INVITE", "INVITE #lobby", "MEMBERS",
        ],
        [1, 2]
    )
    func `a missing argument is BAD-ARG`(request: String, loops: Int) throws {
        try Scene(loops).user().expectRefusal(request, "BAD-ARG")
    }

    @Test(arguments: [1, 2])
    func `after the last argument all is text, blanks, pairs and dashes too`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let texts = [
            #"reply=1 - text="x" @y"#, ":) key=value  two  blanks", "  led and followed  ", "a\tb", "- dash",
            "@tag PING", "مرحبا 你好 🎉",
            "\u{301}mark", "\\u0041 \\ \"",
        ]
        for text in texts {
            try ann.ok("SEND \(room) \(text)")
            #expect(try ann.rows("HISTORY limit=1 \(room)").first?.text == text)
        }
    }

    @Test(arguments: [1, 2])
    func `a quoted value may hold everything JSON can escape`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        try ann.ok(#"SEND text="a \" b \\ \/ - c=d \n\t\u001b[31m \u00e9 \ud83c\udf89" \#(room)"#)
        let row = try #require(try ann.rows("HISTORY limit=1 \(room)").first)
        #expect(row.text == "a \" b \\ / - c=d \n\t\u{1b}[31m é 🎉")
        #expect(row.raw.contains("é 🎉"))
    }

    @Test(arguments: [1, 2])
    func `C1, bidirectional controls and line separators are taken and leave escaped`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        try ann.ok("SUB \(room)")
        let text = "a\tb\u{202e}c\u{85}d\u{2028}e\u{2066}f\u{200f}g\u{61c}h\u{9b}"
        try ann.ok("SEND \(room) \(text)")
        #expect(try ann.event("msg")?.text == text)
    }

    @Test(arguments: [1, 2])
    func `a line that grows over 16 KiB by its escapes is sent whole`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let text = String(repeating: "\u{86}", count: 4000)
        try ann.ok("SUB \(room)")
        try ann.ok("SEND \(room) \(text)")
        #expect(try ann.event("msg")?.text == text)
        #expect(try ann.rows("HISTORY \(room)").first?.text == text)
    }

    @Test(arguments: [1, 2])
    func `an empty rest is no rest`(loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        let reply = try client.request("AUTH somebody ")
        #expect(reply.final.word == "ASK" && reply.final.kind == "password")
        try client.send("Wrong1234\n")
        try client.line().expectRefusal("BAD-AUTH")
    }
}
