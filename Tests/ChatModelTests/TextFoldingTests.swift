import ChatModel
import ChatTesting
import Testing

/// Whether `words` are found in `text`.
private func found(_ words: String, in text: String) throws -> Bool {
    var folder = TextFolder()
    Array(text.utf8).withUnsafeBytes { folder.fold($0) }
    return try SearchWords(words).areAll(in: folder.folded)
}

@Suite("Searched text") struct TextFoldingTests {
    @Test(arguments: [
        // Latin
        ("zurich", "Treffen in Zürich"), ("ZÜRICH", "treffen in zurich"), ("TREFFEN", "Treffen"),
        ("cafe", "cafe\u{301}"),
        ("caf\u{E9}", "CAFE"), ("strasse", "Straße"), ("straße", "STRASSE"), ("GROẞ", "groß"), ("Lodz", "Łódź"),
        ("smorgas", "SMØRGÅS"), ("ætt", "AETT"), ("oeuvre", "Œuvre"), ("dakovo", "Đakovo"), ("long", "ſong long"),
        ("naive", "naïve"), ("tieng viet", "Tiếng Việt"), ("TIẾNG", "tie\u{302}\u{301}ng"), ("duong", "đường"),
        // Turkish: four letters i, and whoever writes one of them is meant to find all.
        ("istanbul", "İSTANBUL"), ("ISTANBUL", "istanbul"), ("ışık", "IŞIK"), ("isik", "Işık"),
        ("DIYARBAKIR", "Diyarbakır"),
        // Greek: final sigma, accents, breathings, iota below
        ("ΟΔΟΣ", "οδός"), ("σισυφος", "Σίσυφος"), ("σίσυφοσ", "ΣΊΣΥΦΟΣ"), ("τω ανθρωπω", "τῷ ἀνθρώπῳ"),
        ("αδης", "ᾅδης"),
        // Cyrillic, Armenian, Georgian, Cherokee
        ("еж", "ЁЖ"), ("МИЙ", "мии"), ("եւ", "և"), ("ᲗᲑᲘᲚᲘᲡᲘ", "თბილისი"), ("ꭰ", "Ꭰ"),
        // Arabic: marks, hamza on its seat, tatweel, presentation forms
        ("مرحبا", "مَرْحَبًا بِكُم"), ("مَرحبا", "مرحبا"), ("احمد", "أحمد"), ("القران", "القرآن"), ("سلام", "ســـلام"),
        ("لا", "ﻻ"),
        ("الله", "ﷲ"), ("میخواهم", "می\u{200C}خواهم"),
        // Hebrew
        ("שלום", "שָׁלוֹם"), ("שלום", "ש\u{5C1}לום"),
        // India, Thailand, Laos, Tibet
        ("हिन्दी", "यह हिन्दी है"), ("क\u{93C}लम", "\u{958}लम"), ("ভাষা", "বাংলা ভাষা"), ("தமிழ்", "தமிழ்மொழி"),
        ("ภาษา", "ภาษาไทย"), ("นำ", "น้ำ"), ("ใหม", "ใหม่"), ("ລາວ", "ພາສາລາວ"), ("བོད", "བོད་ཡིག"),
        // Han, kana, Hangul
        ("你好", "你好世界"), ("世界", "你好世界"), ("ひらがな", "これはひらがなです"), ("カタカナ", "ｶﾀｶﾅ"), ("ガ", "ｶﾞ"), ("が", "か\u{3099}"),
        ("한국", "\u{1112}\u{1161}\u{11AB}국"), ("\u{1112}\u{1161}\u{11AB}", "한국"), ("하", "한국"),
        // Other ways to write the same
        ("abc 123", "ＡＢＣ １２３"), ("office", "oﬃce"), ("10", "①０"), ("m2", "m²"), ("soft", "so\u{AD}ft"),
        ("ab", "a\u{200B}b"),
        ("x", "𝔛"), ("𐐨", "𐐀"), ("µm", "μm"), ("Å", "\u{212B}ngström"), ("a\u{34F}b", "ab"),
        // Pictures
        ("👍", "👍🏽 gut"), ("❤", "❤\u{FE0F}"), ("❤\u{FE0F}", "❤"), ("👩‍👧", "👩👧"), ("🇩🇪", "in 🇩🇪"),
        // Every word, in any order, anywhere
        ("dog fox", "the fox and the dog"), ("ox  og", "the fox and the dog"), ("a\u{3000}b", "b, a"),
        ("b\u{A0}a", "a, b"),
    ])
    func `is found whatever its case, accents and way of writing`(words: String, text: String) throws {
        #expect(try found(words, in: text))
    }

