import ChatTesting
import Foundation
import Testing

@Suite("A snapshot that is not whole")
struct SnapshotDamageTests {
    /// A daemon that ended with a snapshot and a trimmed journal, and a copy of its data.
    private func ended() throws -> (daemon: RunningDaemon, base: String, holder: TemporaryDirectory) {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        try ann.ok("CREATE #room")
        for number in 0..<20 { try ann.ok("SEND #room \(number)") }
        #expect(daemon.terminate(within: 5) == 0)
        let holder = TemporaryDirectory()
        try JournalFiles(daemon).keep(as: holder.path + "/base")
        return (daemon, holder.path + "/base", holder)
    }

    @Test func `a file that is changed, cut or missing is named, and nothing is changed`() throws {
        let (daemon, base, holder) = try ended()
        defer { withExtendedLifetime(holder) {} }
        let snapshot = SnapshotDirectory(daemon)
        #expect(snapshot.named.count == 5)
        for name in snapshot.named {
            let path = snapshot.path + "/" + name
            let sound = try #require(FileManager.default.contents(atPath: path))
            var changed = sound
            changed[sound.count / 2] ^= 1
            try changed.write(to: URL(fileURLWithPath: path))
            try daemon.expectRefusal("snapshot/" + name, "damaged")
            try sound.dropLast(sound.count / 3).write(to: URL(fileURLWithPath: path))
            try daemon.expectRefusal("snapshot/" + name, "damaged")
            try FileManager.default.removeItem(atPath: path)
            try daemon.expectRefusal("snapshot/" + name, "missing")
            try JournalFiles(daemon).putBack(base)
        }
    }

    @Test func `an empty or half snapshot is never taken for no data`() throws {
        let (daemon, base, holder) = try ended()
        defer { withExtendedLifetime(holder) {} }
        let snapshot = SnapshotDirectory(daemon)
        for name in snapshot.named { try FileManager.default.removeItem(atPath: snapshot.path + "/" + name) }
        try daemon.expectRefusal("snapshot/manifest.json", "missing")
        try FileManager.default.removeItem(atPath: snapshot.path)
        try FileManager.default.createDirectory(atPath: snapshot.path, withIntermediateDirectories: false)
        try daemon.expectRefusal("snapshot/manifest.json", "missing")
        try JournalFiles(daemon).putBack(base)
        for name in entries(of: daemon.data + "/journal") {
            try FileManager.default.removeItem(atPath: daemon.data + "/journal/" + name)
        }
        try daemon.expectRefusal("journal", "damaged")
        try FileManager.default.removeItem(atPath: snapshot.path + "/manifest.json")
        try daemon.expectRefusal("journal", "damaged")
    }

    @Test func `a snapshot of a newer version is refused as such`() throws {
        let (daemon, _, holder) = try ended()
        defer { withExtendedLifetime(holder) {} }
        let path = SnapshotDirectory(daemon).path + "/manifest.json"
        try Data("{\"format\":9,\"new\":true}\n".utf8).write(to: URL(fileURLWithPath: path))
        try daemon.expectRefusal("snapshot/manifest.json", "newer")
    }

    @Test func `what an end in the middle left is removed at the next start`() throws {
        let (daemon, _, holder) = try ended()
        defer { withExtendedLifetime(holder) {} }
        let snapshot = SnapshotDirectory(daemon)
        for name in ["accounts-000.9.json", "manifest.json.tmp", "timeline-000.9.json.tmp"] {
            try Data("half".utf8).write(to: URL(fileURLWithPath: snapshot.path + "/" + name))
        }
        try daemon.start()
        #expect(snapshot.files == snapshot.named)
    }
}
