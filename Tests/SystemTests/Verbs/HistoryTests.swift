import ChatTesting
import Testing

@Suite("HISTORY")
struct HistoryTests {
    /// A room whose messages m0… have these seqs.
    private func filled(_ count: Int, _ loops: Int) throws -> (ann: TestClient, room: String, seqs: [Int]) {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let seqs = try ann.pipeline((0..<count).map { "SEND \(room) m\($0)" }).map(\.seq)
        return (ann, room, seqs)
    }

    @Test(arguments: [1, 2])
    func `without options it is the newest 50 messages, oldest first`(loops: Int) throws {
        let (ann, room, seqs) = try filled(60, loops)
        let reply = try ann.ok("HISTORY \(room)")
        #expect(reply.rows.map(\.seq) == Array(seqs.suffix(50)) && reply["n"] == "50" && reply["more"] == "yes")
        #expect(reply.rows.map(\.text) == (10..<60).map { "m\($0)" } && reply.rows.allSatisfy { $0.kind == "msg" })
        #expect(timesNeverGoBack(reply.rows))
    }

    @Test(arguments: [1, 2])
    func `before and after are exclusive, around is inclusive`(loops: Int) throws {
        let (ann, room, seqs) = try filled(60, loops)
        let before = try ann.ok("HISTORY before=\(seqs[30]) limit=20 \(room)")
        #expect(before.rows.map(\.seq) == Array(seqs[10..<30]) && before["more"] == "yes")
        let first = try ann.ok("HISTORY before=\(seqs[5]) limit=20 \(room)")
        #expect(first.rows.map(\.seq) == Array(seqs[0..<5]) && first["more"] == "no")
        let after = try ann.ok("HISTORY after=\(seqs[30]) limit=20 \(room)")
        #expect(after.rows.map(\.seq) == Array(seqs[31...50]) && after["more"] == "yes")
        let last = try ann.ok("HISTORY after=\(seqs[50]) \(room)")
        #expect(last.rows.map(\.seq) == Array(seqs[51...]) && last["more"] == "no")
        let around = try ann.ok("HISTORY around=\(seqs[30]) limit=5 \(room)").rows.map(\.seq)
        #expect(around.contains(seqs[30]) && around.count == 5 && around == around.sorted())
        #expect((around.last ?? 0) - (around.first ?? 0) == 4)
    }

    @Test(arguments: [1, 2])
    func `a seq that is no message's, or beyond both ends, is a place all the same`(loops: Int) throws {
        let (ann, room, seqs) = try filled(5, loops)
        #expect(try ann.rows("HISTORY after=0 \(room)").map(\.seq) == seqs)
        #expect(try ann.rows("HISTORY before=999999 \(room)").map(\.seq) == seqs)
        #expect(try ann.ok("HISTORY before=1 \(room)")["n"] == "0")
        let beyond = try ann.ok("HISTORY after=999999 \(room)")
        #expect(beyond["n"] == "0" && beyond["more"] == "no")
        #expect(try ann.rows("HISTORY around=1 \(room)").map(\.seq) == seqs)
    }

    @Test(arguments: [1, 2])
    func `a time is a place as well`(loops: Int) throws {
        let (ann, room, _) = try filled(5, loops)
        let rows = try ann.rows("HISTORY \(room)")
        let middle = try #require(rows[2]["ts"])
        let before = try ann.rows("HISTORY before=\(middle) \(room)")
        let after = try ann.rows("HISTORY after=\(middle) \(room)")
        #expect(before.map(\.seq) == rows.filter { ($0["ts"] ?? "") < middle }.map(\.seq))
        #expect(after.map(\.seq) == rows.filter { ($0["ts"] ?? "") > middle }.map(\.seq))
        #expect(try ann.rows("HISTORY before=2100-01-01T00:00:00Z \(room)").count == 5)
        #expect(try ann.rows("HISTORY after=2000-01-01T00:00:00.000Z \(room)").count == 5)
        #expect(try ann.rows("HISTORY around=\(middle) \(room)").map(\.seq) == rows.map(\.seq))
    }

    @Test(arguments: [1, 2])
    func `200 at a time is the most, pages fit together, and only messages come`(loops: Int) throws {
        let (ann, room, seqs) = try filled(450, loops)
        let reply = try ann.ok("HISTORY limit=200 \(room)")
        #expect(reply.rows.count == 200)
        try ann.expectRefusal("HISTORY limit=201 \(room)", "BAD-ARG", field: "limit")
        #expect(difference(try ann.allTexts(of: room), (0..<450).map { "m\($0)" }) == nil)
        #expect(seqs.count == 450)
    }

    @Test(
        arguments: ["limit", "before", "after", "around"],
        [
            "x", "-1", "+5", "05", "0x10", "1e3", "5.0", "٣", "５", "NaN", "\"\"", "18446744073709551616", "2026-01-01",
            "2026-13-01T00:00:00Z",
        ]
    )
    func `what is neither a number nor a time is BAD-ARG`(option: String, value: String) throws {
        let ann = try Scene(1).user()
        try ann.expectRefusal("HISTORY \(option)=\(value) #lobby", "BAD-ARG", field: option)
    }

    @Test(arguments: [1, 2])
    func `strangers are DENIED in public conversations and NOT-FOUND in private ones`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, eve) = (try scene.user(), try scene.user("eve"))
        let (open, closed) = (try scene.room(of: ann), try scene.room(of: ann, isPrivate: true))
        for option in ["", "before=5 ", "after=0 ", "around=1 ", "limit=1 "] {
            try eve.expectRefusal("HISTORY \(option)\(open)", "DENIED")
            try eve.expectRefusal("HISTORY \(option)\(closed)", "NOT-FOUND")
        }
    }

    @Test(arguments: [1, 2])
    func `a new member of a public conversation reads what was before`(loops: Int) throws {
        let (_, room, seqs) = try filled(5, loops)
        let ben = try Scene(loops).user("ben")
        try ben.ok("JOIN \(room)")
        #expect(try ben.rows("HISTORY \(room)").map(\.seq) == seqs)
    }
}
