import ChatTesting
import Foundation
import Testing

@Suite("ADMIN RETAIN", .timeLimit(.minutes(10)))
struct RetentionTests {
    private func seqs(_ client: TestClient, _ room: String) throws -> [Int] {
        try client.rows("HISTORY limit=200 \(room)").map(\.seq)
    }

    /// A room of one with messages m0…, of which the newest `kept` are left; their seqs.
    private func trimmed(
        _ count: Int,
        kept: Int,
        _ loops: Int
    ) throws -> (scene: Scene, ann: TestClient, room: String, seqs: [Int]) {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let sent = try ann.pipeline((0..<count).map { "SEND \(room) m\($0)" }).map(\.seq)
        #expect(try scene.daemon.operatorClient().ok("ADMIN RETAIN max=\(kept) \(room.uppercased())")["conv"] == room)
        let left = Array(sent.suffix(kept))
        #expect(try holds(within: 10) { try seqs(ann, room) == left })
        return (scene, ann, room, left)
    }

    @Test(arguments: [1, 2])
    func `max= keeps the newest messages, of what is there and of what comes`(loops: Int) throws {
        let (_, ann, room, left) = try trimmed(20, kept: 5, loops)
        let reply = try ann.ok("HISTORY before=\(left[1]) \(room)")
        #expect(reply.rows.map(\.seq) == [left[0]] && reply["more"] == "no")
        let more = try ann.pipeline((0..<3).map { "SEND \(room) more\($0)" }).map(\.seq)
        #expect(more == [left[4] + 1, left[4] + 2, left[4] + 3])
        #expect(try holds(within: 10) { try seqs(ann, room) == left.suffix(2) + more })
    }

    @Test(arguments: [1, 2])
    func `a cursor older than what is kept is GONE and tells the first seq, from which on all is there`(
        loops: Int
    ) throws {
        let (_, ann, room, left) = try trimmed(20, kept: 5, loops)
        for since in [0, 1, left[0] - 2] {
            let line = try ann.expectRefusal("SUB since=\(since) \(room)", "GONE")
            #expect(line.number("first") == left[0], "\(line)")
        }
        try ann.ok("SUB since=\(left[0] - 1) \(room)")
        #expect(try ann.logEvents(of: room, count: 5).map(\.seq) == left)
        try ann.ok("SUB last=1000 \(room)")
        #expect(try ann.logEvents(of: room, count: 5).map(\.seq) == left)
    }

    @Test(arguments: [1, 2])
    func `what happens to a message that is kept no more is GONE`(loops: Int) throws {
        let (_, ann, room, left) = try trimmed(20, kept: 5, loops)
        for request in ["EDIT \(room) 2 x", "DELETE \(room) 2", "EMOTE \(room) 2 👍"] {
            try ann.expectRefusal(request, "GONE")
        }
        try ann.ok("EDIT \(room) \(left[0]) x")
    }

    @Test(arguments: [1, 2])
    func `age= lets messages go when their time is over`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        _ = try ann.pipeline((0..<5).map { "SEND \(room) m\($0)" })
        try scene.daemon.operatorClient().ok("ADMIN RETAIN age=1h \(room)")
        #expect(try seqs(ann, room).count == 5)
        try scene.daemon.operatorClient().ok("ADMIN RETAIN age=1s \(room)")
        #expect(try holds(within: 15, every: 0.1) { try seqs(ann, room).isEmpty })
        try ann.expectRefusal("SUB since=1 \(room)", "GONE")
        #expect(try ann.ok("SEND \(room) next").seq == 7)
    }

    @Test(arguments: [1, 2])
    func `other conversations keep what they have`(loops: Int) throws {
        let (scene, ann, _, _) = try trimmed(20, kept: 5, loops)
        let other = try scene.room(of: ann)
        _ = try ann.pipeline((0..<20).map { "SEND \(other) m\($0)" })
        #expect(try seqs(ann, other).count == 20)
        try ann.ok("SUB since=0 \(other)")
    }

    @Test(arguments: [1, 2])
    func `a cursor that it overtakes is told so, and goes on from the first that is kept`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let ann = try daemon.user("ann")
        try ann.ok("CREATE #room")
        let slow = try daemon.another(of: ann, .init(receiveBuffer: 4096))
        try slow.ok("SUB since=0 #room")
        let text = String(repeating: "x", count: 3000)
        let last = try ann.pipeline((0..<4000).map { _ in "SEND #room \(text)" }, within: 120).last?.seq ?? 0
        let admin = try daemon.operatorClient()
        func isFarBehind() throws -> Bool { try admin.rows("ADMIN CLIENTS").contains { $0.number("behind") > 1 << 20 } }
        #expect(try isFarBehind(), "it has to be slow")
        try admin.ok("ADMIN RETAIN max=5 #room")
        #expect(try holds(within: 10) { try seqs(ann, "#room").count == 5 })
        // Whoever follows at the pace of those who talk misses nothing, so the lines go a little later.
        #expect(try holds(within: 30) { try !isFarBehind() })
        var (next, jumps) = (1, 0)
        while next <= last, let event = try slow.event(within: 30, ["conv": "#room"]) {
            if event.kind == "gone" {
                #expect(event.number("first") > next && event.number("first") <= last - 4, "\(event)")
                (next, jumps) = (event.number("first"), jumps + 1)
            } else if event.seq > 0 {
                guard event.seq == next else {
                    Issue.record("seq \(event.seq) in place of \(next)")
                    break
                }
                next += 1
            }
        }
        #expect(next == last + 1 && jumps >= 1)
    }

    @Test func `it counts after kill -9, and after a snapshot no file holds what is gone`() throws {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        try ann.ok("CREATE #room")
        for number in 0..<10 { try ann.ok("SEND #room \(number < 5 ? "forgotten" : "remembered")") }
        try daemon.operatorClient().ok("ADMIN RETAIN max=5 #room")
        #expect(try holds(within: 10) { try seqs(ann, "#room").count == 5 })
        for isSnapshot in [false, true] {
            if isSnapshot { try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30) }
            try daemon.restart()
            let again = try daemon.another(of: ann)
            #expect(try again.allTexts(of: "#room") == [String](repeating: "remembered", count: 5))
            try again.expectRefusal("SUB since=1 #room", "GONE")
        }
        #expect(try DirectoryContents(daemon.data).names(holding: "forgotten").isEmpty)
        let again = try daemon.another(of: ann)
        let newest = try again.ok("SEND #room remembered").seq
        #expect(try holds(within: 10) { try seqs(again, "#room") == Array(newest - 4...newest) })
    }

    @Test(
        arguments: [
            ("max=x %@", "BAD-ARG", "max"), ("max=-1 %@", "BAD-ARG", "max"), ("age=10 %@", "BAD-ARG", "age"),
            ("age=x %@", "BAD-ARG", "age"), ("frob=1 %@", "BAD-ARG", "frob"), ("max=5", "BAD-ARG", nil),
            ("max=5 #nobody-made-this", "NOT-FOUND", nil),
        ] as [(String, String, String?)]
    )
    func `a wrong request is refused and names what is wrong`(words: String, code: String, field: String?) throws {
        let scene = try Scene(1)
        let room = try scene.room(of: try scene.user())
        let request = "ADMIN RETAIN \(words.replacing("%@", with: room))"
        try scene.daemon.operatorClient().expectRefusal(request, code, field: field)
    }
}
