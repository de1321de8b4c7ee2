import ChatCore
import ChatModel
import ChatTesting
import Testing

@Suite("HISTORY") struct HistoryTests {
    let world = World()

    private func page(
        _ range: HistoryRange,
        _ limit: Int,
        in number: ConversationNumber = .lobby,
        by account: AccountNumber
    ) -> ([Seq], Bool) {
        let page = world.state.decideHistory(in: .conversation(number), range, limit: limit, by: account)
        return (page.seqs, page.more)
    }

    @Test func `takes before and after without the seq itself, around with it, and tells whether there is more`() throws
    {
        let ada = try world.signUp("ada")
        for _ in 0..<10 { try world.send("lobby", ada) }  // seqs 2 … 11
        #expect(page(.newest, 3, by: ada) == ([9, 10, 11], true))
        #expect(page(.newest, 10, by: ada) == (Array(2...11), false))
        #expect(page(.newest, 200, by: ada) == (Array(2...11), false))
        #expect(page(.before(5), 2, by: ada) == ([3, 4], true))
        #expect(page(.before(5), 3, by: ada) == ([2, 3, 4], false))
        #expect(page(.before(2), 3, by: ada) == ([], false))
        #expect(page(.before(0), 3, by: ada) == ([], false))
        #expect(page(.before(.max), 2, by: ada) == ([10, 11], true))
        #expect(page(.after(8), 2, by: ada) == ([9, 10], true))
        #expect(page(.after(8), 3, by: ada) == ([9, 10, 11], false))
        #expect(page(.after(0), 2, by: ada) == ([2, 3], true))
        #expect(page(.after(11), 2, by: ada) == ([], false))
        #expect(page(.after(.max), 2, by: ada) == ([], false))
        #expect(page(.around(6), 3, by: ada).0 == [5, 6, 7])
        #expect(page(.around(2), 3, by: ada).0 == [2, 3, 4])
        #expect(page(.around(11), 3, by: ada).0 == [9, 10, 11])
        #expect(page(.around(6), 1, by: ada).0 == [6])
        #expect(page(.around(0), 3, by: ada).0 == [2, 3, 4])
        #expect(page(.around(.max), 3, by: ada).0 == [9, 10, 11])
    }

    @Test func `agrees with a plain filter for every range, seq and limit`() throws {
        var random = SeededRandom(seed: 42)
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let number = try world.create("garden", by: ada)
        var messages: [Seq] = []
        for _ in 0..<60 {
            let next = world.state.conversation(number).nextSeq
            switch UInt8.random(in: 0..<3, using: &random) {
            case 0 where world.state.conversation(number).role(of: bob) == nil: try world.join("garden", bob)
            case 0: try world.leave("garden", bob)
            default:
                try world.send("garden", ada)
                messages.append(next)
            }
        }
        for seq in 0...UInt64(63) {
            for limit in [1, 2, 7, 200] {
                let before = messages.filter { $0 < seq }
                #expect(
                    page(.before(seq), limit, in: number, by: ada)
                        == (Array(before.suffix(limit)), before.count > limit)
                )
                let after = messages.filter { $0 > seq }
                #expect(
                    page(.after(seq), limit, in: number, by: ada)
                        == (Array(after.prefix(limit)), after.count > limit)
                )
                let around = page(.around(seq), limit, in: number, by: ada).0
                #expect(around.count == min(limit, messages.count))
                if messages.contains(seq) { #expect(around.contains(seq)) }
                let start = messages.firstIndex(of: around[0])
                #expect(start.map { Array(messages[$0...].prefix(around.count)) } == around, "without gaps")
            }
        }
    }

    @Test func `of a private conversation begins at one's latest joining`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let den = try world.create("den", by: ada, isPrivate: true)
        try world.send("den", ada)  // 2
        try world.invite("bob", to: "den", by: ada)  // 3
        try world.join("den", bob)  // 4
        try world.send("den", ada)  // 5
        #expect(page(.newest, 50, in: den, by: bob) == ([5], false))
        #expect(page(.before(5), 50, in: den, by: bob) == ([], false))
        #expect(page(.around(2), 50, in: den, by: bob).0 == [5])
        #expect(page(.after(0), 50, in: den, by: bob) == ([5], false))
        #expect(page(.newest, 50, in: den, by: ada) == ([2, 5], false))
        try world.leave("den", bob)  // 6
        try world.invite("bob", to: "den", by: ada)  // 7
        try world.join("den", bob)  // 8
        #expect(page(.newest, 50, in: den, by: bob) == ([], false))
        #expect(world.state.overview(of: bob).first { $0.number == den }?.newestMessage == nil, "no preview either")
    }

    @Test func `of a public conversation begins at its beginning`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        let number = try world.create("garden", by: ada)
        try world.send("garden", ada)
        try world.join("garden", bob)
        #expect(page(.newest, 50, in: number, by: bob) == ([2], false))
    }

    @Test func `is for members: DENIED in public, NOT-FOUND in private`() throws {
        let (ada, bob) = (try world.signUp("ada"), try world.signUp("bob"))
        try world.create("garden", by: ada)
        try world.create("den", by: ada, isPrivate: true)
        #expect(try refused { _ = try world.state.findAsMember(.named("garden"), bob) } == "DENIED")
        #expect(try refused { _ = try world.state.findAsMember(.named("den"), bob) } == "NOT-FOUND")
        #expect(try refused { _ = try world.state.findAsMember(.named("nothing"), bob) } == "NOT-FOUND")
    }
}

@Suite("The message index") struct MessageIndexTests {
    @Test(arguments: [UInt64(1), 2, 3])
    func `agrees with a plain list at every place`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var index = MessageIndex()
        var messages: [Seq] = []
        let density = UInt8.random(in: 1...255, using: &random)
        for seq in 1...UInt64(1_000) {
            let isMessage = UInt8.random(in: 0...255, using: &random) < density
            index.append(isMessage: isMessage)
            if isMessage { messages.append(seq) }
        }
        #expect(index.lastSeq == 1_000)
        #expect(index.count == UInt64(messages.count))
        #expect(index.last == messages.last)
        var below: UInt64 = 0
        for seq in 0...UInt64(1_001) {
            let isMessage = below < messages.count && messages[Int(below)] == seq
            #expect(index.isMessage(seq) == isMessage)
            if isMessage { below += 1 }
            #expect(index.count(through: seq) == below)
        }
        for (rank, seq) in messages.enumerated() { #expect(index.seq(ofMessage: UInt64(rank)) == seq) }
        #expect(index.seq(ofMessage: UInt64(messages.count)) == nil)
        #expect(index.seq(ofMessage: .max) == nil)
        #expect(index.count(through: .max) == index.count)
        #expect(!index.isMessage(.max))
    }

    @Test func `is empty at first`() {
        let index = MessageIndex()
        #expect((index.count, index.last, index.seq(ofMessage: 0), index.count(through: 5)) == (0, nil, nil, 0))
    }
}
