import ChatTesting
import Testing

@Suite("SEARCH")
struct SearchTests {
    @Test(arguments: [1, 2])
    func `finds words of any script, whatever their case and accents`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, bob) = (try scene.user(), try scene.user())
        let room = try scene.room(of: ann)
        try bob.ok("JOIN \(room)")
        let texts = ["Treffen in Zürich مَرحبا بكم 你好世界", "İstanbul'da IŞIK", "ΟΔΟΣ ὁδός", "한국어", "नमस्ते", "100 % ＯＫ 👍🏽"]
        let seqs = try ann.pipeline(texts.map { "SEND \(room) \($0)" }).map(\.seq)
        for (words, index) in [
            ("zurich", 0), ("TREFFEN", 0), ("مرحبا", 0), ("你好", 0), ("界", 0), ("trèffén zur", 0), ("istanbul isik", 1),
            ("ışık", 1), ("οδοσ", 2), ("한국", 3), ("नमस", 4), ("ok", 5), ("👍", 5), ("%", 5),
        ] {
            #expect(try bob.rows("SEARCH \(room) \(words)").map(\.seq) == [seqs[index]], "\(words)")
        }
        #expect(try bob.ok("SEARCH \(room) zurich istanbul")["n"] == "0")
    }

    @Test(arguments: [1, 2])
    func `is answered like HISTORY, but newest first`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let seqs = try ann.pipeline((0..<260).map { "SEND \(room) tea \($0)" }).map(\.seq)
        let reply = try ann.ok("SEARCH \(room) TEA")
        #expect(reply.rows.map(\.seq) == seqs.suffix(50).reversed() && reply["n"] == "50" && reply["more"] == "yes")
        let history = try ann.rows("HISTORY \(room)")
        #expect(reply.rows.reversed().map { "\($0.words) \($0.pairs)" } == history.map { "\($0.words) \($0.pairs)" })
        // Page by page, everything once.
        var (found, before) = ([Int](), "")
        while true {
            let page = try ann.ok("SEARCH \(before)limit=200 \(room) tea")
            found += page.rows.map(\.seq)
            guard page["more"] == "yes", let last = found.last else { break }
            before = "before=\(last) "
        }
        #expect(found == seqs.reversed())
        let between = try ann.ok("SEARCH after=\(seqs[10]) before=\(seqs[14]) \(room) tea")
        #expect(between.rows.map(\.seq) == [seqs[13], seqs[12], seqs[11]] && between["more"] == "no")
        let time = try #require(between.rows.dropFirst().first?["ts"])
        let after = try ann.rows("SEARCH after=\(time) limit=200 \(room) tea")
        #expect(after.allSatisfy { ($0["ts"] ?? "") > time })
    }

    @Test(arguments: [1, 2])
    func `keeps the order of answers, and takes the next line after its own`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let room = try scene.room(of: ann)
        let lines = [
            "SEND \(room) one tea", "SEARCH \(room) tea", "SEND \(room) more tea", "SEARCH \(room) tea", "PING x",
        ]
        let replies = try ann.pipeline(lines)
        #expect(replies.map { $0["n"] ?? "" } == ["", "1", "", "2", ""])
        #expect(replies.last?["pong"] == "x")
    }

    @Test(arguments: [1, 2])
    func `is for those who may read`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, eve) = (try scene.user(), try scene.user())
        let room = try scene.room(of: ann)
        try ann.ok("SEND \(room) tea")
        #expect(try eve.refusal("SEARCH \(room) tea").code == "DENIED")
        #expect(try eve.refusal("SEARCH #no-such-room tea").code == "NOT-FOUND")
        #expect(try ann.refusal("SEARCH by=nobody-like-that \(room) tea").code == "NOT-FOUND")
    }

    @Test(arguments: [1, 2])
    func `finds messages as they read now, also after a restart`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let ann = try daemon.user("ann")
        let seqs = try ann.pipeline(["first", "second", "third"].map { "SEND #lobby \($0) secret" }).map(\.seq)
        try ann.ok("EDIT #lobby \(seqs[0]) first is public")
        try ann.ok("DELETE #lobby \(seqs[1])")
        try ann.ok("EMOTE #lobby \(seqs[2]) 👍")
        var client = ann
        for _ in 0..<2 {
            #expect(try client.rows("SEARCH #lobby secret").map(\.seq) == [seqs[2]])
            #expect(try client.rows("SEARCH #lobby first").map(\.text) == ["first is public"])
            let row = try #require(try client.rows("SEARCH #lobby third").first)
            #expect(row["react"] == "👍:1" && row["mine"] == "👍")
            try daemon.restart()
            client = try daemon.another(of: ann)
        }
    }

    @Test(arguments: [1, 2])
    func `finds its text after a restart`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let ann = try daemon.user("ann")
        try ann.ok("SEND #lobby Grüße \"quoted\" back\\slash")
        try daemon.restart()
        let again = try daemon.another(of: ann)
        for words in ["grusse", "\"quoted\"", "BACK\\SLASH"] {
            #expect(try again.rows("SEARCH #lobby \(words)").count == 1, "\(words)")
        }
    }
}
