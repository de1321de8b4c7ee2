import ChatCore
import ChatModel
import ChatTesting
import Testing

@testable import Engine

@Suite("Uploads, whatever happens to them") struct BlobPropertyTests {
    /// Two people who upload, send, delete, drop and forget, with snapshots all the while.
    private final class Play {
        var random: SeededRandom
        let stage = Stage(seed: 1 << 32)
        let snapshots = MemorySnapshots()
        let people: [ConnectionKey]
        let desk: ConnectionKey
        var uploads: [String] = []
        var sent: [(conversation: String, seq: Int)] = []
        var rooms: [String] = []
        /// Files that are on disk: numbers of contents.
        var files: Set<UInt64> = []
        var written = 0

        init(seed: UInt64) {
            random = SeededRandom(seed: seed)
            people = [stage.signUp("ada"), stage.signUp("bob")]
            desk = stage.operatorConnection()
            stage.engine.snapshotStepSize = 1 << pick(10)
        }

        func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        var somebody: ConnectionKey { people[pick(2)] }
        var conversation: String { (rooms + ["#lobby", "@ada", "@bob"])[pick(rooms.count + 3)] }
        var upload: String { uploads.isEmpty ? "b_x" : uploads[pick(uploads.count)] }

        func act() throws {
            stage.now += Int64(pick(1000))
            switch pick(30) {
            case 0...5:
                let content = UInt64(1 + pick(20))
                files.insert(content)
                uploads.append(try stage.upload(somebody, content: content))
            case 6...13:
                let name = conversation
                let reply = stage.ask(somebody, "SEND blob=\(upload) \(name) x").first ?? ""
                if let seq = Int(reply.field("seq")) { sent.append((reply.field("conv"), seq)) }
            case 14...19:
                guard !sent.isEmpty else { return }
                let (name, seq) = sent.remove(at: pick(sent.count))
                _ = stage.ask(desk, "ADMIN DELETE \(name) \(seq)")
            case 20: _ = stage.ask(somebody, "DEL-BLOB \(upload)")
            case 21: _ = stage.ask(somebody, "PROFILE avatar=\(pick(3) == 0 ? "\"\"" : upload)")
            case 22: _ = stage.ask(somebody, "BLOB links=no \(upload)")
            case 23:
                rooms.append("#r\(rooms.count)")
                _ = stage.ask(people[0], "CREATE \(rooms.last ?? "")")
                _ = stage.ask(people[1], "JOIN \(rooms.last ?? "")")
            case 24: if !rooms.isEmpty { _ = stage.ask(desk, "ADMIN DROP \(rooms[pick(rooms.count)])") }
            case 25:
                if !rooms.isEmpty { _ = stage.ask(desk, "ADMIN RETAIN max=\(1 + pick(5)) \(rooms[pick(rooms.count)])") }
            case 26: stage.tick(seconds: Int64(pick(50_000)))
            default: stage.tick()
            }
            files.subtract(stage.takeRemoved())
        }

        func step() {
            if !stage.engine.isSnapshotUnderWay {
                stage.handle(.snapshot(nil))
            } else if snapshots.isWaiting {
                guard snapshots.commit(durable: stage.engine.durable) else { return }
                stage.handle(.snapshotEnded(.written))
                written += 1
            } else {
                stage.handle(.snapshotRoom)
            }
            snapshots.take(stage.engine)
        }

        /// All that can be told of uploads, by the number of who asks.
        static func text(_ state: State) -> [String] {
            (1...2 as ClosedRange<UInt32>).flatMap { raw -> [String] in
                let number = AccountNumber(raw)
                guard let account = state.account(number) else { return [] }
                let listed = try? state.decideBlobs(of: number, Page(after: nil, limit: 200)).lines
                let readable = state.allBlobs.map { record in
                    let isReadable = (try? state.findBlob(record.id, number)) != nil
                    return
                        "\(record.id.text) \(isReadable) \(record.linkGeneration) \(state.referenceCount(of: record.id))"
                }
                return (listed ?? []) + readable.sorted() + ["\(account.blobBytes) \(account.avatar?.text ?? "")"]
            }
        }

        /// What a start would make of snapshot and journal is what there is.
        func look() throws {
            stage.tick(3)
            files.subtract(stage.takeRemoved())
            let now = stage.engine.content.state
            for whole in [nil, snapshots.whole] {
                let content = try MemorySnapshots.recovered(
                    whole,
                    stage.journal,
                    through: stage.engine.durable,
                    limits: Limits()
                )
                #expect(Self.text(content.state) == Self.text(now))
            }
            #expect(files == Set(now.allBlobs.compactMap { UInt64($0.hash.hex.prefix(16), radix: 16) }))
            for record in now.allBlobs where record.isSent && now.referenceCount(of: record.id) == 0 {
                #expect(now.account(record.owner)?.avatar == record.id, "it should have ended")
            }
            for conversation in now.conversations where conversation.isDropped {
                #expect(conversation.blobMessages == 0)
            }
        }
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `files are there for uploads that are, and every start finds the same`(seed: UInt64) throws {
        let play = Play(seed: seed)
        for round in 0..<600 {
            try play.act()
            for _ in 0..<play.pick(4) { play.step() }
            if round % 50 == 49 { try play.look() }
        }
        #expect(play.written > 3)
    }
}