    @Test(arguments: [
        ("zurich", "Zurch"), ("dog cat", "the fox and the dog"), ("ab", "a b"), ("fox.", "fox"), ("abc", "ab"),
        // Marks that are parts of letters: vowels, viramas, nuktas, voicing
        ("हन्दी", "हिन्दी"), ("क\u{94D}क", "कक"), ("कक", "क\u{94D}क"), ("\u{958}लम", "कलम"), ("கக", "கிக"),
        ("かき", "がき"), ("がき", "かき"), ("ハハ", "パパ"), ("はは", "ハハ"),
        // Thai, Lao and Tibetan vowels below and above, which have classes like accents
        ("ดดี", "ดุดี"), ("ดุดี", "ดูดี"), ("ກກ", "ກຸກ"), ("བད", "བོད"), ("བོད", "བུད"),
        ("عالم", "علم"), ("你们", "你好"), ("한", "하나"), ("👍🏽", "👍 gut"), ("o", "ο"), ("a", "а"),
    ])
    func `is not found where another letter stands`(words: String, text: String) throws {
        #expect(try !found(words, in: text))
    }

    @Test(arguments: ["", "  ", "\u{3000}\u{A0}", "\u{301}", "\u{640}\u{640} \u{200D}", "\u{FE0F}"])
    func `is not searched for nothing`(words: String) {
        #expect { try SearchWords(words) } throws: { if case SearchWords.Fault.none = $0 { true } else { false } }
    }

    @Test func `is searched for 32 words at most`() throws {
        let words = (1...32).map { "w\($0)x" }
        #expect(try found(words.joined(separator: " "), in: words.reversed().joined()))
        #expect(try !found(words.joined(separator: " "), in: words.dropLast().joined()))
        #expect {
            try SearchWords((words + ["w"]).joined(separator: " "))
        } throws: {
            if case SearchWords.Fault.tooMany(33) = $0 { true } else { false }
        }
    }

    /// `nukta` has class 7, `virama` 9, `above` 230: in any order these are the same text, and none of it is lost.
    @Test func `has its marks in canonical order`() throws {
        let (nukta, virama, above, tibetan) = ("\u{93C}", "\u{94D}", "\u{951}", "\u{F71}\u{F72}")
        #expect(try found("क" + nukta + virama + "ल", in: "क" + virama + nukta + "ल"))
        #expect(try found("क" + virama + above + nukta + "ल", in: "क" + nukta + virama + "ल"))
        #expect(try found("ཀ" + tibetan, in: "ཀ\u{F72}\u{F71}"))
        #expect(try !found("क" + nukta + "ल", in: "क" + nukta + virama + "ल"))
    }

    @Test(
        arguments: [
            [0xFF, 0xC3], [0xE4, 0xBD], [0xF0, 0x9F, 0x91], [0x80, 0xBF, 0x61], [0xC0, 0x80], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF7, 0xBF, 0xBF, 0xBF], [0xEF, 0xBF, 0xBF], [0xF8, 0x88], [0xC3], [], [0x41],
        ] as [[UInt8]]
    )
    func `may be no UTF-8 at all`(bytes: [UInt8]) throws {
        var folder = TextFolder()
        let word = try SearchWords("xyz")
        for copies in [1, 3, 40] {
            let text = Array((0..<copies).map { _ in bytes }.joined()) + Array("   XYZ".utf8)
            text.withUnsafeBytes { folder.fold($0) }
            #expect(word.areAll(in: folder.folded))
        }
        bytes.withUnsafeBytes { folder.fold($0) }
        #expect(!word.areAll(in: folder.folded))
    }

    @Test func `ends where it ends, whatever stands behind it`() {
        var random = SeededRandom(seed: 0xE4D)
        var folder = TextFolder()
        func folded(_ text: [UInt8], before others: [UInt8]) -> [UInt8] {
            (text + others).withUnsafeBytes { folder.fold(UnsafeRawBufferPointer(rebasing: $0[..<text.count])) }
            return Array(folder.folded)
        }
        for _ in 0..<3000 {
            let count = Int.random(in: 0...40, using: &random)
            // Mostly first bytes of scalars, so that each lacks others.
            let text = (0..<count).map { _ in
                UInt8.random(in: Bool.random(using: &random) ? 0xC0...0xFF : 0x41...0xFF, using: &random)
            }
            #expect(
                folded(text, before: Array("ABCD".utf8)) == folded(text, before: [0xBF, 0xBF, 0xBF, 0xBF]),
                "\(text)"
            )
        }
    }
}
