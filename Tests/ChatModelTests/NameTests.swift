import ChatModel
import ChatTesting
import Testing

/// `text/key`, or what it is refused with.
private func handle(_ given: String) throws -> String {
    var result = ""
    let refusal = try refused {
        let handle = try Handle(free: given)
        result = handle.text + "/" + handle.key
    }
    return refusal == "taken" ? result : refusal
}

@Suite("Handles") struct HandleTests {
    @Test(arguments: [
        ("ada", "ada/ada"), ("Ada", "Ada/ada"), ("ａｎａ", "ana/ana"), ("李小龍", "李小龍/李小龍"), ("محمد", "محمد/محمد"),
        ("Ærø", "Ærø/ærø"), ("Straße", "Straße/strasse"), ("ΣΊΣΥΦΟΣ", "ΣΊΣΥΦΟΣ/σίσυφοσ"),
        ("Σίσυφος", "Σίσυφος/σίσυφοσ"),
        ("нина", "нина/нина"), ("किताबें", "किताबें/किताबें"), ("ada.l-o_ve!", "ada.l-o_ve!/ada.l-o_ve!"), ("com1", "com1/com1"),
        ("cafe\u{301}", "caf\u{E9}/caf\u{E9}"), ("ﬁona", "fiona/fiona"), ("..a", "..a/..a"), ("ada李", "ada李/ada李"),
        ("محمدali", "محمدali/محمدali"), ("דנהdana", "דנהdana/דנהdana"), ("ひらカナ漢字ab", "ひらカナ漢字ab/ひらカナ漢字ab"),
        ("한국漢", "한국漢/한국漢"),
        ("ada👍", "ada👍/ada👍"), ("لیلا_۱۲۳", "لیلا_۱۲۳/لیلا_۱۲۳"), ("ადა", "ადა/ადა"),
        ("👍👍👍", "👍👍👍/👍👍👍"), ("♥\u{FE0F}♥\u{FE0F}♥\u{FE0F}", "♥\u{FE0F}♥\u{FE0F}♥\u{FE0F}/♥♥♥"),
    ])
    func `of any script are kept in NFKC and compared case-folded`(given: String, expected: String) throws {
        let found = try handle(given)
        #expect(Array(found.utf8) == Array(expected.utf8), "\(found)")
    }

    @Test(arguments: [
        "аna", "pаypal", "αda", "ADΑ", "nиna", "ada\u{200B}", " ada", "ada ", " ada ", "a da", "a\u{A0}da",
        "a\u{3000}da", "*#ana", "@ana", "#lobby", "a,da", "a:da", "a=da", "a\"da", "a/da", "a+da", "", "   ", "a", "ab",
        "\u{301}\u{301}\u{301}", "\u{301}ada", "\u{202E}ana", "ana\u{202E}", "a\u{0}da", "a\nda", "a\tda", "a\u{7F}da",
        "a\u{85}da", "a\u{2028}da", "ad\u{AD}a", "ada\u{FEFF}", "ada\u{E0041}", "ada\u{FE0F}", "ada1\u{FE0F}",
        "\u{FE0F}ada", "♥♥♥\u{FE0F}\u{FE0F}", "ada\u{3164}", "\u{3164}\u{3164}\u{3164}", "\u{2800}\u{2800}\u{2800}",
        "ada\u{E000}", "ada\u{378}", "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", "ada\u{34F}", "\u{115F}\u{1160}ada", "ad\u{FF20}a", "ad\u{FF0C}a",
        "ada\u{1F}", "a\rda", "адаab", "адаαβ", "דנהמحمد", "ひらひ한국", "Ꭰada", "किта",
    ])
    func `that hide, mix or mislead are refused`(given: String) throws {
        #expect(try handle(given) == "BAD-ARG name")
    }

    @Test(arguments: [
        "admin", "ADMIN", "Administrator", "root", "system", "server", "operator", "support", "everyone", "all", "here",
        "deleted", "nobody", "anonymous", "fcd", "fcc", "lobby", "ｆｃｄ", "guest-1", "Guest-x", "ｇuest-", "ROOT",
    ])
    func `that are reserved are taken, whatever their case`(given: String) throws {
        #expect(try handle(given) == "EXISTS name")
    }

