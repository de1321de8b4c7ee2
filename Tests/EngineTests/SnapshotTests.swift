import ChatModel
import ChatTesting
import Testing

@testable import Engine

@Suite("Snapshots") struct SnapshotTests {
    /// A server under a random load that is snapshotted, ends and starts again, all by one seed.
    private final class Play {
        var stage: Stage
        let snapshots = MemorySnapshots()
        var random: SeededRandom
        /// All records of earlier runs.
        var earlier: [UInt8] = []
        var run: UInt64 = 1
        var people: [(name: String, key: ConnectionKey)] = []
        var names: [String] = []
        var rooms: [String] = []
        var checks = 0
        var partings = 0
        var trims = 0
        var itemChanges = 0
        var limits = Limits()

        init(seed: UInt64, limits: Limits = Limits()) {
            (random, self.limits) = (SeededRandom(seed: seed), limits)
            self.limits.itemsPerFile = 16
            stage = Stage(limits: self.limits, seed: 1 << 32)
            (stage.engine.snapshotStepSize, stage.engine.erasureStepSize) = (1, 1)
        }

        var journal: [UInt8] { earlier + stage.journal }
        func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        func isLucky(_ oneIn: Int) -> Bool { pick(oneIn) == 0 }

        func act() {
            if people.count < 3 || isLucky(12) { return arrive() }
            let one = people[pick(people.count)]
            let room = rooms.isEmpty || isLucky(6) ? "#lobby" : rooms[pick(rooms.count)]
            let other = names[pick(names.count)]
            if isLucky(60) {
                // Erasing stops half way, and goes on.
                stage.goesOn.toggle()
                if stage.goesOn { stage.handle(.goOn) }
            }
            if isLucky(150) { return part(with: one) }
            if isLucky(25) { return retain(room, other) }
            if isLucky(6) { return changeItem(room, one.key) }
            let seq = pick(40)
            let rewrites = [
                "EDIT \(room) \(seq) another text \(pick(1000))", "EDIT \(room) \(seq) short", "DELETE \(room) \(seq)",
                "EMOTE \(room) \(seq) 👍", "EMOTE \(room) \(seq) :)", "EMOTE \(room) \(seq) x",
                "EMOTE off=yes \(room) \(seq) 👍",
                "SEEN \(room) \(seq)", "EDIT @\(other) \(pick(6)) between us", "DELETE @\(other) \(pick(6))",
            ]
            let rights = [
                "EJECT \(room) \(other) be nice", "BAN \(room) \(other)", "UNBAN \(room) \(other)",
                "MUTE for=1s \(room) \(other)", "MUTE \(room) \(other)", "UNMUTE \(room) \(other)",
                "GRANT role=op \(room) \(other)", "GRANT role=reader \(room) \(other)",
                "GRANT role=member \(room) \(other)", "GRANT role=owner \(room) \(other)",
                "TOPIC \(room) title \(pick(9))", "BLOCK \(other)", "UNBLOCK \(other)",
                "PROFILE display=\"D \(pick(9))\" bio=\"b\(pick(9))\" phone=\"+49 \(pick(999))\"",
                "TOKEN scope=read bot",
                "TOKEN-DEL \(stage.ask(one.key, "TOKENS").first?.field("id") ?? "x")", "PROFILE bio=\"\"",
                "EMAIL mail\(pick(500))@example.test correct horse",
            ]
            if isLucky(200) { _ = stage.ask(one.key, "DROP \(room)") }
            let requests =
                isLucky(3)
                ? rewrites
                : isLucky(3)
                    ? rights
                    : [
                        "SEND nonce=n\(pick(500)) \(room) text \"quoted\" \\ \(pick(99))", "SEND \(room) plain",
                        "SEND nonce=d\(pick(500)) @\(other) hello", "JOIN \(room)", "JOIN \(room)", "LEAVE \(room)",
                        "INVITE \(room) \(other)", "SEND nonce=r\(pick(500)) \(room) more",
                    ]
            if rooms.count < 4 || isLucky(10) {
                rooms.append("#room\(rooms.count)")
                let kind = isLucky(2) ? "private=yes " : ""
                _ = stage.ask(one.key, "CREATE \(kind)title=\"ein Titel\" #room\(rooms.count - 1)")
            } else if isLucky(25) {
                people.append((one.name, stage.signIn(one.name)))
            } else if isLucky(40) {
                _ = stage.ask(one.key, isLucky(2) ? "LOGOUT" : "LOGOUT all=yes")
                people.removeAll { $0.key == one.key }
            } else {
                stage.now += 1
                _ = stage.ask(one.key, requests[pick(requests.count)])
            }
        }

