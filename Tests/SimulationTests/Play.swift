import ChatCore
import ChatModel
import ChatTesting
import Foundation
import Storage
import SystemIO

@testable import Engine

/// One server through its lives and deaths: people talk, the disk fails, the power goes, the clock is set; what happens
/// when is decided by one seed. After each start everything that anybody was told is compared with what is there.
final class Play {
    private var random: SeededRandom
    private let disk: SimulatedDisk
    private var options = SimulatedServer.Options()
    private var server: SimulatedServer
    private let log = RecordLog()
    private let witness = Witness()
    private var people: [Person] = []
    private var rooms: [String] = []
    private var nonces = 0
    private var run: UInt64 = 1
    /// The wall clock, which is set now and then, and the one that nobody sets.
    private var now: Int64 = 1_764_500_000_000
    private var monotonic: Int64 = 40 * 86_400_000
    private var logID: String
    private var desk: ConnectionKey?
    /// No more trouble.
    private var isOver = false
    private(set) var counts = Counts()
    /// `TRACE=1` prints what happens.
    private static let isTracing = ProcessInfo.processInfo.environment["TRACE"] != nil

    /// What happened, so that a test can tell that it was worth something.
    struct Counts: Equatable {
        var acknowledged = 0
        var heard = 0
        var powerCuts = 0
        var kills = 0
        var failures = 0
        var resumes = 0
        var snapshots = 0
        var starts = 0
        var refusedStarts = 0
        var calls = 0