    @Test func `have 3 to 20 characters as people see them`() throws {
        for (count, fits) in [(2, false), (3, true), (20, true), (21, false), (10_000, false)] {
            #expect(try handle(String(repeating: "x", count: count)).hasPrefix("BAD-ARG") == !fits, "\(count)")
        }
        #expect(try handle(String(repeating: "e\u{301}", count: 20)).hasPrefix("é"))
        #expect(try handle(String(repeating: "x\u{301}", count: 20)).hasPrefix("x\u{301}"))
        #expect(try handle(String(repeating: "x\u{301}", count: 21)) == "BAD-ARG name")
        #expect(try handle("🇩🇪🇫🇷🇮🇹").hasPrefix("🇩🇪"))
        #expect(try handle("🇩🇪🇫🇷") == "BAD-ARG name")
    }

    @Test func `have at most 64 bytes`() throws {
        #expect(try handle(String(repeating: "李", count: 20)).hasPrefix("李"))
        #expect(try handle(String(repeating: "👍", count: 16)).hasPrefix("👍"))
        #expect(try handle(String(repeating: "👍", count: 17)) == "BAD-ARG name")
        #expect(try handle("abc" + String(repeating: "\u{301}", count: 5_000)) == "BAD-ARG name")
        #expect(try handle("ﷺﷺﷺ") == "BAD-ARG name", "NFKC makes blanks of it")
    }

    @Test func `are the same whether written NFC or NFD`() throws {
        for name in ["é́cole", "한국어", "Ấn-Độ", "ñandú"] {
            var decomposed = ""
            for scalar in name.decomposedStringForTests { decomposed.unicodeScalars.append(scalar) }
            #expect(try handle(name) == (try handle(decomposed)))
        }
    }
}

extension String {
    /// Hangul and Latin letters of the test above, taken apart.
    fileprivate var decomposedStringForTests: [Unicode.Scalar] {
        let parts: [Unicode.Scalar: String] = [
            "é": "e\u{301}", "한": "\u{1112}\u{1161}\u{11AB}", "국": "\u{1100}\u{116E}\u{11A8}", "어": "\u{110B}\u{1165}",
            "Ấ": "A\u{302}\u{301}", "Đ": "Đ", "ộ": "o\u{323}\u{302}", "ñ": "n\u{303}", "ú": "u\u{301}",
        ]
        return unicodeScalars.flatMap { Array((parts[$0] ?? String($0)).unicodeScalars) }
    }
}

@Suite("Names of conversations") struct ConversationNameTests {
    private func name(_ given: String) throws -> String {
        try refused { _ = try ConversationName(free: given) }
    }

    @Test func `have 1 to 32 characters and no reserved words`() throws {
        for (given, outcome) in [
            ("a", "taken"), ("", "BAD-ARG conv"), ("admin", "taken"), ("guest-1", "taken"), ("lobby", "taken"),
            (String(repeating: "x", count: 32), "taken"), (String(repeating: "x", count: 33), "BAD-ARG conv"),
            (String(repeating: "👍", count: 32), "taken"), (String(repeating: "👍", count: 33), "BAD-ARG conv"),
        ] { #expect(try name(given) == outcome, "\(given)") }
    }

    @Test(arguments: [
        "c1\u{FE0F}", "\u{301}c1", "c1\u{200D}", "c1\u{200B}", "c 1", "c1 ", "#c1", "c1\u{2060}", "c1,", "сhat",
        "c1\u{85}",
    ])
    func `that look like another are refused`(given: String) throws {
        #expect(try name(given) == "BAD-ARG conv")
    }

    @Test func `are other names with a mark that shows`() throws {
        #expect(try ConversationName(free: "c1\u{301}").key != ConversationName(free: "c1").key)
    }
}

@Suite("The folded key") struct FoldingTests {
    @Test func `of a key is the key, and does not depend on case or normal form`() {
        var random = SeededRandom(seed: 3)
        let alphabet = Array("aZéÉßẞΣσςİıſÅåДд李ﬁ１Ｗ한がガ٣क्षิ👍😀♥\u{FE0F}".unicodeScalars)
        for _ in 0..<5_000 {
            var text = ""
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                text.unicodeScalars.append(alphabet.randomElement(using: &random) ?? "a")
            }
            let key = NameFolding.key(of: text)
            #expect(Array(NameFolding.key(of: key).utf8) == Array(key.utf8), "\(text)")
            if let normal = NameFolding.normalised(text) {
                #expect(Array(NameFolding.key(of: normal).utf8) == Array(key.utf8), "\(text)")
            }
        }
    }

    @Test func `of ASCII is lower case`() {
        let all = String(decoding: UInt8(0x20)..<0x7F, as: UTF8.self)
        #expect(NameFolding.key(of: all) == all.lowercased())
    }
}
