import ChatCore
import ChatModel
import ChatTesting
import Engine
import Testing

@Suite("Random journals with random losses") struct SalvagePropertyTests {
    /// A server with several people, guests, conversations and 1:1s, some of whom come and go.
    private func journal(_ random: inout SeededRandom) throws -> [JournalledRecord] {
        let stage = Stage()
        var people: [(name: String, key: ConnectionKey)] = []
        func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        for number in 0..<4 { people.append(("user\(number)", stage.signUp("user\(number)"))) }
        var rooms = ["#lobby"]
        for step in 0..<120 {
            let (one, other) = (people[pick(people.count)], people[pick(people.count)])
            let room = rooms[pick(rooms.count)]
            stage.now += 1
            switch pick(14) {
            case 0 where rooms.count < 6:
                rooms.append("#room\(rooms.count)")
                _ = stage.ask(one.key, "CREATE \(pick(2) == 0 ? "private=yes " : "")\(rooms[rooms.count - 1])")
            case 1, 2: _ = stage.ask(one.key, "JOIN \(room)")
            case 3: _ = stage.ask(one.key, "INVITE \(room) \(other.name)")
            case 4: _ = stage.ask(one.key, "LEAVE \(room)")
            case 5, 6: _ = stage.ask(one.key, "SEND nonce=d\(step) @\(other.name) direct \(step)")
            case 7:
                let guest = stage.connect()
                _ = stage.ask(guest, "AUTH anonymous=yes")
                _ = stage.ask(guest, "SEND #lobby guest \(step)")
            case 8: _ = stage.signIn(one.name)
            default: _ = stage.ask(one.key, "SEND nonce=n\(step) \(room) text \(step) \"quoted\"")
            }
        }
        return try stage.records
    }

    private func damage(_ records: [JournalledRecord], _ random: inout SeededRandom) -> Set<UInt64> {
        var lost: Set<UInt64> = []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let start = UInt64.random(in: 1...UInt64(records.count), using: &random)
            lost.formUnion(start..<(start + UInt64.random(in: 1...12, using: &random)))
        }
        return lost
    }

    @Test(arguments: 1...120 as ClosedRange<UInt64>)
    func `every record that is left is kept or reported, in order, and the result is sound`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let records = try journal(&random)
        let lost = damage(records, &random)
        let found = try Remains(records, limits: Limits()) { lost.contains($0.sequence) }
        let asides = Set(found.report.asides.map(\.globalSequence))
        let gone = lost.union(asides)
        try expectLines(found, records, gone)
        expectPeople(found, records, gone)
        try expectSound(found)
    }

    /// Kept events stand where they stood; `lost` stands only where something is gone.
    private func expectLines(_ found: Remains, _ records: [JournalledRecord], _ gone: Set<UInt64>) throws {
        var events: [UInt32: [Seq: JournalledRecord]] = [:]
        for record in records {
            if let event = record.event { events[event.conversation, default: [:]][event.seq] = record }
        }
        for (number, all) in events {
            let exists = found.content.state.exists(ConversationNumber(number))
            let lines = exists ? found.lines(of: found.content.state.name(of: ConversationNumber(number))) : []
            for (seq, record) in all where !gone.contains(record.sequence) {
                #expect(Int(seq) <= lines.count && lines[Int(seq) - 1] == record.event?.line, "\(record)")
            }
            for (index, line) in lines.enumerated() where line.hasPrefix("EV lost ") {
                #expect(all[Seq(index + 1)].map { gone.contains($0.sequence) } == true, "\(line)")
                #expect(line.field("seq") == "\(index + 1)")
            }
            let times = lines.map { $0.field("ts") }
            #expect(times == times.sorted())
        }
    }

    /// Numbers mean who they meant, and nobody is in a conversation who was never in it.
    private func expectPeople(_ found: Remains, _ records: [JournalledRecord], _ gone: Set<UInt64>) {
        var whole = Salvage(Content(limits: Limits()))
        var everIn: [ConversationNumber: Set<AccountNumber>] = [:]
        for record in records {
            record.withPayload {
                whole.take($0, globalSequence: record.sequence, isTorn: false, missing: 0)
            }
            guard let event = record.event else { continue }
            let number = ConversationNumber(event.conversation)
            everIn[number, default: []].formUnion(whole.content.state.conversation(number).order)
        }
        let (before, after) = (whole.content.state, found.content.state)
        for record in records where record.kind == "account" && !gone.contains(record.sequence) {
            let handle = record.payload.field("name")
            let number = after.account(handleKey: handle)
            #expect(number != nil && number == before.account(handleKey: handle), "\(record)")
        }
        for conversation in after.conversations {
            for number in conversation.order {
                let handle = after.handleText(number)
                let was = before.account(handleKey: handle)
                #expect(was.map { everIn[conversation.number]?.contains($0) == true } == true, "\(handle)")
            }
        }
    }

    /// A snapshot of it is read back as what it is.
    private func expectSound(_ found: Remains) throws {
        let stage = Stage(content: found.content, seed: 99)
        let snapshots = MemorySnapshots()
        stage.handle(.snapshot(nil))
        snapshots.write(stage)
        #expect(snapshots.commit(durable: stage.engine.durable))
        let again = try MemorySnapshots.recovered(snapshots.whole, [], through: .max, limits: Limits())
        let oldest = Timestamp(milliseconds: stage.now - Limits().nonceMilliseconds)
        // The stage has started the log since.
        let (expected, read) = (found.content.text([], oldest), again.text([], oldest))
        #expect(expected.dropFirst() == read.dropFirst())
    }
}
