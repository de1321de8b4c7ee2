import ChatTesting
import Foundation
import SystemIO
import Testing

/// Data directories that a real daemon has written, with everything in them that it writes today: accounts, guests,
/// sessions, settings, uploads, groups of records, conversations of all kinds. Made once, read by many tests.
final class SampleData: Sendable {
    /// Killed with a small snapshot and, behind it, one segment of more than 64 KiB.
    static let killed = Result { try SampleData(hasStretches: false, isKilled: true) }
    /// The newest segment of its journal.
    static let newestSegment = Result { try killed.get().newestSegment() }
    /// Ended in peace behind a snapshot with all kinds of files, also long stretches of a conversation.
    static let ended = Result { try SampleData(hasStretches: true, isKilled: false) }

    private let daemon: RunningDaemon
    /// The journal and the snapshot as they were right behind the first snapshot.
    let older: [String: [UInt8]]
    var path: String { daemon.data }

    /// Messages of 3,900 letters that make a conversation longer than two stretches.
    private static let longMessages = 560

    private init(hasStretches: Bool, isKilled: Bool) throws {
        let daemon = try RunningDaemon(.init(settings: ["snapshot.interval=86400"]))
        self.daemon = daemon
        let people = try ["ann", "ben", "cleo", "dora"].map { try daemon.user($0) }
        try Self.open(people, daemon, hasStretches: hasStretches)
        try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 60)
        older = try contents(of: daemon.data).filter { $0.key.hasPrefix("journal/0") || $0.key.hasPrefix("snapshot/") }
            .mapValues { withoutZeros(Data($0)) }
        try Self.begin(people, daemon)
        // A new segment may begin meanwhile.
        for round in 0..<6 where try round == 0 || newestSegment().end < 72 << 10 {
            try Self.talk(people, daemon, round)
        }
        try people[3].ok("LOGOUT")
        for _ in 0..<4 {
            // Two that belong together: what a guest is, and the message that makes it worth writing down.
            let guest = try daemon.client()
            try guest.ok("AUTH anonymous=yes")
            try guest.ok("SEND nonce=g #lobby a guest's record comes before this")
        }
        // Sent together and so, mostly, in one batch: the last ones that no later record speaks of.
        _ = try people[1].pipeline((0..<5).map { "SEND #garden the end \($0)" })
        if isKilled { daemon.kill() } else { #expect(daemon.terminate(within: 30) == 0) }
        try? FileManager.default.removeItem(atPath: daemon.control)
    }

    /// The newest segment of the journal.
    private func newestSegment() throws -> RecordMap {
        let names = try FileManager.default.contentsOfDirectory(atPath: path + "/journal")
        let name = try #require(names.filter { $0.hasSuffix(".log") }.max())
        return RecordMap(withoutZeros(try Data(contentsOf: URL(fileURLWithPath: path + "/journal/" + name))))
    }

    /// What stands in the first snapshot.
    private static func open(_ people: [TestClient], _ daemon: RunningDaemon, hasStretches: Bool) throws {
        let (ann, ben) = (people[0], people[1])
        try ann.ok(#"CREATE title="Töpfe \"q\"" #garden"#)
        try ann.ok("CREATE private=yes #den")
        for other in people[1...] {
            try other.ok("JOIN #garden")
            try ann.ok("INVITE #den \(other.user)")
        }
        try ben.ok("JOIN #den")
        try ben.ok("SEND @ann the first message also creates")
        if hasStretches {
            let text = String(repeating: "x", count: 3900)
            try ann.ok("CREATE #long")
            _ = try ann.pipeline((0..<longMessages).map { "SEND #long \($0) \(text)" })
        } else {
            // More than 64 KiB, so that a segment is filled ahead for what comes.
            _ = try ann.pipeline((0..<40).map { "SEND #garden \($0) \(String(repeating: "y", count: 2000))" })
        }
    }

    /// What stands in the journal behind it: what happens once,
    private static func begin(_ people: [TestClient], _ daemon: RunningDaemon) throws {
        let picture = try people[0].upload(tinyPicture, type: "image/png", "name=dot.png")
        try people[0].ok("SEND blob=\(picture["blob"] ?? "") #garden a picture")
        try daemon.operatorClient().ok("ADMIN SET limits.rate on")
        try daemon.operatorClient().ok("ADMIN SET limits.rate off")
        for (number, person) in people.enumerated() {
            try person.ok("SEND @\(people[(number + 2) % 4].user) a new conversation and its first message")
            try person.ok("JOIN #den")
        }
    }

    /// and again and again, one request after the other, many at once, and records that belong together.
    private static func talk(_ people: [TestClient], _ daemon: RunningDaemon, _ round: Int) throws {
        for person in people { try person.ok("CREATE #\(person.user)-\(round)") }
        try together(
            people.map { person in
                {
                    for number in 0..<30 {
                        let text = String(repeating: "wörter ", count: number % 13)
                        try person.ok("SEND nonce=\(round)-\(number) #garden \(number) \(text)")
                    }
                    _ = try person.pipeline((0..<60).map { "SEND #den \($0) \(String(repeating: "z", count: $0 * 7))" })
                }
            }
        )
        for person in people { try person.ok("LEAVE #\(person.user)-\(round)") }
        for number in 0..<12 { try people[0].ok("SEND @ben \(number)") }
    }
}
