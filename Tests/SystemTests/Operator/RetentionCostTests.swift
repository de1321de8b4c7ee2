import ChatTesting
import Foundation
import Testing

@Suite("What it costs to keep little", .serialized, .timeLimit(.minutes(10)))
struct RetentionCostTests {
    /// Only what is sent costs anything.
    private static let settings = ["loops=1", "snapshot.interval=86400", "snapshot.journal-bytes=1099511627776"]

    private func send(_ count: Int, _ room: String, _ text: String, _ client: TestClient) throws {
        for first in stride(from: 0, to: count, by: 250) {
            try client.send((first..<first + 250).map { "SEND \(room) \($0) \(text)\n" }.joined())
            for _ in 0..<250 { try #require(try client.reply(to: nil, within: 60).isOK) }
        }
    }

    @Test func `a message costs the same CPU with max= as without`() throws {
        let daemon = try RunningDaemon(.init(settings: Self.settings))
        let ann = try daemon.user("ann")
        for room in ["#all", "#some"] { try ann.ok("CREATE \(room)") }
        try daemon.operatorClient().ok("ADMIN RETAIN max=1000 #some")
        let text = String(repeating: "x", count: 100)
        func cost(_ room: String) throws -> Double {
            let before = daemon.cpuSeconds
            try send(20_000, room, text, ann)
            return daemon.cpuSeconds - before
        }
        // In turns, so that what else the machine does meets both; the first round only warms up.
        let rounds = try (0..<6).map { _ in (all: try cost("#all"), some: try cost("#some")) }.dropFirst()
        let (all, some) = (rounds.map(\.all).sorted()[2], rounds.map(\.some).sorted()[2])
        print("CPU of 20,000 messages: \(all) s without, \(some) s with max=1000")
        #expect(some < all * 1.3, "\(rounds)")
    }

    @Test func `memory stays where it is while messages come and go`() throws {
        let daemon = try RunningDaemon(.init(settings: Self.settings))
        let ann = try daemon.user("ann")
        try ann.ok("CREATE #some")
        try daemon.operatorClient().ok("ADMIN RETAIN max=1000 #some")
        let text = String(repeating: "x", count: 2000)
        try send(5_000, "#some", text, ann)
        let before = daemon.residentKiB
        try send(30_000, "#some", text, ann)
        let grown = daemon.residentKiB - before
        print("resident: \(before) KiB, \(grown) KiB more after 60 MB")
        #expect(grown < 8 << 10, "\(before) KiB before, \(grown) KiB more")
    }
}
