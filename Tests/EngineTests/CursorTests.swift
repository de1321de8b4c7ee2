import ChatModel
import ChatTesting
import Engine
import Testing

@Suite("Cursors") struct CursorTests {
    let reader = Reader()

    @Test(arguments: [UInt64(1), 2, 3])
    func `deliver exactly the bytes said, in order, however lines are long and publication is cut`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var speaker = Speaker()
        speaker.say(bytes: 30)
        speaker.open(reader)
        speaker.subscribe(0, from: 1, reader)
        speaker.subscribe(1, from: 2, reader)
        var heard: [[UInt8]] = [[], []]
        for _ in 0..<60 {
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let most = [40, 400, 4_000, 40_000].randomElement(using: &random) ?? 40
                speaker.say(bytes: Int.random(in: 10...most, using: &random))
            }
            speaker.publish(to: reader)
            if Bool.random(using: &random) { speaker.publish(to: reader) }
            for owner in 0..<2 where Int.random(in: 0..<3, using: &random) == 0 {
                for _ in 0..<Int.random(in: 0...5, using: &random) { heard[owner] += reader.record(owner) }
            }
        }
        for owner in 0..<2 { heard[owner] += reader.all(owner) }
        #expect(heard[0] == speaker.bytes(1, speaker.lines.count))
        #expect(heard[1] == speaker.bytes(2, speaker.lines.count))
        #expect(!reader.table.isBehind(0) && reader.record(0).isEmpty)
    }

    @Test(arguments: [UInt64(1), 2]) func `records have at most 16 KiB of whole lines; a longer line goes alone`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        var speaker = Speaker()
        for _ in 0..<400 { speaker.say(bytes: Int.random(in: 1_000...18_000, using: &random)) }
        for length in [16_383, 16_384, 16_385, 65_536] { speaker.say(bytes: length) }
        speaker.open(reader)
        speaker.subscribe(0, from: 1, reader)
        while reader.table.isBehind(0) {
            let record = reader.record(0)
            #expect(record.last == 0x0A)
            if record.count > CursorTable.recordSize { #expect(record.filter { $0 == 0x0A }.count == 1) }
            if record.isEmpty { break }
        }
        #expect(!reader.table.isBehind(0))
    }

    @Test func `what stands in a record already counts; a long line waits for an empty one`() {
        var speaker = Speaker()
        speaker.say(bytes: 100)
        speaker.say(bytes: 100)
        speaker.say(bytes: 20_000)
        speaker.open(reader)
        speaker.subscribe(0, from: 1, reader)
        #expect(reader.record(0, used: 16_384 - 150) == speaker.bytes(1, 1))
        #expect(reader.record(0, used: 16_384 - 99) == [])
        #expect(reader.record(0, used: 16_384) == [])
        #expect(reader.record(0, used: 200) == speaker.bytes(2, 2))
        #expect(reader.record(0, used: 1) == [])
        #expect(reader.record(0) == speaker.bytes(3, 3))
    }

    @Test func `conversations of an owner take turns, also beside one that never ends`() {
        var speakers = (1...5).map { Speaker(UInt32($0)) }
        for at in speakers.indices {
            for _ in 0..<(at == 0 ? 20_000 : 400) { speakers[at].say(bytes: 100) }
            speakers[at].open(reader)
            speakers[at].subscribe(0, from: 1, reader)
        }
        var turns: [UInt8] = []
        for _ in 0..<10 {
            let record = reader.record(0)
            turns.append(record[0])
            speakers[0].say(bytes: 100)
            speakers[0].publish(to: reader)
        }
        #expect(turns == Array("1234512345".utf8))
    }

    @Test func `a conversation that is caught up gives the rest of its record to the next`() {
        var (one, two) = (Speaker(1), Speaker(2))
        one.say(bytes: 100)
        for _ in 0..<300 { two.say(bytes: 100) }
        for speaker in [one, two] {
            speaker.open(reader)
            speaker.subscribe(0, from: 1, reader)
        }
        #expect(reader.record(0) == one.bytes(1, 1) + two.bytes(1, 162))
        #expect(reader.all(0) == two.bytes(163, 300))
    }

    @Test func `owners with something to send are taken in the order in which it came`() {
        var speaker = Speaker()
        speaker.say(bytes: 100)
        speaker.open(reader)
        for owner in [5, 70, 3, 500] { speaker.subscribe(owner, from: 1, reader) }
        reader.table.markReady(3)
        var order: [Int] = []
        while let owner = reader.table.nextReady() { order.append(owner) }
        #expect(order == [5, 70, 3, 500])
        speaker.say(bytes: 100)
        speaker.publish(to: reader)
        #expect(reader.table.nextReady() == nil, "who is behind already is not marked twice")
        for owner in order { _ = reader.all(owner) }
        speaker.say(bytes: 100)
        speaker.publish(to: reader)
        #expect(reader.table.readyCount == 4)
    }

    @Test func `an end lets through what was published before it, and nothing after`() {
        var speaker = Speaker()
        for _ in 0..<50 { speaker.say(bytes: 1_000) }
        speaker.open(reader)
        for owner in 0..<3 { speaker.subscribe(owner, from: 1, reader) }
        _ = reader.all(2)
        for owner in 0..<3 { reader.table.end(owner, speaker.number) }
        speaker.say(bytes: 100)
        speaker.publish(to: reader)
        #expect(reader.all(0) == speaker.bytes(1, 50))
        #expect(reader.record(2) == [])
        speaker.subscribe(1, from: 51, reader)
        #expect(reader.all(1) == speaker.bytes(1, 51), "a new subscription goes on where the ended one stops")
    }

    @Test func `stopLive ends with the catch-up, or with all that is published`() {
        var speaker = Speaker()
        for _ in 0..<50 { speaker.say(bytes: 1_000) }
        speaker.open(reader)
        for owner in 0..<3 { speaker.subscribe(owner, from: 1, reader) }
        speaker.subscribe(3, from: 51, reader)
        for _ in 0..<5 { speaker.say(bytes: 1_000) }
        speaker.publish(to: reader)
        reader.table.stopLive(0, catchUpOnly: true)
        reader.table.stopLive(1, catchUpOnly: false)
        reader.table.stopLive(3, catchUpOnly: true)
        reader.table.stopLive(9_999, catchUpOnly: true)
        speaker.say(bytes: 1_000)
        speaker.publish(to: reader)
        #expect(reader.all(0) == speaker.bytes(1, 50))
        #expect(reader.all(1) == speaker.bytes(1, 55))
        #expect(reader.all(2) == speaker.bytes(1, 56))
        #expect(reader.all(3) == [])
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `owners come and go, slots are used again, and nobody hears another's lines`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var speakers = (1...4).map { Speaker(UInt32($0)) }
        for at in speakers.indices {
            speakers[at].say(bytes: 50)
            speakers[at].open(reader)
        }
        /// What each owner has still to hear, by conversation.
        var due: [Int: [Int: Int]] = [:]
        func check(_ owner: Int, _ bytes: [UInt8]) {
            for line in bytes.split(separator: 0x0A) {
                let words = line.split(separator: 0x3A).map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
                #expect(due[owner]?[words[0] - 1] == words[1])
                due[owner]?[words[0] - 1] = words[1] + 1
            }
        }
        for _ in 0..<1_500 {
            let (owner, at) = (Int.random(in: 0..<12, using: &random), Int.random(in: 0..<4, using: &random))
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                reader.table.removeOwner(owner)
                due[owner] = nil
            case 1:
                reader.table.unsubscribe(owner, speakers[at].number)
                due[owner]?[at] = nil
            case 2, 3:
                speakers[at].publish(to: reader)
                let seq = Int.random(in: 1...speakers[at].lines.count + 1, using: &random)
                speakers[at].subscribe(owner, from: Seq(seq), reader)
                due[owner, default: [:]][at] = seq
            case 4, 5, 6:
                speakers[at].say(bytes: Int.random(in: 20...3_000, using: &random))
                speakers[at].publish(to: reader)
            default: check(owner, reader.record(owner))
            }
        }
        for owner in 0..<12 { check(owner, reader.all(owner)) }
        for (owner, places) in due {
            for (at, next) in places { #expect(next == speakers[at].lines.count + 1, "owner \(owner)") }
        }
    }

    @Test func `mail about what is not there changes nothing`() {
        var speaker = Speaker()
        speaker.say(bytes: 100)
        let table = reader.table
        table.extend(speaker.number, ordinal: 0, speaker.timeline.piece(0))
        table.replace(speaker.number, ordinal: 0, speaker.timeline.piece(0))
        table.trim(speaker.number, TrimmedLines(firstOrdinal: 3, keptSeq: 1, kept: Place(ordinal: 3, offset: 0)))
        table.close(speaker.number)
        table.end(0, speaker.number)
        table.unsubscribe(0, speaker.number)
        table.removeOwner(0)
        table.removeOwner(10_000)
        #expect(reader.record(10_000) == [] && !table.isBehind(10_000) && table.nextReady() == nil)
    }
}
