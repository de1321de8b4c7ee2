import ChatTesting
import Foundation
import Testing

@Suite("fcd repair of random damage") struct RepairPropertyTests {
    /// A daemon killed over a journal of people, guests, rooms and 1:1s; some of it in a snapshot when `isSnapshotted`.
    private func play(isSnapshotted: Bool) throws -> RunningDaemon {
        let daemon = try RunningDaemon()
        let people = try ["ann", "bob", "cyd"].map { try daemon.user($0) }
        for (number, one) in people.enumerated() {
            try one.ok("CREATE \(number == 2 ? "private=yes " : "")#r\(number)")
        }
        try people[2].ok("INVITE #r2 ann")
        try people[0].ok("JOIN #r2")
        for one in people.dropFirst() { try one.ok("JOIN #r0") }
        for number in 0..<60 {
            let one = people[number % 3]
            try one.ok("SEND nonce=n\(number) \(number % 4 == 0 ? "#lobby" : "#r0") text \"\(number)\"")
            if number == 20 { try daemon.client().ok("AUTH anonymous=yes") }
            if number % 10 == 3 { try people[0].ok("SEND @\(number == 3 ? "bob" : "cyd") direct \(number)") }
            if number % 9 == 2 { try people[2].ok("SEND #r2 secret \(number)") }
            if number == 40, isSnapshotted { #expect(try FcdRun(["snapshot"], data: daemon.data).code == 0) }
        }
        daemon.kill()
        return daemon
    }

    /// The lines of every conversation, as the files of the snapshot and the records of the journal have them, without
    /// backslashes and the quotes around them.
    private func lines(of daemon: RunningDaemon) -> Set<String> {
        var lines: Set<String> = []
        for part in ["journal", "snapshot"] {
            for name in entries(of: daemon.data + "/" + part) {
                for line in readWhole(daemon.data + "/" + part + "/" + name).split(separator: "\n") {
                    guard let start = line.firstRange(of: "EV ")?.lowerBound else { continue }
                    lines.insert(String(line[start...].filter { $0 != "\\" && $0 != "\"" && $0 != "," }))
                }
            }
        }
        return lines
    }

    @Test(arguments: [false, true])
    func `costs what it touches, and leaves sound data`(isSnapshotted: Bool) throws {
        let daemon = try play(isSnapshotted: isSnapshotted)
        let before = lines(of: daemon)
        let holder = TemporaryDirectory()
        try JournalFiles(daemon).keep(as: holder.path + "/base")
        var random = SeededRandom(seed: isSnapshotted ? 7 : 5)
        for round in 0..<25 {
            let journal = JournalFiles(daemon)
            var bytes = journal.bytes
            let end = journal.records.count
            var damaged = 0
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let start = Int.random(in: 0..<end, using: &random)
                let stop = min(end, start + Int.random(in: 1...400, using: &random))
                for at in start..<stop { bytes[at] = UInt8.random(in: 0...255, using: &random) }
                damaged += stop - start
            }
            try journal.write(bytes)
            let run = try FcdRun(["repair", "--yes", "--json"], data: daemon.data)
            #expect(run.code == 0, "round \(round): \(run.errors)")
            #expect(try FcdRun(["check"], data: daemon.data).code == 0, "round \(round)")
            #expect(try FcdRun(["repair"], data: daemon.data).lines.last == "nothing to repair", "round \(round)")
            let after = lines(of: daemon)
            let asides = run.lines.count { $0.hasPrefix("{\"kind\":\"aside\"") }
            let gone = before.subtracting(after).count
            // A record has 100 bytes and more.
            #expect(
                gone <= damaged / 80 + 6 + asides,
                "round \(round): \(gone) of \(damaged) bytes, \(asides) set aside"
            )
            try journal.putBack(holder.path + "/base")
        }
    }
}
