import ChatModel
import ChatTesting
import Testing

@testable import Engine

@Suite("What is kept, against a plain model") struct RetentionPropertyTests {
    /// A room as a list: every event there ever was, and where what is kept begins.
    private struct Room {
        struct Said {
            let time: Int64
            /// Nil for what is no message.
            var text: String?
        }

        let name: String
        var said: [Said] = []
        /// The index of the first that is kept.
        var first = 0
        var max: Int?
        var age: Int64?

        init(name: String) { self.name = name }

        var kept: [(seq: Int, text: String)] {
            said.indices[first...].compactMap { index in said[index].text.map { (index + 1, $0) } }
        }

        mutating func note(_ text: String?, at time: Int64) {
            said.append(Said(time: time, text: text))
            if text != nil { count() }
        }

        mutating func count() {
            guard let max else { return }
            let kept = self.kept
            if kept.count > max { first = kept[kept.count - max].seq - 1 }
        }

        mutating func grow(_ now: Int64) {
            guard let age else { return }
            first = Swift.max(first, said.firstIndex { $0.time >= now - age * 1000 } ?? said.count)
        }
    }

    private final class Play {
        var random: SeededRandom
        var stage = Stage(seed: 1 << 32)
        let snapshots = MemorySnapshots()
        var earlier: [UInt8] = []
        var run: UInt64 = 1
        var ada, bob, desk: ConnectionKey
        var rooms: [Room] = []
        var words = 0
        /// Texts that others have taken the place of.
        var rewritten: Set<String> = []
        /// Texts that were gone when the snapshot under way began.
        var gone: Set<String> = []
        var (written, restarts) = (0, 0)

        init(seed: UInt64) {
            random = SeededRandom(seed: seed)
            (ada, bob, desk) = (stage.signUp("ada"), stage.signUp("bob"), stage.operatorConnection())
            for name in ["#one", "#two", "#three"] {
                _ = stage.ask(ada, "CREATE \(name)")
                _ = stage.ask(bob, "JOIN \(name)")
                rooms.append(Room(name: name))
                for _ in 0..<2 { rooms[rooms.count - 1].note(nil, at: stage.now) }
            }
            begin()
        }

        func begin() { stage.engine.snapshotStepSize = 1 << pick(12) }
        func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

        func send(_ index: Int, bytes: Int) {
            words += 1
            let text = "w\(words)." + String(repeating: "x", count: bytes)
            #expect(stage.ask(ada, "SEND \(rooms[index].name) \(text)").first?.hasPrefix("OK") == true)
            rooms[index].note("w\(words).", at: stage.now)
        }

        func act() throws {
            let index = pick(rooms.count)
            let room = rooms[index]
            stage.now += Int64(pick(2000))
            switch pick(40) {
            case 0: retain(index)
            case 1...3:
                guard let one = room.kept.randomElement(using: &random) else { return }
                words += 1
                let reply = stage.ask(ada, "EDIT \(room.name) \(one.seq) w\(words).").first ?? ""
                #expect(reply.hasPrefix("OK"), "\(reply)")
                rewritten.insert(one.text)
                rooms[index].said[one.seq - 1].text = "w\(words)."
                rooms[index].note(nil, at: stage.now)
            case 4...5:
                guard let last = room.kept.last else { return }
                let reply = stage.ask(bob, "EMOTE \(room.name) \(last.seq) 👍").first ?? ""
                if !reply.contains("dup=yes") { rooms[index].note(nil, at: stage.now) }
            case 6: try wait()
            case 7: try look(index)
            case 8 where pick(4) == 0: try restart()
            case 9...12: for _ in 0..<pick(30) { send(index, bytes: pick(3000)) }
            default: send(index, bytes: pick(60))
            }
        }

        func retain(_ index: Int) {
            let max = pick(3) > 0 ? 1 + pick(40) : nil
            let age = pick(3) == 0 ? Int64(60 * (1 + pick(60))) : nil
            let options = [max.map { "max=\($0)" }, age.map { "age=\($0)s" }].compactMap { $0 }.joined(separator: " ")
            let reply = stage.ask(desk, "ADMIN RETAIN \(options) \(rooms[index].name)").first ?? ""
            (rooms[index].max, rooms[index].age) = (max, age)
            rooms[index].count()
            rooms[index].grow(stage.now)
            #expect(reply.field("first") == "\(rooms[index].first + 1)", "\(reply)")
        }

