import ChatCore
import ChatModel
import ChatTesting
import Testing
import Wire

@testable import Engine

@Suite("How uploads and their files end") struct BlobLifeTests {
    private let stage: Stage
    private let ada, bob, desk: ConnectionKey

    init() {
        stage = Stage()
        (ada, bob, desk) = (stage.signUp("ada"), stage.signUp("bob"), stage.operatorConnection())
        _ = stage.ask(ada, "CREATE #room")
        _ = stage.ask(bob, "JOIN #room")
    }

    private func used(_ key: ConnectionKey) -> String { stage.ask(key, "BLOBS").last?.field("used") ?? "" }

    private func recovered() throws -> State {
        var content = try stage.recovered(through: .max)
        try content.finishRecovery()
        return content.state
    }

    @Test func `the last message and its upload go together, and the file when that is on disk`() throws {
        let id = try stage.upload(ada)
        _ = stage.ask(ada, "SEND blob=\(id) #room one")
        _ = stage.ask(ada, "SEND blob=\(id) @bob two")
        #expect(stage.ask(ada, "DELETE #room 3").first?.hasPrefix("OK") == true)
        #expect(stage.mayRead(id, bob) && stage.mayRead(id, ada) && used(ada) == "4096")
        stage.say(ada, "DELETE @bob 2")
        #expect(stage.takeRemoved() == [], "not durable yet")
        let last = try stage.records.suffix(2)
        #expect(last.map(\.kind) == ["delete", "end-blob"] && last.map(\.together) == [true, false])
        stage.sync(onDisk: stage.engine.appended - 1)
        #expect(stage.takeRemoved() == [], "may be spoken of, and is not on disk")
        stage.sync()
        #expect(stage.takeRemoved() == [1])
        #expect(!stage.mayRead(id, ada) && !stage.mayRead(id, bob) && used(ada) == "0")
        #expect(stage.ask(ada, "SEND blob=\(id) #room again").first?.hasPrefix("ERR NOT-FOUND") == true)
        #expect(try recovered().allBlobs.isEmpty)
    }

    @Test func `the operator's DELETE ends it, too`() throws {
        let id = try stage.upload(ada)
        _ = stage.ask(ada, "SEND blob=\(id) #room one")
        _ = stage.ask(desk, "ADMIN DELETE #room 3")
        #expect(!stage.mayRead(id, ada) && stage.takeRemoved() == [1])
    }

    @Test func `a file whose bytes another upload has stays until that one ends`() throws {
        let (one, two) = (try stage.upload(ada), try stage.upload(bob))
        _ = stage.ask(ada, "DEL-BLOB \(one)")
        #expect(stage.takeRemoved() == [] && stage.mayRead(two, bob))
        _ = stage.ask(bob, "DEL-BLOB \(two)")
        #expect(stage.takeRemoved() == [1])
    }

    @Test func `while an end is not on disk a refused upload of the same bytes does not take the file away`() throws {
        let id = try stage.upload(ada)
        let other = stage.signUp("eve")
        stage.disconnect(other)
        stage.say(ada, "DEL-BLOB \(id)")
        let put = PutBlob(size: 10, type: "image/png", name: "n", target: nil, hash: nil)
        let outcome = Result<ContentHash, Refusal>.success(Stage.content(1))
        stage.handle(.blobStored(.init(connection: other, tag: .none, request: put, outcome: outcome)))
        #expect(stage.engine.settledBlobs.map(\.isKept) == [true])
        #expect(stage.takeRemoved() == [])
        stage.sync()
        #expect(stage.takeRemoved() == [1])
    }