        /// An item comes, changes or goes.
        private func changeItem(_ room: String, _ key: ConnectionKey) {
            let collection = ["items/tea", "items/Mate", "\(room)/todo", "\(room)/more"][pick(4)]
            let id = "i\(pick(9))"
            stage.now += 1
            let requests = [
                "PUT-ITEM id=\(id) \(collection) {\"n\":\(pick(99)),\"s\":\"a \\u200e b\"}",
                "PUT-ITEM id=\(id) \(collection) {\"n\":\(pick(99))}", "DEL-ITEM \(collection) \(id)",
                "PUT-ITEM id=\(id) rev=0 \(collection) {\"s\":\"\(String(repeating: "x", count: pick(3000)))\"}",
            ]
            _ = stage.ask(key, requests[pick(requests.count)])
            itemChanges += 1
            if isLucky(40) {
                let schema = ["{}", "{\"n\":\"int\",\"s\":\"string\"}", "{\"n\":\"double!\"}"][pick(3)]
                _ = stage.ask(stage.operatorConnection(), "ADMIN SCHEMA \(collection) \(schema)")
            }
            if isLucky(60) {
                stage.now += 25 * 3_600_000
                stage.handle(.tick(residentBytes: 0))
                stage.sync()
            }
        }

        /// The operator says how much is kept.
        private func retain(_ room: String, _ other: String) {
            let options = [
                "max=\(1 + pick(30)) ", "max=\(1 + pick(9)) age=\(1 + pick(40))d ", "age=\(1 + pick(90))s ", "",
                "max=all ", "age=all ", "max=\(1 + pick(60)) age=all ",
            ]
            let place = isLucky(8) ? "@\(other),\(names[pick(names.count)])" : room
            let said = stage.ask(stage.operatorConnection(), "ADMIN RETAIN \(options[pick(options.count)])\(place)")
            if said.first?.hasPrefix("OK") == true { trims += 1 }
        }

        /// Somebody erases the account.
        private func part(with one: (name: String, key: ConnectionKey)) {
            _ = stage.ask(one.key, "UNREGISTER wrong")
            stage.unregister(one.key)
            partings += 1
            people.removeAll { $0.name == one.name }
            names.removeAll { $0 == one.name }
        }

        private func arrive() {
            if names.count > 1, isLucky(6) {
                let guest = stage.connect()
                _ = stage.ask(guest, "AUTH anonymous=yes")
                _ = stage.ask(guest, "SEND #lobby I was here")
                if let room = rooms.last {
                    _ = (stage.ask(guest, "JOIN \(room)"), stage.ask(guest, "SEND \(room) and there"))
                }
                _ = stage.ask(
                    guest,
                    "LINK name=user\(names.count)linked link\(pick(10_000))@example.test correct horse"
                )
                people.append(("user\(names.count)linked", guest))
            } else if isLucky(3) {
                let guest = stage.connect()
                _ = stage.ask(guest, "AUTH anonymous=yes")
                if isLucky(2) { _ = stage.ask(guest, "SEND #lobby I was here") }
                stage.disconnect(guest)
            } else {
                let name = "user\(names.count)"
                names.append(name)
                people.append((name, stage.signUp(name)))
            }
        }

