import ChatTesting
import Testing

@Suite("ASK")
struct AskTests {
    @Test(arguments: [1, 2])
    func `the next line is the password, whole, and its reply carries the request's tag`(loops: Int) throws {
        let scene = try Scene(loops)
        let name = SharedDaemon.name("asked")
        let client = try scene.daemon.client()
        let asked = try client.request("SIGNUP name=\(name) \(name)@example.test")
        #expect(asked.final.word == "ASK" && asked.final.kind == "password" && asked.final.human?.isEmpty == false)
        try client.send("  two blanks = here  \n")
        let reply = try client.reply(to: asked.final.tag)
        #expect(reply["user"] == name)
        try scene.daemon.client().expectRefusal("AUTH \(name) two blanks = here", "BAD-AUTH")
        #expect(try scene.daemon.client().ok("AUTH \(name)   two blanks = here  ")["user"] == name)
    }

    @Test(arguments: [1, 2])
    func `a wrong answer is the request's refusal, and a verb in an answer is not executed`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let client = try scene.daemon.client()
        let asked = try client.request("AUTH \(ann.user)")
        #expect(asked.final.word == "ASK")
        try client.send("@b PING x\n")
        let line = try client.line()
        line.expectRefusal("BAD-AUTH")
        #expect(line.tag == asked.final.tag)
        #expect(try client.ok("PING y")["pong"] == "y")
    }

    @Test(arguments: [1, 2])
    func `an asked password that breaks the rule names its field`(loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        let name = SharedDaemon.name("asked")
        let asked = try client.request("SIGNUP name=\(name) \(name)@example.test")
        try client.send("short\n")
        let line = try client.line()
        line.expectRefusal("BAD-ARG", field: "password")
        #expect(line.tag == asked.final.tag)
    }

    @Test(arguments: [1, 2])
    func `a password asked for a name nobody has is refused like a wrong one`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        var texts: [String] = []
        for name in [ann.user, "nobody-of-that-name"] {
            let client = try scene.daemon.client()
            #expect(try client.request("AUTH \(name)").final.word == "ASK")
            try client.send("Wrong1234\n")
            texts.append(try client.line().raw)
        }
        #expect(texts[0] == texts[1])
    }

    @Test(arguments: [1, 2])
    func `an answer that is too long is its request's refusal, and the next line is a request again`(loops: Int) throws
    {
        let scene = try Scene(loops)
        let client = try scene.daemon.client()
        let asked = try client.request("AUTH ann")
        try client.send("@secret " + String(repeating: "x", count: 20_000) + "\n")
        let line = try client.line()
        line.expectRefusal("TOO-LONG")
        #expect(line.tag == asked.final.tag)
        #expect(try client.ok("PING y")["pong"] == "y")
    }

    @Test(arguments: [1, 2])
    func `an answer without a line end is its request's refusal, and none of it is repeated`(loops: Int) throws {
        let scene = try Scene(loops)
        let client = try scene.daemon.client()
        let asked = try client.request("AUTH ann")
        try client.send("@secret word")
        client.halfClose()
        let line = try client.line()
        line.expectRefusal("BAD-LINE")
        #expect(line.tag == asked.final.tag && !line.raw.contains("secret"))
    }
}
