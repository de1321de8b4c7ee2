import ChatTesting
import SystemIO
import Testing

@Suite("A reader by the spoonful gets exactly the expected bytes (B32)")
struct TinyReaderTests {
    @Test(arguments: [true, false], [1, 2])
    func `events and replies to commands sent meanwhile come whole and in order`(secure: Bool, loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let texts = (0..<150).map { "\($0) " + String(repeating: "é漢x", count: 330) }
        _ = try ann.pipeline(texts.map { "SEND \(room) \($0)" })
        let readers = try (0..<8).map { _ in
            try scene.daemon.another(of: ann, .init(isSecure: secure, receiveBuffer: 2048, readSize: 100))
        }
        try together(
            readers.enumerated().map { number, reader in
                { try Self.read(reader, room, texts, seed: UInt64(number)) }
            }
        )
    }

    private static func read(_ client: TestClient, _ room: String, _ texts: [String], seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        try client.ok("SUB since=1 \(room)")
        var tags: [String] = []
        for (index, text) in texts.enumerated() {
            if index.isMultiple(of: 3) { tags.append(try client.begin("HISTORY after=\(index) limit=1 \(room)")) }
            let event = try client.nextEventOrReply(to: &tags)
            #expect(event.seq == index + 2 && event.text == text)
            if Int.random(in: 0..<4, using: &random) == 0 { pauseThread(0.01) }
        }
        while !tags.isEmpty { #expect(try client.reply(to: tags.removeFirst()).rows.count == 1) }
        #expect(try client.hearsNothing("msg"))
    }
}

extension TestClient {
    /// The next event; replies on the way must be those to the oldest of these tags.
    fileprivate func nextEventOrReply(to tags: inout [String]) throws -> ReceivedLine {
        while true {
            if let kept = events.first {
                events.removeFirst()
                return kept
            }
            let line = try line()
            if line.word == "EV" { return line }
            #expect(line.tag == tags.first, "\(line)")
            if line.word == "ROW" {
                let final = try self.line()
                #expect(final.isOK && final.tag == tags.first && final["n"] == "1", "\(final)")
            }
            tags.removeFirst()
        }
    }
}
