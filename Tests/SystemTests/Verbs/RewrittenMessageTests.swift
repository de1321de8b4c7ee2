import ChatTesting
import Foundation
import Testing

@Suite("Edited and deleted messages, caught up with and kept")
struct RewrittenMessageTests {
    private struct Talk {
        let room: String
        /// Edited twice; deleted after an edit; left alone.
        let (edited, deleted, plain): (Int, Int, Int)
        let end: Int
    }

    /// Seqs 1 create, 2 join, 3 msg, 4 msg, 5 msg, 6 edit of 3, 7 edit of 4, 8 edit of 3, 9 react to 3, 10 delete of 4.
    private func talk(_ ann: TestClient, _ ben: TestClient, _ room: String) throws -> Talk {
        let seqs = try ["oldest-words", "forbidden-words", "plain"].map { try ann.ok("SEND \(room) \($0)").seq }
        try ann.ok("EDIT \(room) \(seqs[0]) middle-words")
        try ann.ok("EDIT \(room) \(seqs[1]) more-forbidden-words")
        try ann.ok("EDIT \(room) \(seqs[0]) newest-words")
        try ben.ok("EMOTE \(room) \(seqs[0]) 👍")
        let end = try ann.ok("DELETE \(room) \(seqs[1])").seq
        return Talk(room: room, edited: seqs[0], deleted: seqs[1], plain: seqs[2], end: end)
    }

    private func talk(_ loops: Int) throws -> (scene: Scene, ann: TestClient, ben: TestClient, talk: Talk) {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        return (scene, ann, ben, try talk(ann, ben, try scene.room(of: ann, ben)))
    }

    @Test(arguments: [1, 2])
    func `catch-up has every seq, the new text where it was sent, and superseded edits without text`(
        loops: Int
    ) throws {
        let (_, _, ben, talk) = try talk(loops)
        try ben.ok("SUB since=0 \(talk.room)")
        let heard = try ben.logEvents(of: talk.room, count: talk.end)
        #expect(heard.map(\.seq) == Array(1...10))
        #expect(heard[2].text == "newest-words" && heard[2]["edited"] == "8", "\(heard[2])")
        #expect(heard[5].kind == "edit" && heard[5]["id"] == "3" && heard[5].text == nil, "\(heard[5])")
        #expect(heard[7].kind == "edit" && heard[7]["id"] == "3" && heard[7].text == "newest-words", "\(heard[7])")
        #expect(heard[4].text == "plain" && heard[4]["edited"] == nil && heard[4]["deleted"] == nil)
        #expect(heard[8].has(["emoji": "👍", "id": "3"]) && heard[8].kind == "react")
    }

    @Test(arguments: [1, 2])
    func `catch-up has a deleted message and its edits without text`(loops: Int) throws {
        let (scene, _, _, talk) = try talk(loops)
        let late = try scene.user("late")
        try late.ok("JOIN \(talk.room)")
        try late.ok("SUB since=0 \(talk.room)")
        let heard = try late.logEvents(of: talk.room, count: talk.end)
        #expect(heard[3].kind == "msg" && heard[3]["deleted"] == "10" && heard[3].text == nil, "\(heard[3])")
        #expect(heard[6].kind == "edit" && heard[6]["id"] == "4" && heard[6].text == nil, "\(heard[6])")
        #expect(heard[9].kind == "delete" && heard[9]["id"] == "4")
        #expect(!heard.contains { $0.raw.contains("forbidden") || $0.raw.contains("oldest") })
    }

    @Test(arguments: [1, 2])
    func `a live subscriber gets each of them as it happens, once and in order`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let other = try scene.daemon.another(of: ben)
        try ben.ok("SUB \(room)")
        try other.ok("SUB all=yes")
        let talk = try talk(ann, ben, room)
        for client in [ben, other] {
            let heard = try client.logEvents(of: room, count: 8)
            #expect(heard.map(\.seq) == Array(3...10))
            #expect(heard.map(\.kind) == ["msg", "msg", "msg", "edit", "edit", "edit", "react", "delete"])
            #expect(heard.compactMap { $0["id"] } == ["3", "4", "3", "3", "4"])
            #expect(try client.hearsNothing(of: room))
        }
        #expect(talk.end == 10)
    }

    @Test(arguments: [1, 2])
    func `HISTORY in pages reads as now, too`(loops: Int) throws {
        let (_, _, ben, talk) = try talk(loops)
        for request in [
            "HISTORY", "HISTORY after=2", "HISTORY before=11", "HISTORY around=4 limit=3",
        ] {
            let rows = try ben.rows("\(request) \(talk.room)")
            #expect(rows.map(\.seq) == [talk.edited, talk.deleted, talk.plain])
            #expect(rows.map(\.text) == ["newest-words", nil, "plain"], "\(rows)")
        }
    }

    @Test(arguments: [1, 2])
    func `everything reads the same after kill -9 and after a snapshot`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        try ann.ok("CREATE #room")
        try ben.ok("JOIN #room")
        _ = try talk(ann, ben, "#room")
        func reading() throws -> [String] {
            let client = try daemon.another(of: ben)
            try client.ok("SUB since=0 #room")
            return try client.rows("HISTORY #room").map(\.withoutTag)
                + client.logEvents(of: "#room", count: 10).map(\.raw)
        }
        let before = try reading()
        #expect(before.count == 13)
        for isSnapshot in [false, true, true] {
            if isSnapshot { try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30) }
            try daemon.restart()
            #expect(difference(try reading(), before) == nil)
        }
    }

    @Test func `after the next snapshot no file holds a text that was edited away or deleted`() throws {
        let daemon = try RunningDaemon()
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        try ann.ok("CREATE #room")
        try ben.ok("JOIN #room")
        _ = try talk(ann, ben, "#room")
        func files(with text: String) throws -> [String] {
            try DirectoryContents(daemon.data).names(holding: text)
        }
        #expect(try !files(with: "forbidden-words").isEmpty)
        try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30)
        for text in ["oldest-words", "middle-words", "forbidden-words"] {
            #expect(try files(with: text).isEmpty, "\(text)")
        }
        #expect(try !files(with: "newest-words").isEmpty)
    }

    @Test(arguments: [1, 2])
    func `an edit or delete pipelined behind its SEND finds the message`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let requests = (0..<50).flatMap { ["SEND \(room) n\($0)", "EDIT \(room) \(2 + 2 * $0) e\($0)"] }
        #expect(try ann.pipeline(requests).allSatisfy(\.isOK))
        #expect(try ann.allTexts(of: room) == (0..<50).map { "e\($0)" })
    }
}
