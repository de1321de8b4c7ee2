import ChatCore
import ChatModel
import ChatTesting
import Testing
import Wire

@testable import Engine

@Suite("What goes from memory") struct TrimmingTests {
    private let stage: Stage
    private let ada, bob, desk: ConnectionKey
    private static let long = String(repeating: "x", count: 3000)

    init() {
        stage = Stage(loops: 2)
        (ada, bob, desk) = (stage.signUp("ada"), stage.signUp("bob", loop: 1), stage.operatorConnection())
        _ = stage.ask(ada, "CREATE #room")
        _ = stage.ask(bob, "JOIN #room")
    }

    private var timeline: Timeline { stage.engine.content.timelines[1] }
    private var conversation: Conversation { stage.engine.content.state.conversations[1] }
    private var bytes: Int { timeline.pieces.reduce(0) { $0 + $1.chunk.capacity } }

    private func tick(_ count: Int = 3) {
        for _ in 0..<count {
            stage.now += 1000
            stage.handle(.tick(residentBytes: 0))
            stage.sync()
        }
    }

    private func send(_ count: Int, _ text: String = long) {
        for _ in 0..<count { stage.say(ada, "SEND #room \(text)") }
        stage.sync()
    }

    @Test func `lines that are gone go a little later, and stay few at full speed`() {
        _ = stage.ask(desk, "ADMIN RETAIN max=10 #room")
        var most = 0
        for _ in 0..<100 {
            send(100)
            most = max(most, bytes)
        }
        #expect(most < 4 << 20, "\(most)")
        tick()
        #expect(timeline.pieces.count == 1 || timeline.pieces[1].firstSeq > conversation.firstSeq)
        #expect(conversation.keptMessages == 10)
    }

    @Test func `who follows at the pace of those who talk misses nothing, however little is kept`() {
        _ = stage.ask(desk, "ADMIN RETAIN max=1 #room")
        _ = stage.ask(bob, "SUB #room")
        var heard: [Int] = []
        for _ in 0..<40 {
            stage.turn((0..<150).map { _ in (ada, "SEND #room \(Self.long)") })
            stage.sync()
            heard += seqs(stage.takeEvents(bob))
            if heard.count % 1000 < 150 { tick(1) }
        }
        #expect(heard == Array(3..<6003))
    }

    @Test func `all that goes at once goes in steps`() {
        send(1_500)
        stage.goesOn = false
        _ = stage.ask(desk, "ADMIN RETAIN max=1 #room")
        tick()
        var (turns, before) = (0, bytes)
        #expect(before > 2 << 20)
        while stage.engine.wantsTurn, turns < 1_000 {
            stage.handle(.goOn)
            #expect(before - bytes <= 1 << 20)
            (turns, before) = (turns + 1, bytes)
        }
        #expect(turns > 2 && timeline.pieces.count <= 2)
    }

    @Test func `reactions to messages that are gone are forgotten, others stay`() {
        for seq in 3..<23 {
            _ = stage.ask(ada, "SEND #room x")
            _ = stage.ask(bob, "EMOTE #room \(3 + 2 * (seq - 3)) 👍")
        }
        _ = stage.ask(desk, "ADMIN RETAIN max=5 #room")
        tick()
        #expect(conversation.reactions.keys.sorted() == [33, 35, 37, 39, 41])
        let rows = stage.ask(bob, "HISTORY #room").dropLast()
        #expect(rows.allSatisfy { $0.field("react") == "\"👍:1\"" } && rows.count == 5)
    }

    @Test func `an edit that is kept loses the text of a message that is not`() throws {
        _ = stage.ask(ada, "SEND #room one")
        _ = stage.ask(ada, "SEND #room two")
        _ = stage.ask(ada, "EDIT #room 3 secret")
        _ = stage.ask(ada, "EDIT #room 4 open")
        _ = stage.ask(desk, "ADMIN RETAIN max=1 #room")
        tick()
        _ = stage.ask(bob, "SUB since=3 #room")
        let events = stage.takeEvents(bob)
        #expect(seqs(events) == [4, 5, 6] && events[1].hasSuffix(" id=3"), "\(events)")
        #expect(events[2].hasSuffix(" id=4 text=\"open\"") && events[0].hasSuffix(" edited=6 text=\"open\""))
        let again = try stage.recovered(through: .max)
        var read = again
        try read.finishRecovery()
        #expect(read.timelines[1].withLine(5) { String(decoding: $0, as: UTF8.self) } == events[1])
    }

    @Test
    func `an upload that only messages which are gone had is gone at once for everybody, and ends a little later`()
        throws
    {
        let put = PutBlob(size: 10, type: "image/png", name: "n.png", target: nil, hash: nil)
        let content = ContentHash(a: 1, b: 2, c: 3, d: 4)
        stage.handle(.blobStored(.init(connection: ada, tag: Wire.Tag.none, request: put, outcome: .success(content))))
        _ = stage.takeReplies(ada)
        stage.sync()
        let id = try #require(stage.takeReplies(ada).first).field("blob")
        let blob = try #require(Array(id.utf8).withUnsafeBytes { BlobID($0) })
        func mayRead(_ who: ConnectionKey? = nil) -> Bool {
            stage.ask(who ?? bob, "BLOB \(id)").first?.hasPrefix("OK") == true
        }
        func count() -> Int { stage.engine.content.state.referenceCount(of: blob) }
        for _ in 0..<2 { _ = stage.ask(ada, "SEND blob=\(id) #room look") }
        #expect(mayRead() && count() == 2)
        _ = stage.ask(desk, "ADMIN RETAIN max=2 #room")
        _ = stage.ask(ada, "SEND #room x")
        #expect(mayRead() && count() == 1)
        _ = stage.ask(ada, "SEND #room x")
        #expect(!mayRead() && !mayRead(ada) && count() == 0)
        #expect(stage.ask(ada, "BLOBS").first?.hasPrefix("OK n=0 more=no used=4096 ") == true)
        #expect(conversation.blobMessages == 2)
        tick()
        #expect(conversation.blobMessages == 0)
        #expect(stage.engine.content.state.blob(blob) == nil && stage.engine.removableBlobs == [content])
        #expect(stage.ask(ada, "BLOBS").first?.hasPrefix("OK n=0 more=no used=0 ") == true)
        var read = try stage.recovered(through: .max)
        try read.finishRecovery()
        #expect(read.state.blob(blob) == nil && read.state.conversations[1].blobMessages == 0)
    }

    @Test func `after a failed journal, what was not written down is not gone`() throws {
        send(10, "x")
        _ = stage.ask(bob, "SUB #room")
        stage.say(desk, "ADMIN RETAIN max=2 #room")
        try stage.failJournal()
        #expect(seqs(stage.ask(bob, "HISTORY #room").dropLast()) == Array(3..<13))
        stage.say(desk, "ADMIN RESUME")
        #expect(try stage.resume())
        _ = stage.ask(desk, "ADMIN RETAIN max=2 #room")
        _ = stage.ask(ada, "SEND #room x")
        tick()
        #expect(seqs(stage.ask(bob, "HISTORY #room").dropLast()) == [12, 13])
        #expect(seqs(stage.takeEvents(bob)) == [13])
    }
}
