import ChatModel
import ChatTesting
import Testing

@Suite("Names that cannot be told apart")
struct LookAlikeTests {
    @Test(arguments: ["ada\u{fe0f}", "ada\u{fe0e}", "a\u{fe00}da", "\u{674e}\u{e0100}\u{5c0f}\u{9f99}", "1\u{fe0f}23"])
    func `a variation selector that shows nothing is refused`(name: String) throws {
        #expect(try refused { _ = try Handle(free: name) } == "BAD-ARG name")
        #expect(try refused { _ = try ConversationName(free: name) } == "BAD-ARG conv")
    }

    @Test func `an emoji is the same name with and without its selector`() throws {
        let (plain, drawn) = (try ConversationName(free: "\u{2764}"), try ConversationName(free: "\u{2764}\u{fe0f}"))
        #expect(plain.key == drawn.key && plain.looks == drawn.looks)
        #expect(Array(drawn.text.utf8) == Array("\u{2764}\u{fe0f}".utf8))
    }

    @Test func `a blank Braille cell is no letter`() throws {
        #expect(try refused { _ = try Handle(free: "\u{2800}\u{2800}\u{2800}") } == "BAD-ARG name")
    }

    @Test(arguments: [
        ("аna", "ana"), ("АNА", "ana"), ("pаypal", "paypal"), ("paypaI", "paypal"), ("paypa1", "PAYPAL"),
        ("раура1", "paypal"),
        ("Вob", "bob"), ("НANNA", "Hanna"), ("Мax", "rnax"), ("Мах", "max"), ("rnartin", "Martin"), ("b0b", "BOB"),
        ("ΑDA", "ada"), ("ѕсоре", "Scope"), ("ꓢⲤⲞᏢᎬ", "scope"), ("Lucas", "Iucas"), ("カー", "力ー"), ("ロシア", "口シア"),
        ("۱۱۱", "lll"), ("ᛖax", "max"), ("i|i", "ili"), ("а\u{308}da", "äda"), ("♥\u{fe0f}Вob", "♥bob"),
    ])
    func `share a look`(one: String, other: String) {
        #expect(looks(one).contains { looks(other).contains($0) }, "\(looks(one)) \(looks(other))")
    }

    @Test(arguments: [
        ("ada", "äda"), ("kai", "kal"), ("lisa", "lise"), ("李小龍", "李小龙"), ("محمد", "محمود"), ("нина", "ника"),
        ("👍👍👍", "👍👍👎"), ("c1\u{301}", "c1"), ("ann1", "ann2"), ("한국어", "한국인"), ("Bob", "Rob"),
    ])
    func `do not when a reader sees the difference`(one: String, other: String) {
        #expect(Set(looks(one)).isDisjoint(with: looks(other)), "\(looks(one)) \(looks(other))")
    }

    @Test(arguments: [
        "аdmin", "adМin", "AdmIn", "adrnin", "r00t", "systern", "ЅУЅТЕМ", "a11", "AII", "al1", "h℮re", "fсd", "ⅼobby",
        "1obby",
        "guest-\u{1f3fb}x", "guest-\u{301}x", "GUEST-x", "gueѕt-1", "guеst-х", "guest‐x", "οperatοr",
    ])
    func `with a reserved one are reserved, and so is what looks like a guest`(name: String) throws {
        #expect(try refused { _ = try Handle(free: name) } == "EXISTS name")
    }

    @Test func `with a taken one are taken, whatever scripts they mix`() throws {
        let ada = Handle(trusted: "ada")
        let isTaken = { (handle: Handle) in handle.looks.contains { ada.looks.contains($0) } }
        for (name, outcome) in [("аda", "EXISTS name"), ("ADΑ", "EXISTS name"), ("аdam", "BAD-ARG name")] {
            #expect(try refused { _ = try Handle(checking: name, isTaken: isTaken) } == outcome, "\(name)")
        }
        let lobby = ConversationName(trusted: "lobby")
        let isNamed = { (name: ConversationName) in name.looks == lobby.looks }
        for (name, outcome) in [("lоbby", "EXISTS conv"), ("1obby", "EXISTS conv"), ("lоbbies", "BAD-ARG conv")] {
            #expect(try refused { _ = try ConversationName(checking: name, isTaken: isNamed) } == outcome, "\(name)")
        }
    }

    @Test func `a look has itself for its look`() throws {
        for value in UInt32(0x21)...0x1FFFF {
            guard let scalar = Unicode.Scalar(value), NameFolding.isAllowed(scalar) else { continue }
            for look in looks(String(scalar)) { #expect(looks(look) == [look], "\(String(value, radix: 16))") }
        }
    }

    @Test func `the short way for ASCII changes no look`() {
        var random = SeededRandom(seed: 5)
        let ascii = (UInt32(0x21)..<0x7F).compactMap(Unicode.Scalar.init)
        let others = Array("áéïñÅМмаВвΡρ\u{301}\u{308}\u{338}\u{327}\u{335}李한٠۱カ👍♥".unicodeScalars)
        for round in 0..<6_000 {
            var text = ""
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let isOther = round % 2 == 0 && Int.random(in: 0..<3, using: &random) == 0
                text.unicodeScalars.append((isOther ? others : ascii).randomElement(using: &random) ?? "a")
            }
            guard let text = NameFolding.normalised(text) else { continue }
            let key = NameFolding.key(of: text)
            let expected = [NameFolding.lookByICU(of: key), NameFolding.lookByICU(of: text)]
            #expect(Set(Handle(trusted: text).looks) == Set(expected), "\(text)")
        }
    }

    @Test func `a long text has a look too`() {
        let text = String(repeating: "м\u{301}", count: 100_000)
        #expect(looks(text).map { $0.unicodeScalars.count } == [200_000])
        #expect(looks("") == [""])
    }

    private func looks(_ name: String) -> [String] { Handle(trusted: name).looks }
}

extension Handle {
    /// Checked as if nothing was taken.
    init(free given: String) throws(Refusal) { try self.init(checking: given, isTaken: { _ in false }) }
}

extension ConversationName {
    init(free given: String) throws(Refusal) { try self.init(checking: given, isTaken: { _ in false }) }
}