    @Test func `no file goes while a backup copies, and all go afterwards`() throws {
        let (one, two) = (try stage.upload(ada), try stage.upload(ada, content: 2))
        let backup = stage.operatorConnection()
        stage.say(backup, "ADMIN BACKUP")
        let snapshots = MemorySnapshots()
        snapshots.write(stage)
        stage.sync()
        stage.handle(.snapshotEnded(.written))
        _ = stage.ask(ada, "DEL-BLOB \(one)")
        _ = stage.ask(ada, "DEL-BLOB \(two)")
        stage.tick(3)
        #expect(stage.takeRemoved() == [])
        stage.disconnect(backup)
        #expect(stage.takeRemoved() == [1, 2])
    }

    @Test func `DEL-BLOB is the uploader's and the operator's, once; the message keeps its line`() throws {
        let id = try stage.upload(ada)
        _ = stage.ask(ada, "SEND blob=\(id) #room look")
        #expect(stage.ask(bob, "DEL-BLOB \(id)").first?.hasPrefix("ERR DENIED") == true)
        #expect(stage.ask(stage.signUp("eve"), "DEL-BLOB \(id)").first?.hasPrefix("ERR NOT-FOUND") == true)
        #expect(stage.ask(ada, "DEL-BLOB \(id)") == ["OK blob=\(id)"])
        #expect(stage.ask(ada, "DEL-BLOB \(id)").first?.hasPrefix("ERR NOT-FOUND") == true)
        #expect(!stage.mayRead(id, ada) && !stage.mayRead(id, bob))
        #expect(stage.ask(bob, "HISTORY #room").first?.contains(" blob=\(id) ") == true)
        let other = try stage.upload(ada)
        #expect(stage.ask(desk, "ADMIN DEL-BLOB \(other)") == ["OK blob=\(other)"])
        #expect(stage.ask(desk, "ADMIN DEL-BLOB \(other)").first?.hasPrefix("ERR NOT-FOUND") == true)
    }

