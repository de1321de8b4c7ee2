import ChatModel
import ChatTesting
import Engine
import Testing
import Wire

@Suite("The search of a conversation's lines") struct SearchJobTests {
    /// The seqs a job finds, and whether there is more.
    private func search(
        _ timeline: Timeline,
        _ words: String,
        seqs: Range<Seq> = 1..<Seq.max,
        by authors: [String]? = nil,
        limit: Int = 200
    ) throws -> (seqs: [Seq], more: Bool) {
        let filter = MessageFilter(words: try SearchWords(words), authors: authors?.map { Array($0.utf8) })
        let job = SearchJob(id: 7, pieces: timeline.pieces, seqs: seqs, filter: filter, limit: limit)
        var scratch = MessageFilter.Scratch()
        let result = job.run(&scratch)
        #expect(result.id == 7)
        return (result.seqs, result.more)
    }

    /// A line of the conversation; text that is nil was deleted.
    private static func line(_ seq: Int, by: String, kind: String = "msg", text: String?) -> [UInt8] {
        let fields = text.map { " text=\(rendered($0))" } ?? " deleted=\(seq + 1)"
        return Array("EV \(kind) conv=#a seq=\(seq) ts=2026-01-31T12:00:00.000Z by=\(by)\(fields)\n".utf8)
    }

    private static func rendered(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { out += "\\" }
            if scalar.value < 0x20 {
                out += "\\u00\(scalar.value < 16 ? "0" : "")" + String(scalar.value, radix: 16)
            } else {
                out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    /// 3,000 lines in many chunks, of short words, so that each is found often enough.
    private func conversation(_ random: inout SeededRandom) -> (Speaker, texts: [(by: String, text: String?)]) {
        let words = [
            "Zürich", "zurich", "TREFFEN", "مَرحبا", "你好", "a\"b", "back\\slash", "tab\there", "İZ", "👍🏽", "ok", "Straße",
        ]
        var (speaker, texts) = (Speaker(), [(by: String, text: String?)]())
        for seq in 1...3_000 {
            let count = Int.random(in: 0...6, using: &random)
            let text = (0..<count).map { _ in words[Int.random(in: 0..<words.count, using: &random)] }.joined(
                separator: " "
            )
            let by = ["ada", "bob", "guest-x"][Int.random(in: 0..<3, using: &random)]
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                speaker.say(Self.line(seq, by: by, text: nil))
                texts.append((by, nil))
            case 1:
                speaker.say(Self.line(seq, by: by, kind: "edit", text: text))
                texts.append((by, nil))
            default:
                speaker.say(Self.line(seq, by: by, text: text))
                texts.append((by, text))
            }
        }
        return (speaker, texts)
    }

    /// Whether `text`, which is folded, has all of the words.
    private static func contains(_ words: String, _ text: [UInt8]) -> Bool {
        words.split(separator: " " as Character).allSatisfy { word in
            let word = TextFolding.folded(word.unicodeScalars)
            return text.count >= word.count
                && (0...text.count - word.count).contains { Array(text[$0..<$0 + word.count]) == word }
        }
    }

    @Test(arguments: [UInt64(1), 2, 3]) func `finds what the naive search finds, newest first`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let (speaker, texts) = conversation(&random)
        let folded = texts.map { $0.text.map { TextFolding.folded($0.unicodeScalars) } }
        #expect(speaker.timeline.pieces.count > 7)
        for words in [
            "ZURICH", "treffen zürich", "مرحبا", "好", "a\"B", "\\", "tab here", "iz", "👍", "strasse ok", "nothing",
        ] {
            for _ in 0..<6 {
                let low = UInt64.random(in: 0...3_100, using: &random)
                let seqs = low..<low + UInt64.random(in: 0...3_100, using: &random)
                let authors: [String]? = Bool.random(using: &random) ? nil : ["ada", "guest-x"]
                let limit = Int.random(in: 1...200, using: &random)
                let expected = texts.indices.reversed().filter { index in
                    guard seqs.contains(Seq(index + 1)), let text = folded[index] else { return false }
                    return authors?.contains(texts[index].by) != false && Self.contains(words, text)
                }
                let found = try search(speaker.timeline, words, seqs: seqs, by: authors, limit: limit)
                #expect(found.seqs == expected.prefix(limit).map { Seq($0 + 1) }, "\(words) \(seqs) \(limit)")
                #expect(found.more == (expected.count > limit))
            }
        }
    }

    @Test func `says whether there is more, to the message`() throws {
        var speaker = Speaker()
        for seq in 1...2_000 { speaker.say(Self.line(seq, by: "ada", text: seq % 100 == 0 ? "tea" : "water")) }
        for (limit, more) in [(1, true), (19, true), (20, false), (21, false)] {
            let found = try search(speaker.timeline, "TEA", limit: limit)
            #expect(found.seqs == (1...20).reversed().map { Seq($0 * 100) }.prefix(limit).map { $0 })
            #expect(found.more == more)
        }
    }

    @Test func `reads nothing behind what is published`() throws {
        var speaker = Speaker()
        for seq in 1...40 { speaker.say(Self.line(seq, by: "ada", text: "tea")) }
        let pieces = speaker.timeline.pieces
        for seq in 41...80 { speaker.say(Self.line(seq, by: "ada", text: "tea later")) }
        #expect(pieces.last?.length != speaker.timeline.pieces[pieces.count - 1].length)
        let filter = MessageFilter(words: try SearchWords("tea"))
        var scratch = MessageFilter.Scratch()
        let job = SearchJob(id: 1, pieces: pieces, seqs: 1..<Seq.max, filter: filter, limit: 200)
        #expect(job.run(&scratch).seqs == (1...40).reversed().map { Seq($0) })
    }

    @Test func `finds nothing in lines that are gone, and nothing in none`() throws {
        var speaker = Speaker()
        let reader = Reader()
        #expect(try search(speaker.timeline, "tea").seqs == [])
        for seq in 1...2_000 { speaker.say(Self.line(seq, by: "ada", text: "tea")) }
        speaker.trim(below: 1_000, reader)
        let first = speaker.timeline.firstSeq
        #expect(first > 900)
        let found = try search(speaker.timeline, "tea", seqs: 0..<first + 2)
        #expect(found.seqs == [first + 1, first])
        #expect(!found.more)
    }

    @Test func `ends when nobody waits for it any more`() throws {
        var speaker = Speaker()
        for seq in 1...2_000 { speaker.say(Self.line(seq, by: "ada", text: "tea")) }
        let filter = MessageFilter(words: try SearchWords("tea"))
        let job = SearchJob(id: 1, pieces: speaker.timeline.pieces, seqs: 1..<Seq.max, filter: filter, limit: 200)
        var scratch = MessageFilter.Scratch()
        job.ticket.void()
        #expect(job.run(&scratch).seqs == [])
    }
}
