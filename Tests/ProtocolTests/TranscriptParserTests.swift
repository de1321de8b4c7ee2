import ChatTesting
import Testing

@Suite("Transcripts are read") struct TranscriptParserTests {
    private func steps(_ lines: String...) throws -> [Transcript.Action] {
        let document = "## Talk\n```transcript\n" + lines.joined(separator: "\n") + "\n```\n"
        return try #require(try TranscriptParser.transcripts(inMarkdown: document).first).steps.map(\.action)
    }

    @Test func `what is sent keeps every blank but the first`() throws {
        #expect(try steps("ada>   SEND #lobby  hi ") == [.send(connection: "ada", line: "  SEND #lobby  hi ")])
    }

    @Test func `what is expected may be indented to stand in a column`() throws {
        #expect(try steps("bob<   OK *") == [.expect(connection: "bob", pattern: TranscriptPattern("OK *"))])
    }

    @Test func `events without a fixed place, gaps and ends have marks of their own`() throws {
        #expect(
            try steps("bob<~ EV conv *", "bob< ...", "bob< (closed)") == [
                .expectAround(connection: "bob", pattern: TranscriptPattern("EV conv *")),
                .skip(connection: "bob"), .expectEnd(connection: "bob"),
            ]
        )
    }

    @Test func `directives prepare, close and restart, other remarks are for the reader`() throws {
        #expect(
            try steps(
                "# given: ada, bob are signed up",
                "# given: ada did CREATE #garden",
                "# a remark > for the reader",
                "",
                "# ada closes",
                "# the server is killed and started again"
            ) == [
                .signUp(["ada", "bob"]), .prepare(connection: "ada", request: "CREATE #garden"),
                .close(connection: "ada"), .restart,
            ]
        )
    }

    @Test(arguments: ["no mark", "Ada> PING", ">", "ada>PING", "ada<", "# given: #1 are signed up", "# given: ada"])
    func `a line of no known form is a fault that names its line`(line: String) {
        let document = "# A\n\n```transcript\n\(line)\n```"
        let fault = #expect(throws: TranscriptParser.Fault.self) {
            _ = try TranscriptParser.transcripts(inMarkdown: document)
        }
        #expect(fault?.line == 4)
    }

    @Test func `only blocks labelled transcript count, with their heading and line`() throws {
        let document = """
            # Manual
            ```sh
            ada> PING
            ```
            ````
            ```transcript
            nonsense
            ```
            ````
            ## Ping
            ```transcript
            ada> PING
            ```
            """
        let found = try TranscriptParser.transcripts(inMarkdown: document)
        #expect(found.map(\.heading) == ["Ping"])
        #expect(found.map(\.line) == [11])
        #expect(found.first?.steps.map(\.line) == [12])
    }
}
