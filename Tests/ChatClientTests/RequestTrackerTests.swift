import ChatClient
import Testing
import Wire

@Suite("Requests and their replies")
struct RequestTrackerTests {
    @Test func `A reply comes with its own rows, events in between do not belong to it`() throws {
        var tracker = RequestTracker<String>()
        #expect(tracker.issue(Request(fixed: "CONVS"), for: "list") == "@c1 CONVS\n")
        #expect(tracker.issue(Request(fixed: "PING"), for: "ping") == "@c2 PING\n")
        guard case .event = tracker.take(try #require(ServerLine("EV msg seq=1"))) else {
            Issue.record("an event is an event")
            return
        }
        guard case .nothing = tracker.take(try #require(ServerLine("ROW @c1 conv conv=#a"))) else {
            Issue.record("a row waits for its end")
            return
        }
        guard case .reply("list", let rows, let end) = tracker.take(try #require(ServerLine("OK @c1 n=1"))) else {
            Issue.record("the reply is complete")
            return
        }
        #expect(rows.map { $0["conv"] } == ["#a"])
        #expect(end.number("n") == 1)
        #expect(tracker.openCount == 1)
    }

    @Test func `A question keeps its request open`() throws {
        var tracker = RequestTracker<Int>()
        _ = tracker.issue(Request(fixed: "AUTH"), for: 7)
        guard case .ask(7, _) = tracker.take(try #require(ServerLine("ASK @c1 password - type it"))) else {
            Issue.record("the question is for the request")
            return
        }
        guard case .reply(7, _, _) = tracker.take(try #require(ServerLine("ERR @c1 BAD-AUTH retry=no - no"))) else {
            Issue.record("its answer ends it")
            return
        }
    }

    @Test(arguments: [
        "OK n=1", "OK @c9 n=1", "ERR @other BAD-LINE - x", "ROW @c9 msg", "HI server=x", "ASK @zz password",
    ])
    func `What answers nothing that was asked is dropped`(_ text: String) throws {
        var tracker = RequestTracker<Int>()
        _ = tracker.issue(Request(fixed: "PING"), for: 1)
        guard case .nothing = tracker.take(try #require(ServerLine(text))) else {
            Issue.record("\(text)")
            return
        }
        #expect(tracker.openCount == 1)
    }

    @Test func `After a lost connection tags are new, so that no late answer fits`() throws {
        var tracker = RequestTracker<Int>()
        _ = tracker.issue(Request(fixed: "PING"), for: 1)
        tracker.forgetAll()
        #expect(tracker.openCount == 0)
        #expect(tracker.issue(Request(fixed: "PING"), for: 2) == "@c2 PING\n")
    }
}
