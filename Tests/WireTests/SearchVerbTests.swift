import ChatModel
import Testing
import Wire

/// The SEARCH of a line.
private func search(_ line: String) -> Search? {
    if case .search(let search)? = command(line) { search } else { nil }
}

/// Whether it looks for this.
private func finds(_ search: Search?, _ text: String) -> Bool {
    var folder = TextFolder()
    Array(text.utf8).withUnsafeBytes { folder.fold($0) }
    return search?.words.areAll(in: folder.folded) == true
}

@Suite("The line of a SEARCH") struct SearchVerbTests {
    @Test func `has a conversation and words`() throws {
        let plain = try #require(search("SEARCH #Garden  Grüner  TEE "))
        #expect(plain.target == .named("garden"))
        #expect(plain.limit == 50 && plain.author == nil && plain.after == nil && plain.before == nil)
        #expect(finds(plain, "Tee, gruner") && !finds(plain, "Tee") && !finds(plain, "gruner"))
        #expect(search("search @bob مرحبا")?.target == .direct("bob"))
        #expect(search("@7 SEARCH @ada,bob x")?.target == .pair("ada", "bob"))
    }

    @Test func `takes its words as they are`() {
        #expect(finds(search("SEARCH #a limit=5"), "limit=5"))
        #expect(finds(search(#"SEARCH #a "x"#), #"say "x"#))
        #expect(finds(search("SEARCH #a a\tb"), "b a"))
    }

    @Test func `takes a seq or a time on both sides, an author and a limit`() throws {
        let full = try #require(search(#"SEARCH limit=7 by="Ada" before=9 after=2026-01-31T12:00:00Z #a x"#))
        #expect(full.limit == 7 && full.author == "Ada")
        guard case .seq(9)? = full.before, case .time(let time)? = full.after else {
            Issue.record("before and after")
            return
        }
        #expect(time.text == "2026-01-31T12:00:00.000Z")
    }

    @Test(arguments: [
        ("SEARCH", "BAD-ARG conv"), ("SEARCH garden x", "BAD-ARG conv"), ("SEARCH #a", "BAD-ARG words"),
        ("SEARCH #a   ", "BAD-ARG words"), ("SEARCH #a \u{301}", "BAD-ARG words"),
        ("SEARCH #a \u{3000}", "BAD-ARG words"),
        ("SEARCH limit=0 #a x", "BAD-ARG limit"), ("SEARCH limit=201 #a x", "BAD-ARG limit"),
        ("SEARCH before=x #a x", "BAD-ARG before"), ("SEARCH after=-1 #a x", "BAD-ARG after"),
        ("SEARCH around=3 #a x", "BAD-ARG around"), ("SEARCH by=a by=b #a x", "BAD-ARG by"),
        ("SEARCH text=x #a", "BAD-ARG text"), ("SEARCH #a x\u{1}", "BAD-LINE"),
    ])
    func `says what is wrong with it`(line: String, expected: String) {
        #expect(refusal(line) == expected)
    }

    @Test func `has at most 32 words`() {
        let words = (0..<33).map { "w\($0)" }
        #expect(finds(search("SEARCH #a " + words.dropLast().joined(separator: " ")), words.joined()))
        let refused = answer(Array(("SEARCH #a " + words.joined(separator: " ")).utf8))
        #expect(refused.hasPrefix("ERR TOO-LONG retry=no field=words limit=32 got=33 - "))
    }
}
