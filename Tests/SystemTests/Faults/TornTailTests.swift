import ChatTesting
import Testing

@Suite("The journal's tail (B22)")
struct TornTailTests {
    private static let count = 40

    /// A daemon that was killed after 40 messages, and a copy of its data.
    private func killed() throws -> (daemon: RunningDaemon, token: String, base: String, holder: TemporaryDirectory) {
        let daemon = try RunningDaemon()
        let ann = try daemon.user("ann")
        try ann.ok("CREATE #room")
        for number in 0..<Self.count { try ann.ok("SEND #room m\(number)") }
        daemon.kill()
        let holder = TemporaryDirectory()
        try JournalFiles(daemon).keep(as: holder.path + "/base")
        return (daemon, ann.token, holder.path + "/base", holder)
    }

    enum Tail: String, CaseIterable, Sendable { case cut, zeros, ones, random, older, newlines }

    private func damage(_ tail: Tail, at offset: Int, _ all: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        let rest = max(512, all.count - offset)
        let filling: [UInt8] =
            switch tail {
            case .cut: []
            case .zeros: [UInt8](repeating: 0, count: rest)
            case .ones: [UInt8](repeating: 0xff, count: rest)
            case .random: (0..<min(rest, 4096)).map { _ in UInt8.random(in: 0...255, using: &random) }
            case .older: Array(all[max(0, offset - 512)..<offset])
            case .newlines: [UInt8](repeating: 10, count: min(rest, 4096))
            }
        return Array(all[..<offset]) + filling
    }

    @Test(arguments: Tail.allCases)
    func `it starts by itself, keeps every whole record, drops the rest, and the next start is clean`(tail: Tail) throws
    {
        let (daemon, token, base, holder) = try killed()
        defer { withExtendedLifetime(holder) {} }
        let files = JournalFiles(daemon)
        var random = SeededRandom(seed: 22)
        for _ in 0..<4 {
            try files.putBack(base)
            let end = files.records.count
            let cut = end - Int.random(in: 1...500, using: &random)
            try files.write(damage(tail, at: cut, files.bytes, &random))
            try daemon.start()
            let reader = try daemon.client()
            try reader.ok("AUTH token=\(token)")
            let kept = try reader.allTexts(of: "#room")
            #expect(kept == (0..<kept.count).map { "m\($0)" } && kept.count < Self.count + 1, "cut at \(cut) of \(end)")
            #expect(
                kept.count >= Self.count - 6,
                "only \(kept.count) of \(Self.count), cut \(end - cut) before the end"
            )
            try reader.ok("SEND #room more")
            let logged = daemon.errors.count
            try daemon.restart()
            let again = try daemon.client()
            try again.ok("AUTH token=\(token)")
            #expect(try again.allTexts(of: "#room") == kept + ["more"])
            #expect(!daemon.errors.dropFirst(logged).lowercased().contains("torn"), "the second start must be clean")
            daemon.kill()
        }
    }

    @Test func `what is dropped is logged with its offset`() throws {
        let (daemon, _, _, holder) = try killed()
        defer { withExtendedLifetime(holder) {} }
        let files = JournalFiles(daemon)
        let cut = files.records.count - 30
        try files.write(files.bytes[..<cut])
        let before = daemon.errors.count
        try daemon.start()
        let said = daemon.errors.dropFirst(before)
        #expect(said.contains("offset") || said.contains("byte"), "\(said)")
    }

    @Test func `damage that is not the tail refuses to start with 4, names file and offset, and changes nothing`()
        throws
    {
        let (daemon, _, _, holder) = try killed()
        defer { withExtendedLifetime(holder) {} }
        let files = JournalFiles(daemon)
        var bytes = files.bytes
        let place = try #require(bytes.firstRange(of: Array("m20\"".utf8))?.lowerBound)
        bytes[place] ^= 1
        try files.write(bytes)
        let before = daemon.errors.count
        #expect(throws: RunningDaemon.Failure.self) { try daemon.start() }
        #expect(daemon.process?.exitCode == 4)
        let said = daemon.errors.dropFirst(before)
        #expect(said.contains(files.newest.split(separator: "/").last ?? "?") && said.contains("offset"), "\(said)")
        #expect(files.bytes == bytes)
    }

    @Test func `after a failed sync nothing more is acknowledged, and what was is there`() throws {
        let inject = "inject=fdatasync,fsync:error=EIO:when=40+"
        let strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync,fsync", "-e", inject]
        let daemon = try RunningDaemon(.init(wrapper: strace))
        let ann = try daemon.user("ann")
        var acknowledged: [String] = []
        for number in 0..<150 {
            guard let reply = try? ann.request("SEND #lobby f\(number)", within: 5) else { break }
            if reply.isOK { acknowledged.append("f\(number)") }
        }
        #expect(!acknowledged.isEmpty && acknowledged.count < 60)
        daemon.kill()
        // What strace has started may outlive it for a moment.
        #expect(holds(within: 30) { (try? daemon.start(withoutWrapper: true)) != nil })
        let texts = try daemon.another(of: ann).allTexts(of: "#lobby")
        #expect(Array(texts.prefix(acknowledged.count)) == acknowledged)
    }
}
