import ChatCore
import ChatModel
import ChatTesting
import Persistence
import Testing

@testable import Engine

@Suite("What a repair keeps of conversations that do not keep all") struct TrimmedSalvageTests {
    /// #room keeps 400 of 1,000 long messages; #old has lost all by age; #all keeps all.
    private final class Ended {
        let stage = Stage()
        let snapshots = MemorySnapshots()
        var files: [MemorySnapshots.File] = []

        init() {
            let (ada, bob, desk) = (stage.signUp("ada"), stage.signUp("bob"), stage.operatorConnection())
            for name in ["#room", "#old", "#all"] { _ = stage.ask(ada, "CREATE \(name)") }
            for name in ["#room", "#all"] { _ = stage.ask(bob, "JOIN \(name)") }
            let text = String(repeating: "x", count: 3000)
            for number in 0..<1_000 { stage.say(ada, "SEND #room m\(number) \(text)") }
            for number in 0..<5 { _ = (stage.ask(ada, "SEND #old o\(number)"), stage.ask(bob, "SEND #all a\(number)")) }
            // The stretches that this makes are cut by what follows.
            snapshot()
            _ = stage.ask(desk, "ADMIN RETAIN max=400 #room")
            stage.now += 600_000
            _ = stage.ask(desk, "ADMIN RETAIN age=1m #old")
            _ = stage.ask(bob, "SEND #room last")
            snapshot()
        }

        private func snapshot() {
            stage.handle(.snapshot(nil))
            snapshots.write(stage)
            _ = snapshots.commit(durable: stage.engine.durable)
            stage.handle(.snapshotEnded(.written))
            files = snapshots.whole?.files ?? []
        }

        var sequence: UInt64 { snapshots.whole?.sequence ?? 0 }

        /// What a repair makes of the files; a change makes one that no checksum fits any more, nil takes it away.
        func repaired(_ change: (SnapshotPart, [UInt8]) -> [UInt8]?) throws -> (content: Content, report: SalvageReport)
        {
            var remains = SnapshotSalvage()
            for file in files {
                guard let bytes = change(file.part, file.bytes) else { continue }
                try bytes.withUnsafeBytes {
                    if bytes == file.bytes {
                        remains.add(try SnapshotShard(file.part, $0), file.part, holds: file.holds)
                    } else {
                        _ = remains.addDamaged($0, file.part, holds: file.holds)
                    }
                }
            }
            var salvage = Salvage(Content(limits: Limits()))
            salvage.restore(remains, sequence: sequence)
            for record in try JournalledRecord.all(in: stage.journal) where record.sequence > sequence {
                record.withPayload {
                    salvage.take($0, globalSequence: record.sequence, isTorn: false, missing: 0)
                }
            }
            let content = try salvage.finish(sequence: stage.engine.durable, logID: "repaired")
            return (content, salvage.report)
        }

        func number(_ name: String) throws -> Int {
            try #require(stage.engine.content.state.conversations.firstIndex { $0.name == name })
        }

        func first(_ name: String, in content: Content) throws -> Seq {
            content.state.conversations[try number(name)].firstSeq
        }

        /// What HISTORY shows.
        func texts(_ name: String, in content: Content) throws -> [String] {
            let index = try number(name)
            var all: [String] = []
            content.timelines[index].forEachLine(from: content.state.conversations[index].firstSeq) { _, line in
                let text = String(decoding: line, as: UTF8.self)
                if text.hasPrefix("EV msg ") { all.append(String(text.field("text").prefix(8))) }
                if text.hasPrefix("EV lost ") { all.append("lost") }
            }
            return all
        }

        func expectSame(_ content: Content, but changed: [String] = []) throws {
            for name in ["#room", "#old", "#all"] where !changed.contains(name) {
                #expect(try first(name, in: content) == first(name, in: stage.engine.content), "\(name)")
                #expect(try texts(name, in: content) == texts(name, in: stage.engine.content), "\(name)")
            }
        }
    }

    private func flip(_ text: String, to other: String, in bytes: [UInt8]) -> [UInt8] {
        let place = bytes.firstRange(of: Array(text.utf8))
        guard let place else { return bytes }
        return Array(bytes[..<place.lowerBound]) + Array(other.utf8) + Array(bytes[place.upperBound...])
    }

    @Test func `sound files are taken as they are`() throws {
        let ended = Ended()
        let (content, report) = try ended.repaired { $1 }
        try ended.expectSame(content)
        #expect(report.lost.isEmpty && report.asides.isEmpty && report.rebuilt.isEmpty)
        #expect(try ended.first("#room", in: content) > 1 && ended.first("#old", in: content) == 7)
        let state = content.state
        let bob = try #require(state.account(handleKey: "bob"))
        #expect(state.unread(of: bob) == ended.stage.engine.content.state.unread(of: bob))
    }