        /// Some minutes pass: what is too old by then has gone by the tick that follows.
        func wait() throws {
            stage.now += Int64(61_000 + pick(600_000))
            for _ in 0..<3 { stage.handle(.tick(residentBytes: 0)) }
            stage.sync()
            for index in rooms.indices { rooms[index].grow(stage.now) }
        }

        /// What anybody can see is what the model has.
        func look(_ index: Int) throws {
            let room = rooms[index]
            var seen: [(Int, String)] = []
            var before = ""
            while true {
                let page = stage.ask(bob, "HISTORY \(before)limit=\(1 + pick(200)) \(room.name)")
                let rows = page.dropLast().map { (seqs([$0])[0], word(in: $0)) }
                seen = rows + seen
                guard page.last?.field("more") == "yes", let first = rows.first else { break }
                before = "before=\(first.0) "
            }
            #expect(seen.map(\.0) == room.kept.map(\.seq) && seen.map(\.1) == room.kept.map(\.text))
            stage.say(bob, "SEARCH limit=200 \(room.name) w")
            stage.search()
            stage.sync()
            #expect(seqs(stage.takeReplies(bob).dropLast()) == room.kept.map(\.seq).suffix(200).reversed())
            let reader = stage.signIn("bob")
            defer { stage.disconnect(reader) }
            if room.first > 0 {
                let refused = stage.ask(reader, "SUB since=\(pick(room.first)) \(room.name)").first ?? ""
                #expect(refused.hasPrefix("ERR GONE ") && refused.field("first") == "\(room.first + 1)", "\(refused)")
            }
            #expect(stage.ask(reader, "SUB since=\(room.first) \(room.name)").first?.hasPrefix("OK ") == true)
            #expect(seqs(stage.takeEvents(reader)) == Array(room.first + 1..<room.said.count + 1))
        }

        private func word(in line: String) -> String {
            String(line.field("text").dropFirst().prefix { $0 != "." }) + "."
        }

        // MARK: Snapshots and starts

        func step() throws {
            if !stage.engine.isSnapshotUnderWay {
                stage.handle(.snapshot(nil))
                gone = rewritten.union(rooms.flatMap { room in room.said[..<room.first].compactMap(\.text) })
            } else if snapshots.isWaiting {
                guard snapshots.commit(durable: stage.engine.durable) else { return }
                stage.handle(.snapshotEnded(.written))
                written += 1
                searchFiles()
            } else {
                stage.handle(.snapshotRoom)
            }
            snapshots.take(stage.engine)
        }

        /// No file has a word of what was gone.
        private func searchFiles() {
            for file in snapshots.whole?.files ?? [] {
                let text = String(decoding: file.bytes, as: UTF8.self)
                for part in text.split(separator: "text=\\\"w" as String).dropFirst() {
                    let word = "w" + part.prefix { $0 != "." } + "."
                    #expect(!gone.contains(word), "\(word) in \(file.part.stem)")
                }
            }
        }

        func restart() throws {
            let all = earlier + stage.journal
            let content = try MemorySnapshots.recovered(
                pick(4) == 0 ? nil : snapshots.whole,
                all,
                through: stage.engine.durable,
                limits: Limits()
            )
            (earlier, run, restarts) = (all, run + 1, restarts + 1)
            stage = Stage(content: content, seed: run << 32, now: stage.now)
            snapshots.fail()
            (ada, bob, desk) = (stage.signIn("ada"), stage.signIn("bob"), stage.operatorConnection())
            begin()
            for index in rooms.indices { try look(index) }
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `whatever is sent, rewritten and let go, everybody sees the same, also after snapshots and starts`(
        seed: UInt64
    ) throws {
        let play = Play(seed: seed)
        for _ in 0..<700 {
            try play.act()
            for _ in 0..<play.pick(8) { try play.step() }
        }
        for index in play.rooms.indices { try play.look(index) }
        #expect(play.written > 5 && play.restarts > 0)
    }
}