        mutating func add(_ other: Counts) {
            acknowledged += other.acknowledged
            heard += other.heard
            powerCuts += other.powerCuts
            kills += other.kills
            failures += other.failures
            resumes += other.resumes
            snapshots += other.snapshots
            starts += other.starts
            refusedStarts += other.refusedStarts
            calls += other.calls
        }
    }

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        disk = SimulatedDisk(seed: seed ^ 0x5eed)
        options.isInterval = random.next() % 8 == 0
        options.segmentSize = [4 << 10, 8 << 10, 32 << 10][Int(random.next() % 3)]
        options.stepSize = random.next() & 1 == 0 ? 1 : 4096
        options.limits.itemsPerFile = 8
        disk.prepare("/data")
        server = try SimulatedServer(disk, options, log: log, run: run, now: now, monotonic: monotonic)
        logID = server.engine.logID
    }

    private func pick(_ count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }
    private func isLucky(_ oneIn: Int) -> Bool { pick(oneIn) == 0 }

    /// Plays so many steps, then ends and looks at everything once more.
    func play(steps: Int) throws {
        for _ in 0..<steps {
            try step()
            if disk.isOff { try powerCut() }
        }
        isOver = true
        try powerCut()
        for _ in 0..<40 {
            try settle()
            if people.allSatisfy({ $0.unanswered.isEmpty && $0.asked.isEmpty }) { break }
        }
        for person in people where !person.unanswered.isEmpty || !person.asked.isEmpty {
            throw Witness.Fault("\(person.name) gets no answer: \(person.unanswered) \(person.asked)")
        }
        try compareItems()
        try powerCut()
        counts.calls = disk.calls
    }

    /// Who hears of items knows what stands.
    private func compareItems() throws {
        let content = server.engine.content
        var standing: [String: String] = [:]
        for collection in content.state.collections where collection.name == Self.collection {
            _ = content.itemLog(collection.number).scan(from: 1) { _, bytes in
                let line = String(decoding: bytes, as: UTF8.self)
                if line.value("op") == "put" { standing[line.value("id") ?? ""] = line }
                return true
            }
        }
        for person in people where person.hearsItems && person.items != standing {
            throw Witness.Fault("\(person.name) knows \(person.items) of the items, which are \(standing)")
        }
    }

    private func trace(_ text: @autoclosure () -> String) {
        if Self.isTracing { print("\(disk.calls) \(run)", text()) }
    }

    // MARK: One step

    private func step() throws {
        if server.engine.readOnlyReason != nil, isLucky(8) { resume() }
        switch pick(20) {
        case 0..<8: try talk()
        case 8..<12:
            server.flush()
            server.step()
        case 12: server.flush()
        case 13..<15: server.turn([])
        case 15..<18:
            for _ in 0...pick(8) {
                server.stepSnapshot()
                server.turn([])
            }
        case 18:
            if isLucky(2), !server.engine.isSnapshotUnderWay { server.post(.snapshot(nil)) }
            setClock()
        default: try trouble()
        }
        trace("\(server.engine.appended) \(server.engine.durable) \(server.engine.readOnlyReason ?? "") \(disk.faults)")
        try listen()
    }

    /// Everything that waits goes its way.
    private func settle() throws {
        for person in people {
            guard person.key != nil else {
                connect(person)
                continue
            }
            if !person.unanswered.isEmpty { server.turn([sendAgain(person)].compactMap { $0 }) }
        }
        for _ in 0..<4 {
            server.turn([])
            server.flush()
            server.step()
        }
        for _ in 0..<8 { server.stepSnapshot() }
        server.turn([])
        try listen()
    }

    private func listen() throws {
        if disk.isOff { return }
        witness.beginRound()
        for person in people { try person.listen(server.clients, witness, server.engine.content) }
        counts.heard = witness.lines
        counts.acknowledged = witness.acknowledged.count
    }

    private func setClock() {
        switch pick(12) {
        case 0: now -= Int64(pick(3_600_000))
        case 1: now += Int64(pick(7_200_000))
        case 2, 3: break
        default:
            let passed = Int64(pick(1500))
            now += passed
            monotonic += passed
        }
        (server.now, server.monotonic) = (now, monotonic)
        if isLucky(10) { server.post(.tick(residentBytes: 0)) }
    }

    // MARK: People

    private func talk() throws {
        if people.count < 2 || people.count < 4 && isLucky(10) { people.append(Person("user\(people.count)")) }
        let person = people[pick(people.count)]
        guard let key = person.key, person.isKnown || !person.asked.isEmpty else { return connect(person) }
        if !person.isSignedIn {
            server.turn([])
            if person.asked.isEmpty { server.turn([(key, person.line("AUTH \(person.name) correct horse", .signIn))]) }
            return
        }
        var lines: [(ConnectionKey, String)] = []
        for _ in 0...pick(3) { lines.append(sendAgain(person) ?? (key, request(of: person))) }
        trace("\(lines.map { $0.1.prefix(70) })")
        server.turn(lines)
    }

    private func connect(_ person: Person) {
        let key = server.connect()
        person.key = key
        let isNew = !person.isKnown
        let request =
            isNew
            ? "SIGNUP name=\(person.name) \(person.name)@example.test correct horse"
            : "AUTH \(person.name) correct horse"
        server.turn([(key, person.line(request, isNew ? .signUp : .signIn))])
    }

    private func sendAgain(_ person: Person) -> (ConnectionKey, String)? {
        guard let key = person.key, person.isSignedIn, let line = person.unanswered.first else { return nil }
        person.unanswered.removeFirst()
        return (key, person.line(line, .send(Self.nonce(of: line), line: line)))
    }

    private static func nonce(of line: String) -> String { line.value("nonce") ?? "" }

    /// The collection that everybody changes.
    static let collection = "items/tea"

    /// Something that happens to an item, or somebody who wants to hear of that.
    private func item(of person: Person) -> String {
        if !person.hearsItems, isLucky(2) {
            let since = person.itemSeq
            return person.line("SUB since=\(since) \(Self.collection)", .subscribeItems(since: since))
        }
        let id = "i\(pick(12))"
        if isLucky(5) { return person.line("DEL-ITEM \(Self.collection) \(id)", .changeItem(id)) }
        let text = String(repeating: "x", count: isLucky(6) ? pick(2000) : pick(40))
        let object = "{\"n\":\(pick(1000)),\"t\":\"\(text)\"}"
        return person.line("PUT-ITEM id=\(id) \(Self.collection) \(object)", .changeItem(id))
    }

    private func request(of person: Person) -> String {
        if isLucky(5) { return item(of: person) }
        let room = rooms.isEmpty || isLucky(3) ? "#lobby" : rooms[pick(rooms.count)]
        let friend = people[pick(people.count)]
        let other = friend.name
        if isLucky(4), let line = rewriting(by: person, room) { return line }
        if isLucky(8) { return moderating(by: person, friend, room) }
        switch pick(24) {
        case 0 where rooms.count < 4:
            rooms.append("#r\(rooms.count)")
            let name = "#r\(rooms.count - 1)"
            return person.line("CREATE \(isLucky(2) ? "private=yes " : "")\(name)", .join(name, leaves: person.leaves))
        case 1..<3: return person.line("JOIN \(room)", .join(room, leaves: person.leaves))
        case 3:
            person.willLeave(room)
            return person.line("LEAVE \(room)", .other)
        case 4..<6: return person.line("INVITE \(room) \(other)", .other)
        case 6..<10:
            let since = person.cursors[room] ?? 0
            if person.subscribed.contains(room) { return person.line("PING", .other) }
            return person.line("SUB since=\(since) \(room)", .subscribe(room, since: since))
        case 10..<12: return person.line("HISTORY limit=20 \(room)", .other)
        case 12: return person.line("CONVS", .other)
        case 13 where isLucky(8): return person.line("LOGOUT", .signOut)
        default:
            nonces += 1
            let nonce = "n-\(nonces)"
            let target = isLucky(5) && other != person.name ? "@" + other : room
            let text = String(repeating: "x", count: isLucky(10) ? pick(3000) : pick(60))
            let line = "SEND nonce=\(nonce) \(target) \(text) \(nonce)"
            return person.line(line, .send(nonce, line: line))
        }
    }

    /// Something that happens to a message; nil when there is none.
    private func rewriting(by person: Person, _ room: String) -> String? {
        let own = person.sent.isEmpty ? nil : person.sent[pick(person.sent.count)]
        switch pick(4) {
        case 0:
            guard let own else { return nil }
            return person.line("EDIT \(own.conversation) \(own.seq) said better \(pick(9)) \(own.nonce)", .other)
        case 1:
            guard let own, isLucky(2) else { return nil }
            witness.willDelete(own.conversation, own.seq)
            return person.line("DELETE \(own.conversation) \(own.seq)", .delete(own.conversation, own.seq))
        case 2: return person.line("EMOTE \(isLucky(3) ? "off=yes " : "")\(room) \(pick(30) + 1) 👍", .other)
        default: return person.line("SEEN \(room) \(pick(30))", .other)
        }
    }

    /// What an op does to somebody; whoever is asked to be put out may be out from then on.
    private func moderating(by person: Person, _ other: Person, _ room: String) -> String {
        let verbs = [
            "EJECT", "BAN", "UNBAN", "UNBAN", "MUTE for=1s", "UNMUTE", "GRANT role=op", "GRANT role=member",
            "GRANT role=owner", "GRANT role=reader",
        ]
        let verb = verbs[pick(verbs.count)]
        if verb == "EJECT" || verb == "BAN" { other.willLeave(room) }
        return person.line("\(verb) \(room) \(other.name)", .other)
    }

    // MARK: Trouble

    private func trouble() throws {
        switch pick(10) {
        case 0, 1: disk.faults.powerCut = (disk.calls + 1 + pick(30), isLucky(2))
        case 2: try powerCut()
        case 3: try kill()
        case 4: disk.faults.writesAreShort = true
        case 5:
            let first = disk.calls + 1 + pick(20)
            disk.faults.failing = first..<first + 1 + (isLucky(2) ? 0 : pick(30))
        case 6: disk.faults.capacity = disk.usedBytes + pick(20_000)
        case 7: disk.faults = SimulatedDisk.Faults()
        case 8 where isLucky(4): try stop()
        default: resume()
        }
    }

    private func resume() {
        guard server.engine.readOnlyReason != nil else { return }
        counts.failures += 1
        if isLucky(2) { disk.faults = SimulatedDisk.Faults() }
        let key = desk ?? server.connect()
        if desk == nil {
            server.post(.operatorOpened(key, uid: 0))
            desk = key
        }
        trace("RESUME behind \(server.engine.durable)")
        server.turn([(key, "ADMIN RESUME")])
        server.turn([])
        if server.engine.readOnlyReason == nil { counts.resumes += 1 }
    }

    private func powerCut() throws {
        trace("POWER CUT")
        counts.powerCuts += 1
        disk.restart()
        try start()
    }

    private func kill() throws {
        trace("KILL")
        counts.kills += 1
        disk.restartProcess()
        try start()
    }

    private func stop() throws {
        server.stop()
        if disk.isOff { return }
        try kill()
    }

    /// A new process on what the disk has; the power may go again while it starts.
    private func start() throws {
        counts.snapshots += server.snapshotsWritten
        for person in people { person.cutOff() }
        desk = nil
        if !isOver, isLucky(6) { disk.faults.powerCut = (disk.calls + 1 + pick(12), isLucky(2)) }
        while true {
            run += 1
            do throws(JournalFault) {
                server = try SimulatedServer(disk, options, log: log, run: run, now: now, monotonic: monotonic)
                if !disk.isOff { break }
            } catch {
                guard disk.isOff, case .system = error else { throw error }
            }
            counts.refusedStarts += 1
            disk.restart()
        }
        counts.starts += 1
        try check()
    }

    /// Recovery gives what the whole log gives, and nothing that was spoken is missing.
    private func check() throws {
        let content = server.engine.content
        if server.engine.logID != logID {
            guard options.isInterval else { throw Witness.Fault("the log has a new identity") }
            logID = server.engine.logID
            witness.forget()
            for person in people { person.forget() }
        }
        trace("START through \(server.engine.appended) log \(logID) interval \(options.isInterval)")
        try witness.check(content)
        let tokens = (1...run).flatMap { run in ((run << 32)..<((run << 32) + 40)) }
        let oldest = Timestamp(milliseconds: now - options.limits.nonceMilliseconds)
        let (whole, found) = (try log.content(options.limits).text(tokens, oldest), content.text(tokens, oldest))
        for (a, b) in zip(whole, found) where a != b {
            let same = max(0, zip(a, b).prefix { $0 == $1 }.count - 40)
            let (right, wrong) = (a.dropFirst(same).prefix(300), b.dropFirst(same).prefix(300))
            throw Witness.Fault("recovered is \(wrong) … should be … \(right)")
        }
        if whole.count != found.count { throw Witness.Fault("recovered \(found.count) of \(whole.count) lines") }
    }
}