        /// A month passes: guests that are idle are forgotten.
        func wait() {
            stage.now += 31 * 86_400_000
            stage.handle(.tick(residentBytes: 0))
            stage.sync()
        }

        /// Moves the snapshot on by one step, and checks it when it is whole.
        func step() throws {
            if !stage.engine.isSnapshotUnderWay {
                stage.handle(.snapshot(nil))
            } else if snapshots.isWaiting {
                if snapshots.commit(durable: stage.engine.durable) {
                    stage.handle(.snapshotEnded(.written))
                    try check()
                }
            } else if isLucky(60) {
                snapshots.fail()
                stage.handle(.snapshotEnded(.failed("the disk is full")))
            } else {
                stage.handle(.snapshotRoom)
            }
            snapshots.take(stage.engine)
        }

        /// A start now gives what reading the whole journal gives.
        func check() throws {
            let last = stage.engine.durable
            let tokens = (1...run).flatMap { run in ((run << 32)..<((run << 32) + 120)) }
            // Snapshots leave nonces out that are past their time.
            let oldest = Timestamp(milliseconds: stage.now - limits.nonceMilliseconds)
            let whole = try MemorySnapshots.recovered(nil, journal, through: last, limits: limits)
            let short = try MemorySnapshots.recovered(snapshots.whole, journal, through: last, limits: limits)
            let (expected, found) = (whole.text(tokens, oldest), short.text(tokens, oldest))
            #expect(found.count == expected.count)
            for (a, b) in zip(expected, found) where a != b {
                Issue.record("\(b.prefix(400)) … should be … \(a.prefix(400))")
                break
            }
            checks += 1
            guard stage.engine.erasures.isEmpty else { return }
            // Markers are written down once a second, and what is gone is settled a second or two after that.
            stage.now += 1000
            for _ in 0..<3 {
                stage.handle(.tick(residentBytes: 0))
                while stage.engine.retainer.hasWork { stage.handle(.goOn) }
                stage.sync()
            }
            let live = stage.engine.content.text(tokens, oldest).dropLast()
            let again = try MemorySnapshots.recovered(
                nil,
                journal,
                through: stage.engine.durable,
                limits: limits
            ).text(tokens, oldest)
            for (a, b) in zip(live, again) where a != b {
                Issue.record("live \(a.prefix(400)) … but read again \(b.prefix(400))")
                break
            }
        }

        func restart() throws {
            let last = stage.engine.durable
            limits.retention =
                [
                    Retention(), Retention(), Retention(max: UInt64(1 + pick(50))), Retention(age: 20 * 86_400),
                ][pick(4)]
            let content = try MemorySnapshots.recovered(snapshots.whole, journal, through: last, limits: limits)
            earlier = journal
            run += 1
            stage = Stage(limits: limits, content: content, seed: run << 32, now: stage.now)
            (stage.engine.snapshotStepSize, stage.engine.erasureStepSize) = (1, 1)
            snapshots.fail()
            people = names.prefix(5).map { ($0, stage.signIn($0)) }
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `made while records go on, with the journal behind it, gives what the whole journal gives`(seed: UInt64) throws
    {
        let play = Play(seed: seed)
        for _ in 0..<1500 {
            play.act()
            for _ in 0..<play.pick(12) { try play.step() }
            if play.isLucky(150) { play.wait() }
            if play.isLucky(250) { try play.restart() }
        }
        #expect(play.checks > 20 && play.partings > 2 && play.trims > 10 && play.itemChanges > 50)
    }

    @Test func `few nonces and sessions an account give way in the same order`() throws {
        var limits = Limits()
        (limits.nonces, limits.sessions) = (5, 2)
        let play = Play(seed: 77, limits: limits)
        for _ in 0..<800 {
            play.act()
            for _ in 0..<play.pick(12) { try play.step() }
            if play.isLucky(300) { try play.restart() }
        }
        #expect(play.checks > 10)
    }
}
