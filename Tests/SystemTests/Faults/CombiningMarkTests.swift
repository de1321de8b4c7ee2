import ChatTesting
import Testing

@Suite("Bytes, not characters, part the words of a line (B27)")
struct CombiningMarkTests {
    @Test(
        arguments: ["\u{301}%@", "%@\u{301}", "%@\u{fe0f}", "%@\u{200d}", "\u{200d}%@", "\u{200b}%@", "\u{feff}%@"],
        [1, 2]
    )
    func `a mark at a conversation's name makes another name or none`(pattern: String, loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let line = try ann.refusal("SEND \(pattern.replacing("%@", with: room)) x")
        #expect(["BAD-ARG", "NOT-FOUND"].contains(line.code), "\(line)")
        #expect(try ann.allTexts(of: room).isEmpty)
    }

    @Test(arguments: ["\u{301}", "\u{200d}", "\u{fe0f}", "\u{300}\u{327}"], [1, 2])
    func `a mark after a blank, an equals sign or a quote belongs to the value`(mark: String, loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        #expect(try ann.ok("PING \(mark)x")["pong"] == "\(mark)x")
        try ann.ok("SEND nonce=\(mark)n \(room) \(mark)text")
        try ann.ok("SEND text=\"\(mark)quoted\(mark)\" \(room)")
        let texts = try ann.allTexts(of: room)
        #expect(texts.map { Array($0.utf8) } == ["\(mark)text", "\(mark)quoted\(mark)"].map { Array($0.utf8) })
        try ann.expectRefusal("PING\(mark) x", "BAD-VERB")
        #expect(try ann.refusal("PING frob\(mark)=1 x").code == "BAD-ARG")
    }

    @Test(arguments: [1, 2])
    func `composed and decomposed texts are kept as they were sent`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        for text in ["\u{e9}", "e\u{301}", "\u{1100}\u{1161}", "\u{ac00}"] { try ann.ok("SEND \(room) \(text)") }
        let kept = try ann.allTexts(of: room).map { $0.unicodeScalars.map(\.value) }
        #expect(kept == [[0xe9], [0x65, 0x301], [0x1100, 0x1161], [0xac00]])
    }

    @Test(arguments: [1, 2])
    func `composed and decomposed names are one conversation`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = scene.roomName("caf\u{e9}")
        try ann.ok("CREATE \(room)")
        let decomposed = room.replacing("\u{e9}", with: "e\u{301}")
        #expect(try ann.ok("SEND \(decomposed) x")["conv"] == room)
        try ann.expectRefusal("CREATE \(decomposed)", "EXISTS")
    }
}
