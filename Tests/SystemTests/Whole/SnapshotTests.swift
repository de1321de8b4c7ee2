import ChatTesting
import Foundation
import Testing

@Suite("Snapshots of a running server")
struct SnapshotTests {
    private static let often = ["snapshot.journal-bytes=4096", "snapshot.interval=86400"]
    private static let long = String(repeating: "x", count: 3900)

    @Test(arguments: [1, 2])
    func `the journal is trimmed, and a start gives everything back`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"] + Self.often))
        let snapshot = SnapshotDirectory(daemon)
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        try ann.ok("CREATE private=yes title=\"T\" #den")
        try ann.ok("INVITE #den ben")
        try ben.ok("JOIN #den")
        for number in 0..<60 {
            try ann.ok("SEND nonce=n\(number) #den \(number) \(String(repeating: "y", count: 200))")
        }
        try ben.ok("SEND @ann hi")
        #expect(snapshot.isNewer(than: 1))
        #expect(holds(within: 10) { !entries(of: daemon.data + "/journal").contains("000000000001.log") })
        let before = try (
            ann.rows("CONVS"), ann.rows("MEMBERS #den"), ann.rows("HISTORY limit=100 #den"), ben.rows("CONVS")
        )
        try daemon.restart()
        let (ann2, ben2) = (try daemon.another(of: ann), try daemon.another(of: ben))
        let after = try (
            ann2.rows("CONVS"), ann2.rows("MEMBERS #den"), ann2.rows("HISTORY limit=100 #den"), ben2.rows("CONVS")
        )
        #expect(before.0.map(\.withoutTag) == after.0.map(\.withoutTag))
        #expect(before.1.map(\.withoutTag) == after.1.map(\.withoutTag))
        #expect(before.2.map(\.withoutTag) == after.2.map(\.withoutTag))
        #expect(before.3.map(\.withoutTag) == after.3.map(\.withoutTag))
        #expect(try ann2.ok("SEND nonce=n7 #den again")["dup"] == "yes")
    }

    @Test func `SIGTERM leaves a whole snapshot, and the journal behind it is empty`() throws {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        try ann.ok("SEND #lobby hello")
        #expect(daemon.terminate(within: 5) == 0)
        let snapshot = SnapshotDirectory(daemon)
        #expect(snapshot.generation == 1)
        #expect(snapshot.files == snapshot.named)
        #expect(JournalFiles(daemon).records.filter { $0 == 0x0A }.count == 1, "the first line, and no record")
        try daemon.start()
        #expect(try daemon.another(of: ann).allTexts(of: "#lobby") == ["hello"])
    }

    @Test func `shards in which nothing changed, and long stretches, are written once`() throws {
        let daemon = try RunningDaemon(.init(settings: Self.often))
        let snapshot = SnapshotDirectory(daemon)
        let ann = try daemon.user("ann")
        for number in 0..<20 { try ann.ok("CREATE #room\(number)") }
        for _ in 0..<600 { try ann.ok("SEND #room19 \(Self.long)") }
        #expect(holds(within: 20) { snapshot.files.contains { $0.hasPrefix("timeline/21/") } })
        try ann.ok("SEND #room19 \(Self.long)")
        #expect(daemon.terminate(within: 5) == 0)
        let stretches = snapshot.files.filter { $0.hasPrefix("timeline/21/") }
        #expect(stretches.count == 2, "2.4 MB of lines are two stretches of 1 MiB and a tail")
        let kept = try (["accounts-000", "timeline-000"].map { try #require(snapshot.file($0)) } + stretches)
        let inodes = try kept.map(snapshot.inode)
        let generation = snapshot.generation
        try daemon.start()
        let again = try daemon.another(of: ann)
        for _ in 0..<3 { try again.ok("SEND #room19 \(Self.long)") }
        #expect(snapshot.isNewer(than: generation))
        #expect(daemon.terminate(within: 5) == 0)
        #expect(snapshot.generation > generation + 1)
        #expect(try kept.map(snapshot.inode) == inodes)
        #expect(snapshot.files == snapshot.named)
    }

    @Test func `with umask 000 no file or directory is open to others at any time`() throws {
        let daemon = try RunningDaemon(.init(settings: Self.often, umask: "000"))
        let ann = try daemon.user("ann")
        var seen: Set<String> = []
        for _ in 0..<40 {
            for _ in 0..<5 { try ann.ok("SEND #lobby \(Self.long)") }
            let inside = FileManager.default.enumerator(atPath: daemon.data)?.compactMap { $0 as? String } ?? []
            for name in inside {
                // A temporary file may be gone by now.
                guard let found = try? FileManager.default.attributesOfItem(atPath: daemon.data + "/" + name) else {
                    continue
                }
                let mode = (found[.posixPermissions] as? NSNumber)?.intValue ?? -1
                #expect(mode & 0o077 == 0, "\(name) has mode \(String(mode, radix: 8))")
                seen.insert(name)
            }
        }
        #expect(seen.contains { $0.hasPrefix("snapshot/accounts-000.") })
    }
}
