import ChatTesting
import SystemIO
import Testing

@Suite("Leaving while others send")
struct LeaveUnderLoadTests {
    /// Sends in pipelined hundreds until `leave` has been answered and then some more.
    private static func load(_ client: TestClient, _ room: String, until stop: Lock<Bool>) throws {
        for round in 0..<60 {
            _ = try client.pipeline((0..<50).map { "SEND \(room) \(round)-\($0)" })
            if stop.withLock({ $0 }) { return }
        }
    }

    /// Everything of the room that a connection has heard by now, as seqs.
    private static func heard(_ client: TestClient, _ room: String) throws -> [Int] {
        try client.ok("PING drained", within: 30)
        defer { client.events.removeAll() }
        return client.events.filter { $0["conv"] == room && $0.seq > 0 }.map(\.seq)
    }

    private static func round(
        _ scene: Scene,
        _ senders: [TestClient],
        _ leavers: [TestClient],
        _ room: String,
        _ pause: Double
    ) throws {
        let stop = Lock(false)
        let left = Lock(0)
        let loads = senders.map { sender in
            { @Sendable in try Self.load(sender, room, until: stop) } as @Sendable () throws -> Void
        }
        let leave: @Sendable () throws -> Void = {
            defer { stop.withLock { $0 = true } }
            pauseThread(pause)
            let reply = try leavers[0].ok("LEAVE \(room)")
            left.withLock { $0 = reply.seq }
        }
        try together(loads + [leave])
        let last = left.withLock { $0 }
        for (number, client) in leavers.enumerated() {
            let seqs = try heard(client, room)
            #expect(
                seqs.allSatisfy { $0 <= last },
                "connection \(number) heard \(seqs.max() ?? 0) after leaving at \(last)"
            )
            #expect(
                zip(seqs, seqs.dropFirst()).allSatisfy { $0 + 1 == $1 },
                "connection \(number) heard a gap or a double"
            )
        }
        let end = try senders[0].ok("SEND \(room) end").seq
        #expect(end > last + 1, "the load must go on after the leave")
        for client in leavers { #expect(try heard(client, room).isEmpty) }
    }

    @Test(arguments: [1, 2])
    func `nothing above the leave's seq reaches any connection of the one who left`(loops: Int) throws {
        let scene = try Scene(loops)
        let senders = try (0..<3).map { try scene.user("sender\($0)") }
        let leaver = try scene.user("leaver")
        let room = try scene.room(of: senders[0], senders[1], senders[2])
        let all = [leaver] + (try (0..<3).map { _ in try scene.daemon.another(of: leaver) })
        var random = SeededRandom(seed: UInt64(loops))
        for number in 0..<4 {
            try leaver.ok("JOIN \(room)")
            for (index, client) in all.enumerated() {
                try client.ok(index == 3 ? "SUB all=yes" : "SUB since=\(number == 0 ? 0 : 1) \(room)")
            }
            try Self.round(scene, senders, all, room, Double.random(in: 0...0.25, using: &random))
        }
    }
}
