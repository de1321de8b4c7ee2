import ChatTesting
import SystemIO

/// One who says a number each 10 ms and measures how long the OK takes, and those who hear all of it.
final class Talker: Sendable {
    private struct Spoken {
        var count = 0
        var longest = 0.0
        var isStopping = false
        var isOver = false
    }

    private let client: TestClient
    private let room: String
    private let spoken = Lock(Spoken())

    init(_ daemon: RunningDaemon, _ client: TestClient, room: String) { (self.client, self.room) = (client, room) }

    /// Seconds of the slowest SEND.
    var longest: Double { spoken.withLock { $0.longest } }
    /// Nothing is said any more.
    var isOver: Bool { spoken.withLock { $0.isOver } }

    func stop() { spoken.withLock { $0.isStopping = true } }

    /// Talks until `stop`.
    func talk() throws {
        defer { spoken.withLock { $0.isOver = true } }
        while spoken.withLock({ !$0.isStopping }) {
            let start = monotonicSeconds()
            try client.ok("SEND \(room) \(spoken.withLock { $0.count })", within: 30)
            let took = monotonicSeconds() - start
            spoken.withLock {
                $0 = Spoken(count: $0.count + 1, longest: max($0.longest, took), isStopping: $0.isStopping)
            }
            pauseThread(0.01 - took)
        }
    }

    /// Reads on all these connections until they have heard everything.
    /// - Throws: `ClientFailure` when one is cut off, misses a message, or hears it out of place.
    func hear(on listeners: [TestClient]) throws {
        var next = 0
        while true {
            let (count, isOver) = spoken.withLock { ($0.count, $0.isOver) }
            if next == count {
                if isOver { return }
                pauseThread(0.005)
                continue
            }
            for listener in listeners {
                let event = try listener.event("msg", within: 30)
                guard event?.text == "\(next)" else {
                    throw ClientFailure.outOfPlace("\(event?.raw ?? "nothing") where \(next) belongs")
                }
            }
            next += 1
        }
    }
}
