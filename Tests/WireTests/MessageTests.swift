import Bytes
import ChatModel
import Testing
import Wire

@Suite("SEND and REPLY")
struct MessageTests {
    @Test(arguments: [
        "hi", "مرحبا 你好 :) key=value  two  blanks", "  led and followed by blanks  ", "reply=1 - text=\"x\" @y",
        "\"a\"b", "- ",
    ])
    func `behind the argument all is text, verbatim`(text: String) {
        #expect(send("SEND #lobby \(text)")?.text == text)
        #expect(send("@a   SEND   nonce=x   #lobby \(text)\r")?.text == text)
        #expect(send("REPLY #lobby 3 \(text)")?.text == text)
    }

    @Test func `no text is nil, an empty rest is no rest, an empty text is a blank one`() throws {
        for line in ["SEND #lobby", "SEND #lobby ", "SEND geo=1,2 #lobby", "REPLY #lobby 1 "] {
            let sent = try #require(send(line))
            #expect(sent.text == nil && sent.send.isBlank)
        }
        for line in ["SEND text=\"\" #lobby", "SEND text= #lobby"] {
            let sent = try #require(send(line))
            #expect(sent.text == "" && sent.send.isBlank && sent.send.scalarCount == 0)
        }
    }

    @Test func `text= with another text is BAD-ARG, with an empty rest it is not`() {
        #expect(refusal("SEND text=\"a\" #lobby b") == "BAD-ARG text")
        #expect(refusal("SEND text=\"a\" #lobby  ") == "BAD-ARG text")
        #expect(refusal("REPLY text=\"a\" #lobby 1 b") == "BAD-ARG text")
        #expect(send("SEND text=\"a\" #lobby ")?.text == "a")
    }

    @Test func `a text of White_Space alone is blank`() {
        let blanks = "\t \u{85}\u{A0}\u{1680}\u{2000}\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}"
        #expect(send("SEND #lobby \(blanks)")?.send.isBlank == true)
        #expect(send("SEND text=\"\\n\\r\\u000b \" #lobby")?.send.isBlank == true)
        for text in ["\(blanks)x", "\u{200B}", "\u{301}", "\u{FEFF}", "."] {
            #expect(send("SEND #lobby \(text)")?.send.isBlank == false)
        }
    }

    @Test func `what counts is Unicode scalars`() {
        #expect(send("SEND #lobby aé👍🏽e\u{301}")?.send.scalarCount == 6)
        #expect(send("SEND text=\"\\u00e9\\ud83d\\udc4d\" #lobby")?.send.scalarCount == 2)
    }

    @Test func `texts of a batch lie behind each other in one arena`() throws {
        let parsing = Parsing()
        guard case .command(_, .send(let first)) = parsing.parse("SEND #a one"),
            case .command(_, .send(let second)) = parsing.parse(#"SEND text="t\u0077o" #a"#)
        else { return #expect(Bool(false)) }
        #expect(parsing.text(first) == "one" && parsing.text(second) == "two")
        #expect(second.text == ArenaRange(offset: 3, count: 3))
    }

    @Test func `a line that is refused leaves nothing in the arena`() {
        let parsing = Parsing()
        for line in ["SEND text=\"abc\" #x y", "SEND frob=1 #x y", "SEND #\u{1B} abc", "SEND kind=y #x abc"] {
            guard case .refused = parsing.parse(line) else { return #expect(Bool(false), "\(line)") }
        }
        let left = parsing.arena.count
        #expect(left == 0)
    }

    @Test func `a nonce is 1 to 64 bytes and goes on as its hash`() {
        let hash = Array("n-1".utf8).withUnsafeBytes(Parsing.hashers.nonce)
        #expect(send("SEND nonce=n-1 #x y")?.send.nonce == hash)
        #expect(send("SEND #x y")?.send.nonce == nil)
        #expect(send("SEND nonce=\(String(repeating: "n", count: 64)) #x y") != nil)
        for bad in ["", "\"\"", String(repeating: "n", count: 65)] {
            #expect(refusal("SEND nonce=\(bad) #x y") == "BAD-ARG nonce")
        }
    }

    @Test func `a reply names a seq from 1 on; REPLY is SEND reply=`() {
        #expect(send("SEND reply=41 #x y")?.send.reply == 41)
        #expect(send("reply #x 41 y")?.send.reply == 41)
        #expect(refusal("SEND reply=0 #x y") == "BAD-ARG reply")
        #expect(refusal("REPLY #x 0 y") == "BAD-ARG id")
        #expect(refusal("REPLY #x") == "BAD-ARG id")
        #expect(refusal("REPLY reply=1 #x 2 y") == "BAD-ARG reply")
        #expect(send("REPLY nonce=a geo=1,2 kind=x-a text=\"b\" #x 2")?.text == "b")
    }

    @Test func `a blob is named by its whole id, and a text is not needed beside it`() {
        let id = "b_BAAAAAAAAAAAAAAAAAAA-_"
        #expect(send("SEND blob=\(id) #x y")?.send.blob?.text == id)
        #expect(send("SEND blob=\(id) #x")?.send.text == nil)
        #expect(send("REPLY blob=\(id) #x 3")?.send.blob?.text == id)
        for bad in [
            "", "b_1", String(id.dropLast()), id + "A", "B" + id.dropFirst(), "b_E" + id.dropFirst(3),
            "b_BAAAAAAAAAAAAAAAAAAA-=",
        ] {
            #expect(refusal("SEND blob=\"\(bad)\" #x y") == "NOT-FOUND blob")
        }
        #expect(refusal("SEND blob=\(id) geo=1,2 #x") == "BAD-ARG geo")
    }

    @Test(arguments: [
        ("52.52,13.405", "52.52,13.405"), ("52.520:13", "52.520,13"), ("-90,-180", "-90,-180"),
        ("90.000,180.0", "90.000,180.0"),
        ("-0.5,0", "-0.5,0"), ("0,0.123456789012", "0,0.123456789012"),
    ])
    func `a place is two decimal degrees with their digits kept`(given: String, shown: String) {
        #expect(send("SEND geo=\(given) #x")?.send.geo?.text == shown)
    }

    @Test(arguments: [
        "", "1", "1,", ",1", "1,2,3", "1;2", "90.1,0", "91,0", "-90.0000001,0", "0,180.5", "0,-181", "+1,2", "1,+2",
        "01,2", "1.,2",
        ".5,2", "1,2.1234567890123", "1e1,2", "--1,2", "-,1", "nan,1", "٣,1", "1, 2", "1::2",
        "99999999999999999999999,1",
    ])
    func `what is no place on earth is BAD-ARG`(given: String) {
        #expect(refusal("SEND geo=\"\(given)\" #x") == "BAD-ARG geo")
    }

    @Test func `a kind is x- and 1 to 32 of a-z 0-9 -`() {
        let longest = "x-" + String(repeating: "a", count: 32)
        for kind in ["x-a", "x-9-", longest] { #expect(send("SEND kind=\(kind) #x y")?.send.kind == kind) }
        for kind in ["", "x-", "x", "photo", "X-a", "x-A", "x-é", "x_a", longest + "a"] {
            #expect(refusal("SEND kind=\(kind) #x y") == "BAD-ARG kind")
        }
    }
}