    @Test func `without what is said of conversations their lines tell where they begin`() throws {
        let ended = Ended()
        let (content, report) = try ended.repaired { if case .conversations = $0 { nil } else { $1 } }
        try ended.expectSame(content, but: ["#old"])
        #expect(report.lost.isEmpty)
        let room = content.state.conversations[try ended.number("#room")]
        // Whoever spoke is known to be in it.
        #expect(room.name == "#room" && room.order.count == 2 && room.isPrivate)
        // No line is left to tell the name of the other one.
        let old = content.state.conversations[try ended.number("#old")]
        #expect(old.name == "#lost-3" && old.order.isEmpty && old.nextSeq == 7 && old.firstSeq == 7)
    }

    @Test func `a stretch that is gone is lost, and nothing before it`() throws {
        let ended = Ended()
        let stretches = ended.files.map(\.part).filter { if case .stretch = $0 { true } else { false } }
        try #require(stretches.count > 3)
        let (content, report) = try ended.repaired { $0 == stretches[2] ? nil : $1 }
        let number = ConversationNumber(UInt32(try ended.number("#room") + 1))
        #expect(report.lost.keys.sorted() == [number] && report.lost[number]?.count == 1)
        let texts = try ended.texts("#room", in: content)
        let lost = texts.count { $0 == "lost" }
        #expect(lost > 10 && lost < 60 && texts.count == 400, "\(lost)")
        try ended.expectSame(content, but: ["#room"])
    }

    @Test func `lines that cannot be read are lost, and none that were gone`() throws {
        let ended = Ended()
        let (content, report) = try ended.repaired { part, bytes in
            guard case .tails = part else { return bytes }
            return flip("\"EV msg conv=#all seq=4", to: "\"EV mzg conv=#all seq=4", in: bytes)
        }
        try ended.expectSame(content, but: ["#all"])
        #expect(try ended.texts("#all", in: content) == ["\"a0\"", "lost", "\"a2\"", "\"a3\"", "\"a4\""])
        #expect(report.lost.count == 1)
    }

    @Test func `a number that a flaw has changed makes no message go`() throws {
        let ended = Ended()
        for (from, to) in [("\"retain\":[400,0]", "\"retain\":[4,0]"), ("\"first\":", "\"first\":9")] {
            let (content, report) = try ended.repaired { part, bytes in
                guard case .conversations = part else { return bytes }
                return flip(from, to: to, in: bytes)
            }
            try ended.expectSame(content)
            #expect(report.rebuilt.contains(.retention(ConversationNumber(UInt32(try ended.number("#room") + 1)))))
        }
        let (content, _) = try ended.repaired { part, bytes in
            guard case .tails = part else { return bytes }
            return flip("\"kept\":60", to: "\"kept\":90", in: bytes)
        }
        try ended.expectSame(content)
    }

    @Test func `what the journal says of it goes on to count`() throws {
        let ended = Ended()
        let (ada, desk) = (ended.stage.signIn("ada"), ended.stage.operatorConnection())
        _ = ended.stage.ask(desk, "ADMIN RETAIN max=20 #room")
        for number in 0..<10 { _ = ended.stage.ask(ada, "SEND #room n\(number)") }
        for isGone in [false, true] {
            let (content, _) = try ended.repaired { part, bytes in
                if case .conversations = part, isGone { nil } else { bytes }
            }
            try ended.expectSame(content, but: isGone ? ["#old"] : [])
            #expect(try ended.texts("#room", in: content).count == 20)
        }
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `of a journal with holes, what is gone stays gone and the rest is sound`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        let stage = Stage()
        let (ada, desk) = (stage.signUp("ada"), stage.operatorConnection())
        _ = stage.ask(ada, "CREATE #room")
        for number in 0..<80 {
            stage.now += 1000
            switch pick(12) {
            case 0: _ = stage.ask(desk, "ADMIN RETAIN max=\(1 + pick(20)) #room")
            case 1: _ = stage.ask(desk, "ADMIN RETAIN age=\(5 + pick(30))s #room")
            case 2:
                stage.handle(.tick(residentBytes: 0))
                stage.sync()
            default: _ = stage.ask(ada, "SEND #room n\(number)")
            }
        }
        let records = try stage.records
        var lost: Set<UInt64> = []
        for _ in 0..<2 {
            let start = 5 + pick(records.count - 5)
            lost.formUnion((start..<start + 1 + pick(6)).map(UInt64.init))
        }
        let found = try Remains(records, limits: Limits()) { lost.contains($0.sequence) }
        let conversation = found.content.state.conversations[1]
        let whole = stage.engine.content.state.conversations[1]
        let next = conversation.nextSeq
        #expect(conversation.firstSeq <= next && next <= whole.nextSeq)
        let again = Stage(content: found.content, seed: 9, now: stage.now)
        let key = again.signIn("ada")
        let rows = seqs(again.ask(key, "HISTORY limit=200 #room").dropLast())
        #expect(rows == rows.sorted() && rows.allSatisfy { UInt64($0) >= conversation.firstSeq })
        if conversation.firstSeq > 1 {
            #expect(again.ask(key, "SUB since=0 #room").first?.hasPrefix("ERR GONE") == true)
        }
        #expect(again.ask(key, "SEND #room on").first?.field("seq") == "\(next)")
    }
}
