import ChatTesting
import Testing

@Suite("The end of input")
struct EndOfInputTests {
    /// All the server says to these bytes and a FIN, after its HI.
    private func replies(to text: String, from daemon: RunningDaemon, secure: Bool) throws -> [ReceivedLine] {
        let client = try daemon.client(.init(isSecure: secure))
        try client.send(text)
        client.halfClose()
        return try client.restOfStream()
    }

    @Test(arguments: [true, false], [1, 2])
    func `after a half-close what was asked is answered, then the stream ends`(secure: Bool, loops: Int) throws {
        let scene = try Scene(loops)
        let eve = try scene.user("eve")
        let room = try scene.room(of: eve)
        let lines = try replies(
            to: "AUTH \(eve.user) Secret123\n@a SEND \(room) one\n@b PING two\n",
            from: scene.daemon,
            secure: secure
        )
        #expect(lines.filter { $0.word != "EV" }.map(\.word) == ["OK", "OK", "OK"])
        #expect(try eve.allTexts(of: room) == ["one"])
    }

    @Test(arguments: [true, false], [1, 2])
    func `a last line without LF is BAD-LINE and never executed`(secure: Bool, loops: Int) throws {
        let scene = try Scene(loops)
        let eve = try scene.user("eve")
        let room = try scene.room(of: eve)
        let lines = try replies(
            to: "AUTH \(eve.user) Secret123\n@a SEND \(room) one\n@c SEND \(room) never",
            from: scene.daemon,
            secure: secure
        )
        try #require(lines.last?.word == "ERR")
        lines.last?.expectRefusal("BAD-LINE")
        #expect(lines.last?.tag == "c")
        #expect(try eve.allTexts(of: room) == ["one"])
    }

    @Test(arguments: [true, false], [1, 2])
    func `after a half-close a SUB still sends its catch-up`(secure: Bool, loops: Int) throws {
        let scene = try Scene(loops)
        let eve = try scene.user("eve")
        let room = try scene.room(of: eve)
        let last =
            try eve.pipeline((0..<2000).map { "SEND \(room) \($0) \(String(repeating: "y", count: 500))" }).last?.seq
            ?? 0
        let lines = try replies(
            to: "AUTH \(eve.user) Secret123\nSUB since=0 \(room)\n",
            from: scene.daemon,
            secure: secure
        )
        let seqs = lines.filter { $0.word == "EV" && $0["conv"] == room && $0.seq > 0 }.map(\.seq)
        #expect(difference(seqs, Array(1...last)) == nil)
    }

    @Test(arguments: ["BYE", "QUIT", "bye"], [1, 2])
    func `BYE is answered OK, then BYE OK, then the stream ends`(verb: String, loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        try client.send("@p PING x\n@b \(verb)\n@n PING never\n")
        let lines = try client.restOfStream()
        #expect(lines.map(\.word) == ["OK", "OK", "BYE"])
        #expect(lines[1].tag == "b" && lines[2].code == "OK")
    }
}