    @Test func `a picture that is deleted leaves the profile, and others hear of it`() throws {
        let id = try stage.upload(ada)
        _ = stage.ask(ada, "PROFILE avatar=\(id)")
        _ = stage.takeNotices(bob)
        _ = stage.ask(ada, "DEL-BLOB \(id)")
        #expect(
            stage.takeNotices(bob).filter { $0.hasPrefix("EV profile user=ada ") && !$0.contains("avatar") }.count == 1
        )
        #expect(stage.ask(ada, "PROFILE").first?.contains("avatar=") == false)
    }

    @Test func `unused it ends after its time by the clock that runs, whatever the wall clock says`() throws {
        let (one, two) = (try stage.upload(ada), try stage.upload(ada, content: 2))
        let face = try stage.upload(bob, content: 3)
        _ = stage.ask(bob, "PROFILE avatar=\(face)")
        _ = stage.ask(ada, "SEND blob=\(two) #room used")
        stage.setClock(by: 40 * 86_400_000)
        stage.tick(seconds: 86_399)
        #expect(stage.mayRead(one, ada))
        stage.tick(seconds: 2)
        #expect(!stage.mayRead(one, ada) && stage.mayRead(two, bob) && stage.mayRead(face, ada))
        #expect(stage.takeRemoved() == [1] && used(ada) == "4096")
        _ = stage.ask(bob, "PROFILE avatar=\"\"")
        stage.tick(seconds: 86_000)
        #expect(stage.mayRead(face, bob), "its time has begun anew")
        stage.tick(seconds: 401)
        #expect(!stage.mayRead(face, bob) && stage.takeRemoved() == [3])
        #expect(try recovered().allBlobs.map { $0.id.text } == [two])
    }

    @Test func `many end in steps`() throws {
        for content in 0..<1200 as Range<UInt64> { _ = try stage.upload(ada, content: content) }
        stage.tick(seconds: 86_401)
        #expect(used(ada) == String(700 * 4096))
        stage.tick(2)
        #expect(used(ada) == "0" && stage.takeRemoved().count == 1200)
    }

    @Test(arguments: ["DROP #den", "ADMIN DROP #den", "LEAVE #den"])
    func `with its conversation it ends for all, and what was sent elsewhere, too, lives on`(request: String) throws {
        _ = stage.ask(ada, "CREATE private=yes #den")
        let ids = try (0..<600 as Range<UInt64>).map { try stage.upload(ada, content: $0 + 10) }
        for id in ids { stage.say(ada, "SEND blob=\(id) #den x") }
        _ = stage.ask(ada, "SEND blob=\(ids[7]) @bob y")
        stage.goesOn = false
        stage.say(request.hasPrefix("ADMIN") ? desk : ada, request)
        #expect(used(ada) != "0" && !stage.mayRead(ids[0], ada), "at once, though not all of it is done")
        stage.goesOn = true
        stage.tick(3)
        #expect(used(ada) == "4096" && stage.mayRead(ids[7], bob))
        #expect(stage.takeRemoved().count == 599)
        #expect(try recovered().allBlobs.map { $0.id.text } == [ids[7]])
    }

    @Test func `what a crash left of a dropped conversation is gone on with`() throws {
        _ = stage.ask(ada, "CREATE private=yes #den")
        let id = try stage.upload(ada)
        _ = stage.ask(ada, "SEND blob=\(id) #den x")
        _ = stage.ask(ada, "DROP #den")
        #expect(try stage.records.suffix(2).map(\.kind) == ["drop", "end-blob"])
        var content = try stage.recovered(through: stage.engine.appended - 1)
        try content.finishRecovery()
        #expect(content.state.allBlobs.count == 1)
        let second = Stage(content: content)
        second.tick()
        #expect(second.engine.content.state.allBlobs.isEmpty && second.takeRemoved() == [1])
    }

    @Test func `erasing who forwarded the last message ends it`() throws {
        let id = try stage.upload(ada)
        let seq = stage.ask(ada, "SEND blob=\(id) #room mine").first?.field("seq") ?? ""
        _ = stage.ask(bob, "SEND blob=\(id) #room forwarded")
        _ = stage.ask(ada, "DELETE #room \(seq)")
        #expect(stage.mayRead(id, ada))
        stage.unregister(bob)
        #expect(!stage.mayRead(id, ada) && stage.takeRemoved() == [1])
        #expect(try recovered().allBlobs.isEmpty)
    }

    @Test func `a repair spares what has lost its messages by the damage`() throws {
        let id = try stage.upload(ada)
        _ = stage.ask(ada, "SEND blob=\(id) #room look")
        let lost = try Remains(stage) { $0.kind == "msg" }
        #expect(lost.content.state.allBlobs.map { $0.id.text } == [id])
        let second = Stage(content: lost.content)
        second.tick()
        #expect(second.engine.content.state.allBlobs.count == 1)
        second.tick(2, seconds: 86_400)
        #expect(second.engine.content.state.allBlobs.isEmpty)
    }

    @Test func `an idle guest's uploads go with it`() throws {
        let guest = stage.connect()
        _ = stage.ask(guest, "AUTH anonymous=yes")
        let id = try stage.upload(guest)
        _ = stage.ask(guest, "SEND blob=\(id) #lobby hi")
        stage.disconnect(guest)
        #expect(stage.mayRead(id, ada))
        stage.tick(2, seconds: 31 * 86_400)
        #expect(!stage.mayRead(id, ada) && stage.takeRemoved() == [1])
        #expect(try recovered().allBlobs.isEmpty)
    }

    @Test func `what was not written down has not ended`() throws {
        let id = try stage.upload(ada)
        stage.say(ada, "DEL-BLOB \(id)")
        try stage.failJournal()
        #expect(stage.mayRead(id, ada) && stage.takeRemoved() == [])
        #expect(stage.ask(ada, "DEL-BLOB \(id)").first?.hasPrefix("ERR INTERNAL") == true)
        _ = stage.takeReplies(desk)
        stage.say(desk, "ADMIN RESUME")
        #expect(try stage.resume())
        #expect(stage.ask(ada, "DEL-BLOB \(id)") == ["OK blob=\(id)"] && stage.takeRemoved() == [1])
    }
}
