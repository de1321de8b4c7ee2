import ChatTesting
import Foundation
import Testing

/// The many cases are in RecoveryTests; here is that the program refuses as its parts do.
@Suite("Journal files that are missing, empty or exchanged")
struct JournalFileDamageTests {
    /// A daemon that was killed with two segments and an upload, its segments, and a copy of its data.
    private func killed() throws -> (
        daemon: RunningDaemon, segments: [String], base: String, holder: TemporaryDirectory
    ) {
        let daemon = try RunningDaemon(.init(settings: ["snapshot.interval=86400"]))
        let ann = try daemon.user("ann")
        #expect(try ann.upload(tinyPicture, type: "image/png").isOK)
        let text = String(repeating: "x", count: 2000)
        let hasTwo = try holds(within: 30) {
            try ann.ok("SEND #lobby \(text)")
            return Self.segments(daemon).count > 1
        }
        try #require(hasTwo)
        for _ in 0..<5 { try ann.ok("SEND #lobby \(text)") }
        daemon.kill()
        let holder = TemporaryDirectory()
        try JournalFiles(daemon).keep(as: holder.path + "/base")
        return (daemon, Self.segments(daemon).map { daemon.data + "/journal/" + $0 }, holder.path + "/base", holder)
    }

    private static func segments(_ daemon: RunningDaemon) -> [String] {
        entries(of: daemon.data + "/journal").filter { $0.hasSuffix(".log") }
    }

    @Test func `none of them is taken for the end of the journal, or for a new server`() throws {
        let (daemon, segments, base, holder) = try killed()
        defer { withExtendedLifetime(holder) {} }
        let (first, newest) = (segments[0], segments[1])
        let newestName = "journal/" + String(newest.split(separator: "/").last ?? "none")
        let files = FileManager.default
        func after(_ what: String, _ file: String, _ reason: String, _ damage: () throws -> Void) throws {
            try damage()
            try daemon.expectRefusal(file, reason, what)
            try JournalFiles(daemon).putBack(base)
        }
        try after("the newest gone", newestName, "missing") { try files.removeItem(atPath: newest) }
        try after("the newest empty", newestName, "damaged") { try Data().write(to: URL(fileURLWithPath: newest)) }
        try after("the first gone", "snapshot/manifest.json", "missing") { try files.removeItem(atPath: first) }
        try after("the first cut", "journal/000000000001.log", "damaged") {
            let bytes = try #require(files.contents(atPath: first))
            try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: first))
        }
        try after("exchanged", "journal/000000000001.log", "damaged") {
            try files.moveItem(atPath: first, toPath: first + ".moved")
            try files.moveItem(atPath: newest, toPath: first)
            try files.moveItem(atPath: first + ".moved", toPath: newest)
        }
        try after("the newest twice", "journal/", "damaged") {
            try files.copyItem(atPath: newest, toPath: daemon.data + "/journal/000000099999.log")
        }
        try after("all gone, uploads left", "journal", "no segments") {
            for name in entries(of: daemon.data + "/journal") {
                try files.removeItem(atPath: daemon.data + "/journal/" + name)
            }
        }
        try daemon.start()
        #expect(try daemon.client().ok("AUTH anonymous=yes").isOK)
    }
}
