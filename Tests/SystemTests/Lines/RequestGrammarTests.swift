import ChatTesting
import Testing

@Suite("Requests as bytes")
struct RequestGrammarTests {
    private func answer(_ client: TestClient, _ bytes: [UInt8]) throws -> ReceivedLine {
        try client.send(bytes)
        return try client.line()
    }

    @Test(arguments: [1, 2])
    func `leading blanks, blanks between words, any case of the verb and one CR are taken`(loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        #expect(try answer(client, Array("  @low   pInG    hello   \r\n".utf8)).raw == "OK @low pong=hello")
    }

    @Test(arguments: [1, 2])
    func `empty lines are no requests`(loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        #expect(try answer(client, Array("\n   \n\r\n  \r\n@e PING x\n".utf8)).raw == "OK @e pong=x")
    }

    @Test(
        arguments: [
            "@t SEND #lobby \u{0}b", "@t SEND #lobby a\u{1b}b", "@t SEND #lobby a\u{7f}b", "@t SEND #lobby a\rb",
            "@t PING\tx",
            "@t PING \u{8}", "@t SEND #lobby a\r\r", "@t \u{7}",
        ],
        [1, 2]
    )
    func `a raw control character is BAD-LINE with the request's tag`(request: String, loops: Int) throws {
        let client = try Scene(loops).user()
        let line = try answer(client, Array(request.utf8) + [10])
        line.expectRefusal("BAD-LINE", to: request)
        #expect(line.tag == "t")
        try client.ok("PING alive")
    }

    @Test(
        arguments: [
            [0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x80], [0xe2, 0x82],
        ] as [[UInt8]],
        [1, 2]
    )
    func `invalid UTF-8 is BAD-LINE with the request's tag`(bytes: [UInt8], loops: Int) throws {
        let client = try Scene(loops).user()
        let line = try answer(client, Array("@t SEND #lobby a".utf8) + bytes + Array("b\n".utf8))
        line.expectRefusal("BAD-LINE")
        #expect(line.tag == "t")
        try client.ok("PING alive")
    }

    @Test(arguments: [1, 2])
    func `a tag is 1 to 32 letters, digits, hyphens and underscores`(loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        let longest = String(repeating: "aZ0-_", count: 7).prefix(32)
        #expect(try answer(client, Array("@\(longest) PING x\n".utf8)).tag == String(longest))
        for bad in ["@\(longest)x", "@", "@a.b", "@é"] {
            let line = try answer(client, Array("\(bad) PING x\n".utf8))
            #expect(line.isRefusal && line.tag == nil, "\(bad) -> \(line)")
            try client.ok("PING between")
        }
    }

    @Test(arguments: [1, 2])
    func `a line of the announced length is taken, and one byte more is TOO-LONG with its tag`(loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        let head = "@l PING "
        let longest = String(repeating: "x", count: 16_384 - head.utf8.count)
        #expect(try answer(client, Array("\(head)\(longest)\n".utf8)).raw == "OK @l pong=\(longest)")
        #expect(try answer(client, Array("\(head)\(longest)\r\n".utf8)).raw == "OK @l pong=\(longest)")
        let line = try answer(client, Array("\(head)\(longest)x\n".utf8))
        line.expectRefusal("TOO-LONG")
        #expect(line.tag == "l")
        try client.ok("PING alive")
    }

    @Test(arguments: [1, 2])
    func `three overlong lines in a row end the connection, two do not`(loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        let long = Array("PING \(String(repeating: "x", count: 17_000))\n".utf8)
        for _ in 0..<2 { try answer(client, long).expectRefusal("TOO-LONG") }
        try client.ok("PING between")
        for _ in 0..<3 {
            try answer(client, long).expectRefusal("TOO-LONG")
        }
        #expect(client.isEnded(within: 5))
    }

    @Test(arguments: ["FROB x", "PING \u{1}"], [1, 2])
    func `ten bad lines or verbs in a row end the connection, nine do not`(bad: String, loops: Int) throws {
        let client = try Scene(loops).daemon.client()
        for _ in 0..<9 { #expect(try answer(client, Array("\(bad)\n".utf8)).isRefusal) }
        try client.ok("PING between")
        try client.send(String(repeating: "\(bad)\n", count: 10))
        let rest = try client.restOfStream(within: 10)
        #expect(rest.filter(\.isRefusal).count == 10 && rest.last?.word == "BYE")
        #expect(codes.contains(rest.last?.code ?? ""))
    }

    @Test(arguments: [1, 2])
    func `requests are answered in their order, each by exactly one line with its tag`(loops: Int) throws {
        let client = try Scene(loops).user()
        try client.send((0..<300).map { "@p\($0) PING \($0)\n" }.joined())
        for number in 0..<300 { #expect(try client.line().raw == "OK @p\(number) pong=\(number)") }
    }
}
