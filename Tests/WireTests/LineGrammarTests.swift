import Bytes
import ChatModel
import Testing
import Wire

@Suite("Lines: blanks, tags, verbs and what no line may hold")
struct LineGrammarTests {
    private func pong(_ line: String) -> String? {
        if case .own(.pong(let word?)) = command(line) { word } else { nil }
    }

    private func tagOf(_ parsed: ParsedLine) -> Wire.Tag? {
        switch parsed {
        case .empty: nil
        case .command(let tag, _), .ask(let tag, _), .refused(let tag, _), .refusedUpload(let tag, _, _): tag
        }
    }

    @Test(arguments: ["", "\r", " ", "     ", "   \r"])
    func `a line of blanks is no request`(line: String) {
        #expect(refusal(line) == "empty")
    }

    @Test(arguments: ["PING x", "ping x", "  PiNg   x", "@low pInG x\r", "   @a  PING x  ", "PING x    \r"])
    func `leading blanks, several blanks, case, one CR and blanks at the end change nothing`(line: String) {
        #expect(pong(line) == "x")
    }

    @Test func `a tag is 1 to 32 letters, digits, minus and underscore, and comes back`() {
        let longest = String(repeating: "aZ0-9_bb", count: 4)
        for name in ["a", "A-1_z", longest] {
            #expect(tagOf(Parsing().parse("@\(name) PING x")) == tag(name))
            #expect(tagOf(Parsing().parse("   @\(name)   FROB")) == tag(name))
            #expect(tag(name).count == name.utf8.count)
            #expect(tag(name).bytes == Array(name.utf8))
        }
        #expect(tagOf(Parsing().parse("PING x")) == Wire.Tag.none)
    }

    @Test(arguments: [
        "@ PING x", "@a.b PING x", "@é PING x", "@\(String(repeating: "a", count: 33)) PING x", "@@a PING",
    ])
    func `a malformed tag is BAD-LINE without a tag`(line: String) {
        #expect(refusal(line) == "BAD-LINE")
        #expect(tagOf(Parsing().parse(line)) == Wire.Tag.none)
    }

    @Test(arguments: ["@a", "@a   ", "@a\r"])
    func `a tag without a verb is BAD-LINE with its tag`(line: String) {
        #expect(refusal(line) == "BAD-LINE")
        #expect(tagOf(Parsing().parse(line)) == tag("a"))
    }

    static let badBytes: [[UInt8]] = [
        [0xFF], [0xC0, 0xAF], [0xC1, 0x81], [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0x80], [0xED, 0xA0, 0x80],
        [0xED, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80], [0xE2, 0x82], [0xC3],
        [0x00], [0x01], [0x0B], [0x0C], [0x0D], [0x1B], [0x1F], [0x7F], [0x0D, 0x0A],
    ]

    @Test(arguments: badBytes)
    func `controls and what is no UTF-8 are BAD-LINE with the tag, wherever they stand`(bytes: [UInt8]) {
        for before in 0..<18 {
            let line = Array("@t SEND #lobby \(String(repeating: "a", count: before))".utf8) + bytes + Array("b".utf8)
            #expect(answer(line).hasPrefix("ERR @t BAD-LINE retry=no - "))
        }
        #expect(refusal(Array("SEND nonce=".utf8) + bytes + Array("x #lobby hi".utf8)) == "BAD-LINE")
        #expect(refusal(Array("FROB ".utf8) + bytes + Array("x".utf8)) == "BAD-LINE")
    }

    @Test func `only one CR is dropped, and only at the end`() {
        #expect(refusal("PING x\r\r") == "BAD-LINE")
        #expect(refusal("PING\rx") == "BAD-LINE")
        #expect(refusal("\rPING x") == "BAD-LINE")
    }

    @Test(arguments: [
        "PING\tx", "PING x\t", "\tPING", "SEND\t#lobby x", "SEND nonce=a\tb #lobby x", "SEND text=\"a\tb\" #lobby",
        "SEND #lo\tbby x", "HISTORY #lobby\t", "CREATE title=\"a\tb\" #x", "AUTH a\tb", "HISTORY #x limit=5\t",
    ])
    func `TAB is no blank: outside of the rest it is BAD-LINE`(line: String) {
        #expect(refusal(line) == "BAD-LINE")
    }

    @Test func `TAB in the rest is text`() {
        #expect(send("SEND #lobby a\tb\t")?.text == "a\tb\t")
        #expect(send("SEND #lobby \t")?.send.isBlank == true)
    }

    @Test(arguments: ["a\u{202E}b", "a\u{85}b", "\u{2028}", "\u{200D}", "👍🏽", "e\u{301}", "\u{10FFFF}", "\u{FFFE}"])
    func `C1, bidi, separators, joiners and marks are text`(text: String) throws {
        let sent = try #require(send("SEND #lobby \(text)"))
        #expect(sent.text?.utf8.elementsEqual(text.utf8) == true)
        #expect(sent.send.scalarCount == text.unicodeScalars.count)
    }

    @Test(arguments: [
        "FROB x", "FROB", "PING! x", "Р", "EDITS #lobby 1 x", "REACTION #lobby 1 x", "READS #lobby 1", "KICKS #a b",
    ])
    func `a verb that is not there is BAD-VERB`(line: String) {
        #expect(refusal(line) == "BAD-VERB")
    }

    @Test func `every verb of the design that is not built is BAD-VERB, whatever follows`() {
        let verbs =
            "ADMIN"
        for verb in verbs.split(separator: " ") {
            for line in ["\(verb)", "\(verb) x=1 #a b", "\(verb) size=3 a\tb"] { #expect(refusal(line) == "BAD-VERB") }
        }
    }

    @Test func `no refusal repeats what was written`() {
        for line in ["Secret123 x", "AUTH token=Secret123 x", "AUTH anonymous=Secret123", "AUTH token=\"Secret123"] {
            #expect(!answer(Array(line.utf8)).isEmpty)
            #expect(!answer(Array(line.utf8)).contains("Secret123"))
        }
    }

    @Test func `the tag of an overlong line counts only when a blank follows it`() {
        func tagOf(_ bytes: String) -> Wire.Tag {
            Array(bytes.utf8).withUnsafeBytes { Parsing().parser.tag(ofBeginning: $0) }
        }
        #expect(tagOf("@big PING xxxx") == tag("big"))
        #expect(tagOf("  @big ") == tag("big"))
        for none in ["@big", "@big\tx", "PING x", "", "@ x", "@\(String(repeating: "x", count: 40))"] {
            #expect(tagOf(none) == Wire.Tag.none)
        }
    }
}
