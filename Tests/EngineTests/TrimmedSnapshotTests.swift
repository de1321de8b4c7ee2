import ChatCore
import ChatModel
import ChatTesting
import Persistence
import Testing

@testable import Engine

@Suite("Snapshots of what is kept") struct TrimmedSnapshotTests {
    private let stage = Stage()
    private let snapshots = MemorySnapshots()
    private let ada, desk: ConnectionKey

    init() {
        (ada, desk) = (stage.signUp("ada"), stage.operatorConnection())
        _ = stage.ask(ada, "CREATE #room")
        let text = String(repeating: "x", count: 3000)
        for number in 0..<2_000 { stage.say(ada, "SEND #room m\(number). \(text)") }
        stage.sync()
    }

    private func snapshot() {
        stage.handle(.snapshot(nil))
        snapshots.write(stage)
        _ = snapshots.commit(durable: stage.engine.durable)
        stage.handle(.snapshotEnded(.written))
    }

    private var stretches: [String] {
        (snapshots.whole?.files ?? []).map(\.part.stem).filter { $0.hasPrefix("timeline/") }
    }

    private func recovered(_ files: [MemorySnapshots.File]? = nil) throws -> Content {
        var whole = try #require(snapshots.whole)
        if let files { whole = .init(files: files, sequence: whole.sequence, through: whole.through) }
        return try MemorySnapshots.recovered(whole, stage.journal, through: stage.engine.durable, limits: Limits())
    }

    @Test
    func `stretches that are kept whole are not written again, those below are gone, and no file has what is gone`() {
        snapshot()
        let before = stretches
        #expect(before.count == 5)
        for kept in [900, 895, 890, 700] {
            _ = stage.ask(desk, "ADMIN RETAIN max=\(kept) #room")
            snapshot()
            let first = stage.engine.content.state.conversations[1].firstSeq
            let files = snapshots.whole?.files ?? []
            for file in files {
                let text = String(decoding: file.bytes, as: UTF8.self)
                for part in text.split(separator: "text=\\\"m" as String).dropFirst() {
                    #expect(Seq(part.prefix { $0 != "." }).map { $0 + 2 >= first } == true, "\(file.part.stem)")
                }
            }
            #expect(!stretches.contains(before[0]) && stretches.contains(before[4]))
            #expect(!snapshots.written.contains(before[4]))
        }
        // A few messages further only the chunk that is cut and the newest lines are written.
        _ = stage.ask(desk, "ADMIN RETAIN max=695 #room")
        snapshot()
        #expect(snapshots.written.count { $0.hasPrefix("timeline/") } == 1, "\(snapshots.written)")
    }

    @Test func `a start from files alone gives the same, also of a conversation that has lost all`() throws {
        for options in ["max=700", "max=1", "age=1s"] {
            _ = stage.ask(desk, "ADMIN RETAIN \(options) #room")
            for _ in 0..<3 {
                stage.now += 1000
                stage.handle(.tick(residentBytes: 0))
                stage.sync()
            }
            snapshot()
            let found = try recovered()
            let oldest = Timestamp(milliseconds: 0)
            #expect(found.text([], oldest) == stage.engine.content.text([], oldest))
            let again = Stage(content: found, seed: 2, now: stage.now)
            let key = again.signIn("ada")
            _ = again.ask(key, "SUB #room")
            let next = found.state.conversations[1].nextSeq
            #expect(again.ask(key, "SEND #room on").first?.field("seq") == "\(next)")
            #expect(seqs(again.takeEvents(key)) == [Int(next)])
        }
        #expect(stretches.isEmpty)
    }

    @Test func `files that do not begin where they should are refused`() throws {
        snapshot()
        _ = stage.ask(desk, "ADMIN RETAIN max=900 #room")
        snapshot()
        let files = try #require(snapshots.whole).files
        let first = try #require(files.firstIndex { if case .stretch = $0.part { true } else { false } })
        var without = files
        without.remove(at: first)
        let fault = #expect(throws: RecordFault.self) { try recovered(without) }
        #expect(fault?.reason == "conversation 2 begins with other lines than it should")
        let changed = files.map { file in
            guard case .tails = file.part else { return file }
            let text = String(decoding: file.bytes, as: UTF8.self)
            return .init(
                part: file.part,
                bytes: Array(text.replacing("\"kept\":", with: "\"kept\":1").utf8),
                holds: file.holds
            )
        }
        #expect(throws: (any Error).self) { try recovered(changed) }
        #expect(try recovered(files).state.conversations[1].keptMessages == 900)
    }

    @Test func `what was said and taken back while a snapshot was written is not said again`() throws {
        stage.handle(.snapshot(nil))
        snapshots.take(stage.engine)
        for options in ["max=2", "max=all"] { _ = stage.ask(desk, "ADMIN RETAIN \(options) #room") }
        for _ in 0..<10 { _ = stage.ask(ada, "SEND #room more") }
        snapshots.write(stage)
        #expect(snapshots.commit(durable: stage.engine.durable))
        #expect(try recovered().state.conversations[1].keptMessages == 12)
        let whole = try MemorySnapshots.recovered(nil, stage.journal, through: .max, limits: Limits())
        #expect(whole.state.conversations[1].keptMessages == 12)
    }

    @Test func `a file of a version that kept all is written anew, before anything is missing from it`() throws {
        snapshot()
        let files = try #require(snapshots.whole).files.map { file in
            guard case .conversations = file.part else { return file }
            let text = String(decoding: file.bytes, as: UTF8.self).replacing("\"messages\":2000,", with: "")
                .replacing("\"messages\":0,", with: "")
            return .init(part: file.part, bytes: Array(text.utf8), holds: file.holds)
        }
        let content = try recovered(files)
        #expect(content.state.conversations[1].messages.count == 2000)
        let again = Stage(content: content, seed: 2)
        let next = MemorySnapshots()
        again.handle(.snapshot(nil))
        while !next.isWaiting {
            again.handle(.snapshotRoom)
            for work in again.engine.snapshotWork {
                if case .keep(.conversations, _) = work { Issue.record("it is kept") }
            }
            next.takeWritten(again.engine)
        }
        #expect(next.isWaiting)
    }
}
