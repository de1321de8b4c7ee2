import ChatClient
import Testing
import Wire

@Suite("Following conversations over lost connections")
struct TailPlanTests {
    private static let hello = ServerLine("HI server=fcd/1.0 proto=1 log=L1 time=2026-01-05T12:00:00.000Z")

    private func line(_ text: String) throws -> ServerLine { try #require(ServerLine(text)) }

    private func connect(_ plan: inout TailPlan, _ hello: String? = nil) throws -> [String] {
        let hello = try hello.map(line) ?? #require(Self.hello)
        return try plan.connected(hello: hello, user: "ada").map { $0.request.line() }
    }

    private func message(_ conv: String, _ seq: Int) throws -> ServerLine {
        try line("EV msg conv=\(conv) seq=\(seq) ts=2026-01-05T12:00:01.000Z by=bob text=\"m\(seq)\"")
    }

    @Test func `Without options it begins now and resumes behind the newest shown`() throws {
        var plan = TailPlan(conversations: ["#Lobby"], start: .now)
        #expect(try connect(&plan) == ["SUB #Lobby\n"])
        #expect(try plan.subscribed("#Lobby", rows: [], end: line("OK @a conv=#lobby next=10")) == .goOn)
        #expect(try connect(&plan) == ["SUB since=9 #Lobby\n"])
        #expect(try plan.shows(message("#lobby", 10)))
        #expect(try connect(&plan) == ["SUB since=10 #Lobby\n"])
    }

    @Test func `Doubles are dropped`() throws {
        var plan = TailPlan(conversations: ["#a"], start: .since(4))
        #expect(try connect(&plan) == ["SUB since=4 #a\n"])
        _ = try plan.subscribed("#a", rows: [], end: line("OK @a conv=#a next=10"))
        let shown = try [4, 5, 6, 5, 6, 7].filter { try plan.shows(message("#a", $0)) }
        #expect(shown == [5, 6, 7])
    }

    @Test func `Lost between the answer and the first event, last= becomes a fixed place`() throws {
        var plan = TailPlan(conversations: ["#a"], start: .last(5))
        #expect(try connect(&plan) == ["SUB last=5 #a\n"])
        _ = try plan.subscribed("#a", rows: [], end: line("OK @a conv=#a next=100"))
        #expect(try connect(&plan) == ["SUB since=94 #a\n"])
    }

    @Test func `Whatever last= brings first is shown`() throws {
        var plan = TailPlan(conversations: ["#a"], start: .last(2))
        _ = try connect(&plan)
        _ = try plan.subscribed("#a", rows: [], end: line("OK @a conv=#a next=100"))
        #expect(try plan.shows(message("#a", 90)))
    }

    @Test func `A conversation shorter than last= begins at its beginning`() throws {
        var plan = TailPlan(conversations: ["#a"], start: .last(50))
        _ = try connect(&plan)
        _ = try plan.subscribed("#a", rows: [], end: line("OK @a conv=#a next=3"))
        #expect(try connect(&plan) == ["SUB since=0 #a\n"])
    }

    @Test func `What is no longer kept is told, and the stream goes on behind it`() throws {
        var plan = TailPlan(conversations: ["#a"], start: .since(4))
        _ = try connect(&plan)
        let step = try plan.subscribed("#a", rows: [], end: line("ERR @a GONE retry=no first=20 - gone"))
        #expect(step == .ask(try Request("SUB", options: [.init("since", "19")], arguments: ["#a"])))
        #expect(plan.takeNotes().count == 1)
        #expect(plan.takeNotes().isEmpty)
        #expect(try plan.shows(message("#a", 20)))
    }

    @Test func `A cursor overtaken by retention is told`() throws {
        var plan = TailPlan(conversations: ["#a"], start: .since(4))
        _ = try connect(&plan)
        #expect(try !plan.shows(line("EV gone conv=#a first=30")))
        #expect(plan.takeNotes().count == 1)
        #expect(try connect(&plan) == ["SUB since=4 #a\n"])  // the server's spelling is not known yet
    }

    @Test func `A place beyond the end is refused at first and jumped over on resume`() throws {
        var plan = TailPlan(conversations: ["#a"], start: .since(400))
        _ = try connect(&plan)
        let refusal = try line("ERR @a CONFLICT retry=no next=10 - beyond the end")
        #expect(try plan.subscribed("#a", rows: [], end: refusal) == .refused(refusal))

        var resumed = TailPlan(conversations: ["#a"], start: .now)
        _ = try connect(&resumed)
        _ = try resumed.subscribed("#a", rows: [], end: line("OK @a conv=#a next=100"))
        _ = try connect(&resumed, "HI proto=1 log=L2 time=2026-01-05T12:00:00.000Z")
        #expect(resumed.takeNotes().count == 1, "another log is told")
        let step = try resumed.subscribed("#a", rows: [], end: refusal)
        #expect(step == .ask(try Request("SUB", options: [.init("since", "9")], arguments: ["#a"])))
        #expect(try resumed.shows(message("#a", 10)))
    }

    @Test func `A busy server is tried later, once there is something to resume`() throws {
        var plan = TailPlan(conversations: ["#a"], start: .now)
        _ = try connect(&plan)
        let busy = try line("ERR @a BUSY retry=7 - later")
        #expect(try plan.subscribed("#a", rows: [], end: busy) == .refused(busy))
        _ = try plan.subscribed("#a", rows: [], end: line("OK @a conv=#a next=2"))
        #expect(try plan.subscribed("#a", rows: [], end: busy) == .tryLater(code: "BUSY", seconds: 7))
    }

    @Test func `One's own ejection ends a conversation, and the last one ends all`() throws {
        var plan = TailPlan(conversations: ["#a", "#b"], start: .now)
        _ = try connect(&plan)
        _ = try plan.subscribed("#a", rows: [], end: line("OK @a conv=#a next=2"))
        _ = try plan.subscribed("#b", rows: [], end: line("OK @a conv=#b next=2"))
        #expect(try plan.afterwards(line("EV eject conv=#a seq=2 by=eve user=bob")) == .goOn)
        #expect(try plan.afterwards(line("EV eject conv=#a seq=3 by=eve user=ada")) == .goOn)
        #expect(try connect(&plan) == ["SUB since=1 #b\n"])
        guard case .refused = try plan.afterwards(line("EV drop conv=#b seq=2 by=eve")) else {
            Issue.record("nothing is left to follow")
            return
        }
    }

    @Test func `Typing, presence and read markers are not shown`() throws {
        var plan = TailPlan(allFrom: .now)
        for text in ["EV typing conv=#a by=bob", "EV presence user=bob", "EV seen conv=#a by=bob seq=4"] {
            #expect(try !plan.shows(line(text)))
        }
    }

    @Test func `All conversations resume from a time before which everything was shown`() throws {
        var plan = TailPlan(allFrom: .now)
        #expect(try connect(&plan, "HI proto=1 log=L time=T1") == ["SUB all=yes\n"])
        _ = try plan.subscribed("", rows: [line("ROW @a sub conv=#a next=5")], end: line("OK @a n=1"))
        #expect(try !plan.shows(message("#a", 4)))
        #expect(try plan.shows(message("#a", 5)))
        #expect(try plan.shows(message("@ada,bob", 1)), "a new conversation is followed too")

        #expect(try connect(&plan, "HI proto=1 log=L time=T2") == ["SUB all=yes since=T1\n"])
        let rows = try [line("ROW @a sub conv=#a next=8"), line("ROW @a sub conv=@ada,bob next=2")]
        _ = try plan.subscribed("", rows: rows, end: line("OK @a n=2"))
        #expect(try [5, 6].filter { try plan.shows(message("#a", $0)) } == [6])

        #expect(try connect(&plan, "HI proto=1 log=L time=T3") == ["SUB all=yes since=T1\n"], "7 has not come yet")
        _ = try plan.subscribed("", rows: rows, end: line("OK @a n=2"))
        #expect(try [5, 6, 7].filter { try plan.shows(message("#a", $0)) } == [7])
        #expect(try connect(&plan, "HI proto=1 log=L time=T4") == ["SUB all=yes since=T3\n"])
    }
}
