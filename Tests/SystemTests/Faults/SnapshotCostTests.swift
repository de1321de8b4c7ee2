import ChatTesting
import Foundation
import SystemIO
import Testing

/// The large size of the same is `make snapshot-all` (bench/snapshot.py).
@Suite("A snapshot while people talk (B39)", .serialized)
struct SnapshotCostTests {
    private static let messages = 20_000
    private static let subscribers = 100
    private static let snapshots = 5
    /// Only the operator begins one.
    private static let settings = ["loops=2", "snapshot.interval=86400", "snapshot.journal-bytes=1099511627776"]

    /// A daemon with many messages in #full, and its owner.
    private func full() throws -> (daemon: RunningDaemon, owner: TestClient) {
        let daemon = try RunningDaemon(.init(settings: Self.settings))
        let owner = try daemon.user("owner")
        try owner.ok("CREATE #full")
        try owner.ok("CREATE #talk")
        let text = String(repeating: "y", count: 100)
        for first in stride(from: 0, to: Self.messages, by: 500) {
            try owner.send((first..<(first + 500)).map { "SEND #full \($0) \(text)\n" }.joined())
            for _ in 0..<500 { try #require(try owner.reply(to: nil, within: 60).isOK) }
        }
        return (daemon, owner)
    }

    @Test func `five of them hold nobody up, lose no subscriber, come one at a time, and take little memory`() throws {
        let (daemon, owner) = try full()
        let listeners = try (0..<Self.subscribers).map { _ in
            let client = try daemon.another(of: owner, .init(isSecure: false))
            try client.ok("SUB #talk")
            return client
        }
        let good = Talker(daemon, try daemon.another(of: owner), room: "#talk")
        let before = daemon.residentKiB
        let watch = SnapshotWatch(daemon)
        try together(
            (0..<4).map { part in
                { try good.hear(on: listeners.indices.filter { $0 % 4 == part }.map { listeners[$0] }) }
            }
                + [{ try good.talk() }, { watch.run(until: { good.isOver }) }]
                + [
                    {
                        defer { good.stop() }
                        for _ in 0..<Self.snapshots { try Self.snapshotTwice(daemon) }
                    }
                ]
        )
        let found = watch.found
        #expect(found.mostTemporary <= 1, "two snapshots wrote at once")
        #expect(found.peakKiB <= before * 3 / 2, "\(before) KiB before, \(found.peakKiB) KiB at most")
        let written = daemon.errors.split(separator: "\n").filter { $0.contains("segments-removed") }
        #expect(written.count == 2 * Self.snapshots, "each of them is written to its end")
        // A debug build on a busy machine; what it is on a quiet one says bench/snapshot.py.
        #expect(good.longest < 1, "an OK took \(good.longest) s")
        for listener in listeners { try listener.ok("PING there", within: 30) }
    }

    /// Asks for a snapshot and at once for another: that one waits until the first is written and follows, and both are
    /// answered when they are on disk.
    private static func snapshotTwice(_ daemon: RunningDaemon) throws {
        let (first, second) = (try daemon.operatorClient(), try daemon.operatorClient())
        let snapshot = SnapshotDirectory(daemon)
        let generation = snapshot.generation
        let tags = (try first.begin("ADMIN SNAPSHOT"), try second.begin("ADMIN SNAPSHOT"))
        #expect(try second.reply(to: tags.1, within: 60).isOK)
        #expect(try first.reply(to: tags.0, within: 60).isOK)
        #expect(snapshot.generation == generation + 2 && snapshot.files == snapshot.named)
    }

    @Test func `killed in the middle of five of them, it loses nothing that was acknowledged`() throws {
        let (daemon, owner) = try full()
        let snapshot = SnapshotDirectory(daemon)
        var (acknowledged, inTheMiddle, tries): ([String], Int, Int) = ([], 0, 0)
        while inTheMiddle < Self.snapshots, tries < 40 {
            tries += 1
            let (sender, admin) = (try daemon.another(of: owner), try daemon.operatorClient())
            let generation = snapshot.generation
            // Something of every kind of file changes, so that each has to be written.
            for text in ["\(tries)-a", "\(tries)-b"] {
                try sender.ok("SEND #talk \(text)")
                acknowledged.append(text)
            }
            _ = try admin.begin("ADMIN SNAPSHOT")
            _ = holds(within: 2, every: 0.000_2) {
                snapshot.generation > generation || snapshot.files.contains { $0.hasSuffix(".tmp") }
            }
            daemon.kill()
            if snapshot.generation == generation { inTheMiddle += 1 }
            try daemon.start()
            #expect(try daemon.another(of: owner).allTexts(of: "#talk") == acknowledged)
        }
        #expect(inTheMiddle == Self.snapshots, "\(inTheMiddle) of \(tries) kills came in time")
        let reader = try daemon.another(of: owner)
        for number in [0, 1, Self.messages / 2, Self.messages - 1] {
            let page = try reader.rows("HISTORY after=\(number + 1) limit=1 #full")
            #expect(page.first?.text?.hasPrefix("\(number) y") == true, "message \(number)")
        }
        #expect(try reader.rows("HISTORY limit=1 #full").first?.seq == Self.messages + 1)
    }
}
