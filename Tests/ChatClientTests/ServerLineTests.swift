import Testing
import Wire

@Suite("Server lines as a client reads them")
struct ServerLineTests {
    @Test func `A line gives word, tag, kind, keys and human text`() throws {
        let line = try #require(ServerLine(#"ERR @t1 BAD-ARG retry=no field=text - say "something""#))
        #expect(line.word == .error)
        #expect(line.tag == "t1")
        #expect(line.kind == "BAD-ARG")
        #expect(line["field"] == "text")
        #expect(line.human == #"say "something""#)
    }

    @Test func `Quoted values are decoded, pairs of surrogates too`() throws {
        let line = try #require(ServerLine(#"EV msg seq=4 text="a \"b\"\\ \n\u001b[31m \ud83d\udc4d ok""#))
        #expect(line["text"] == "a \"b\"\\ \n\u{1b}[31m 👍 ok")
        #expect(line.number("seq") == 4)
    }

    @Test func `Inside quotes neither a dash nor an equals sign means anything`() throws {
        let line = try #require(ServerLine(#"EV msg text="a - b key=1" x=2"#))
        #expect(line["text"] == "a - b key=1")
        #expect(line["key"] == nil)
        #expect(line["x"] == "2")
        #expect(line.human == nil)
    }

    @Test func `A lone surrogate becomes the replacement character and eats nothing`() throws {
        #expect(try #require(ServerLine(#"EV msg text="\ud83dA""#))["text"] == "\u{FFFD}A")
        #expect(try #require(ServerLine(#"EV msg text="\ud83d\u0041""#))["text"] == "\u{FFFD}A")
        #expect(try #require(ServerLine(#"EV msg text="\udc4dA""#))["text"] == "\u{FFFD}A")
    }

    @Test func `json= goes to the end of the line, verbatim`() throws {
        let line = try #require(ServerLine(#"ROW @a item id=1 json={"a":" - ","b":[1]}"#))
        #expect(line["json"] == #"{"a":" - ","b":[1]}"#)
        #expect(line.human == nil)
    }

    @Test func `Unknown keys and further words harm nobody`() throws {
        let line = try #require(ServerLine("ROW msg extra new-key=5 seq=1 -"))
        #expect(line.words == ["msg", "extra"])
        #expect(line["new-key"] == "5")
        #expect(line.human?.isEmpty == true)
    }

    @Test func `Quoted and plain digits are told apart`() throws {
        let line = try #require(ServerLine(#"EV msg a=5 b="5""#))
        #expect(line.fields.map(\.isQuoted) == [false, true])
    }

    @Test(arguments: [
        "", " ", "HELLO x", "ok", "EV\u{301} msg", #"EV msg text="open"#, #"EV msg text="a"b"#, #"EV msg text="\x""#,
        #"EV msg text="\u12g4""#, #"EV msg text="\"#,
    ])
    func `What is no server line gives nil`(_ text: String) { #expect(ServerLine(text) == nil) }

    @Test func `Invalid UTF-8 gives nil`() {
        let bytes: [UInt8] = Array("EV msg text=".utf8) + [0xFF]
        #expect(bytes.withUnsafeBytes { ServerLine($0) } == nil)
    }

    @Test func `One CR before the line end is dropped`() {
        #expect(ServerLine("OK @a pong=x\r")?["pong"] == "x")
    }

    @Test func `A number is plain digits that fit`() throws {
        let line = try #require(ServerLine("OK a=18446744073709551615 b=18446744073709551616 c=-1 d=x e=٣"))
        #expect(line.number("a") == UInt64.max)
        for key in ["b", "c", "d", "e", "f"] { #expect(line.number(key) == nil, "\(key)") }
    }

    @Test func `No cut of a line traps`() throws {
        let whole = Array(#"ERR @t1 LIMIT retry=5 text="a\ud83d\udc4d\n\"" json={} - human"#.utf8)
        for end in whole.indices {
            let line = whole[..<end].withUnsafeBytes { ServerLine($0) }
            #expect(line == nil || line?.word == .error)
        }
    }
}
