import ChatTesting
import Testing

@Suite("Transcripts are played") struct TranscriptRunnerTests {
    private func play(_ lines: [String], with connections: [String: ScriptedConnection]) throws {
        let document = "```transcript\n" + lines.joined(separator: "\n") + "\n```"
        let transcript = try #require(try TranscriptParser.transcripts(inMarkdown: document).first)
        var runner = TranscriptRunner(
            open: { name in try #require(connections[name], "no connection named \(name)") },
            restart: {}
        )
        try runner.play(transcript)
    }

    /// The document's line at which playing fails; nil when it does not.
    private func failure(_ lines: String..., with connections: [String: ScriptedConnection]) throws -> Int? {
        do {
            try play(lines, with: connections)
            return nil
        } catch let failure as TranscriptFailure {
            return failure.line
        }
    }

    @Test func `requests are sent, answers compared, connections closed`() throws {
        let ada = ScriptedConnection(answers: ["PING x": ["OK pong=x"]])
        #expect(try failure("ada> PING x", "ada< OK pong=x", with: ["ada": ada]) == nil)
        #expect(ada.sent.first == "PING x")
        #expect(ada.isClosed)
    }

    @Test func `the greeting is passed over unless it is shown`() throws {
        #expect(try failure("ada< HI proto=1", with: ["ada": ScriptedConnection()]) == nil)
        #expect(try failure("ada< HI proto=2", with: ["ada": ScriptedConnection()]) == 2)
        #expect(try failure("ada< OK", with: ["ada": ScriptedConnection(["OK"])]) == 2)
    }

    @Test func `another line than the expected one is a failure`() throws {
        let ada = ScriptedConnection(answers: ["PING x": ["EV auth", "OK pong=x"]])
        #expect(try failure("ada> PING x", "ada< OK pong=x", with: ["ada": ada]) == 3)
    }

    @Test func `silence is a failure, not an endless wait`() throws {
        #expect(try failure("ada> PING x", "ada< OK pong=x", with: ["ada": ScriptedConnection()]) == 3)
    }

    @Test func `a line that nobody expected is found at the end`() throws {
        let ada = ScriptedConnection(answers: ["PING x": ["OK pong=x", "EV auth"]])
        #expect(try failure("ada> PING x", "ada< OK pong=x", with: ["ada": ada]) == 3)
    }

    @Test(arguments: [["OK a", "EV b"], ["EV b", "OK a"]])
    func `an event without a fixed place may come before or after its neighbours`(said: [String]) throws {
        let ada = ScriptedConnection(answers: ["SEND": said])
        #expect(try failure("ada> SEND", "ada< OK a", "ada<~ EV b", with: ["ada": ada]) == nil)
    }

    @Test func `but it must come`() throws {
        let ada = ScriptedConnection(answers: ["SEND": ["OK a"]])
        #expect(try failure("ada> SEND", "ada< OK a", "ada<~ EV b", with: ["ada": ada]) == 4)
    }

    @Test func `left out lines end with the next expected one`() throws {
        let answers = ["HELP": ["ROW a", "ROW b", "ROW c", "OK n=3"]]
        let lines = ["ada> HELP", "ada< ...", "ada< ROW b", "ada< ROW c", "ada< OK n=3"]
        try play(lines, with: ["ada": ScriptedConnection(answers: answers)])
        #expect(throws: TranscriptFailure.self) {
            try play(
                ["ada> HELP", "ada< ...", "ada< ROW a", "ada< ROW c"],
                with: ["ada": ScriptedConnection(answers: answers)]
            )
        }
    }

    @Test func `the end of a connection can be expected`() throws {
        let ends = ["ada": ScriptedConnection(["HI", "BYE OK"].map { $0 + " x" }, ends: true)]
        #expect(try failure("ada< BYE OK x", "ada< (closed)", with: ends) == nil)
        let stays = ["ada": ScriptedConnection(["HI x", "EV x"])]
        #expect(try failure("ada< (closed)", with: stays) == 2)
    }

    @Test func `what is given must be answered OK, and its events are not part of the example`() throws {
        let signUp = "SIGNUP name=ada ada@example.test Secret123"
        let settled = ["EV conv", "OK pong=settled"]
        let ada = ScriptedConnection(answers: [signUp: ["OK user=ada"], "PING settled": settled])
        #expect(try failure("# given: ada is signed up", with: ["ada": ada]) == nil)
        let refused = ScriptedConnection(answers: [signUp: ["ERR EXISTS"]])
        #expect(try failure("# given: ada is signed up", with: ["ada": refused]) == 2)
    }

    @Test func `a remembered value is sent again`() throws {
        let answers = ["SIGNUP": ["OK token=t1"], "AUTH token=t1": ["OK"]]
        let ada = ScriptedConnection(answers: answers)
        #expect(
            try failure("ada> SIGNUP", "ada< OK token={t}", "ada> AUTH token={t}", "ada< OK", with: ["ada": ada])
                == nil
        )
    }
}
