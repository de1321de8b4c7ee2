import ChatTesting
import SystemIO
import Testing

@Suite("Resuming")
struct ResumeTests {
    /// Follows a room with a connection that is lost again and again; the seqs it heard, one list over all.
    private static func follow(
        _ daemon: RunningDaemon,
        token: String,
        _ room: String,
        upTo last: @Sendable () -> Int?,
        seed: UInt64
    ) throws -> [Int] {
        var random = SeededRandom(seed: seed)
        var seqs: [Int] = []
        let end = monotonicSeconds() + 90
        while monotonicSeconds() < end {
            if let last = last(), seqs.last == last { return seqs }
            guard let client = try? daemon.client(), let reply = try? client.request("AUTH token=\(token)"), reply.isOK
            else {
                pauseThread(0.02)
                continue
            }
            do throws(ClientFailure) {
                try hear(client, room, atMost: Int.random(in: 1...400, using: &random), into: &seqs)
            } catch {
                // The daemon may have been killed meanwhile: the next connection goes on from what was heard.
                guard error.isLoss else { throw error }
            }
            if Bool.random(using: &random) { client.reset() } else { client.close() }
        }
        return seqs
    }

    private static func hear(
        _ client: TestClient,
        _ room: String,
        atMost count: Int,
        into seqs: inout [Int]
    ) throws(ClientFailure) {
        try client.ok("SUB since=\(seqs.last ?? 0) \(room)")
        for _ in 0..<count {
            guard let event = try client.logEvents(of: room, count: 1, within: 0.5).first else { return }
            seqs.append(event.seq)
        }
    }

    @Test(arguments: [1, 2])
    func `a subscriber that loses its connection again and again misses nothing and hears nothing twice`(loops: Int)
        throws
    {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let last = Lock<Int?>(nil)
        let heard = Lock<[Int]>([])
        let token = ben.token
        try together([
            {
                var seq = 0
                for round in 0..<100 {
                    seq = try ann.pipeline((0..<30).map { "SEND \(room) \(round)-\($0)" }).last?.seq ?? 0
                }
                last.withLock { $0 = seq }
            },
            {
                let seqs = try Self.follow(scene.daemon, token: token, room, upTo: { last.withLock { $0 } }, seed: 3)
                heard.withLock { $0 = seqs }
            },
        ])
        #expect(difference(heard.withLock { $0 }, Array(1...3002)) == nil)
    }

    @Test(arguments: [1, 2])
    func `the same across kill -9, with a sender that repeats what was not answered`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        let room = "#room"
        try ann.ok("CREATE \(room)")
        try ben.ok("JOIN \(room)")
        let sender = StubbornSender(daemon, token: ann.token, room: room, stem: "m")
        let last = Lock<Int?>(nil)
        let heard = Lock<[Int]>([])
        let token = ben.token
        try together([
            {
                try sender.run(count: 1500)
                let final = sender.acknowledged.withLock { $0.last?.seq }
                last.withLock { $0 = final }
            },
            {
                let seqs = try Self.follow(daemon, token: token, room, upTo: { last.withLock { $0 } }, seed: 4)
                heard.withLock { $0 = seqs }
            },
            {
                var random = SeededRandom(seed: UInt64(loops))
                for _ in 0..<3 {
                    pauseThread(Double.random(in: 0.05...0.6, using: &random))
                    try daemon.restart()
                }
            },
        ])
        let seqs = heard.withLock { $0 }
        #expect(difference(seqs, Array(1...1502)) == nil)
        let kept = try daemon.another(of: ann).allTexts(of: room)
        #expect(difference(kept, (0..<1500).map { "m-\($0)" }) == nil)
    }

    @Test(arguments: [1, 2])
    func `nonces answer the same seq with dup=yes after kill -9`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let ann = try daemon.user("ann")
        try ann.ok("CREATE #a")
        try ann.ok("CREATE #b")
        let before = try ann.pipeline((0..<300).map { "SEND nonce=n\($0) #a v\($0)" })
        let log = ann.hi?["log"]
        try daemon.restart()
        let again = try daemon.another(of: ann)
        #expect(again.hi?["log"] == log)
        let after = try again.pipeline((0..<300).map { "SEND nonce=n\($0) #a v\($0)" })
        #expect(difference(after.map(\.seq), before.map(\.seq)) == nil && after.allSatisfy { $0["dup"] == "yes" })
        #expect(after.map { $0["ts"] } == before.map { $0["ts"] })
        try again.expectRefusal("SEND nonce=n7 #b v7", "CONFLICT")
        #expect(try again.ok("SEND nonce=new #a x").seq == (before.last?.seq ?? 0) + 1)
    }
}
