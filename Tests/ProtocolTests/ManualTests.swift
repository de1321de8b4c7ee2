import ChatTesting
import Testing

@Suite("The manual is true", .serialized) struct ManualTests {
    @Test func `every line of every example is understood`() throws {
        #expect(try !TranscriptParser.transcripts(inMarkdown: Document.manual.text).isEmpty)
    }

    @Test(arguments: Document.manual.transcripts)
    func `each example of the manual happens as written, over TLS, on a fresh server`(example: Transcript) throws {
        try play(example)
    }

    private func play(_ example: Transcript) throws {
        let daemon = try RunningDaemon()
        var runner = TranscriptRunner(
            open: { try TranscriptClient(to: daemon, isOperator: $0 == "operator") },
            restart: { try daemon.restart() }
        )
        try runner.play(example)
        #expect(daemon.isAlive)
    }
}
