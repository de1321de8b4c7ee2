import ChatTesting
import Testing

@Suite("Reading server lines in tests")
struct ReceivedLineTests {
    @Test func `a line is taken apart into word, tag, words, pairs and human text`() throws {
        let line = try ReceivedLine(#"ERR @t1 BAD-ARG retry=no field="a \" b" - not - good"#.utf8)
        #expect(line.word == "ERR" && line.tag == "t1" && line.code == "BAD-ARG")
        #expect(line["retry"] == "no" && line["field"] == #"a " b"# && line.human == "not - good")
    }

    @Test func `escapes are undone, and a 1:1's name is no tag of an event`() throws {
        let line = try ReceivedLine(#"EV msg conv=@ada,bob seq=7 text="one\u000atwo \\ \u202e - x=y""#.utf8)
        #expect(line.text == "one\ntwo \\ \u{202e} - x=y" && line.kind == "msg" && line.seq == 7)
        #expect(line["conv"] == "@ada,bob" && line.human == nil)
    }

    @Test(arguments: [
        "OK  pong=x", "OK a=1 a=2", "OK a=", "EV msg text=bare", #"EV msg text="x" seq=1"#, #"OK a="x"#, #"OK a="x"b"#,
        #"OK a="\n""#, #"OK a="\u000A""#, #"OK a="\u0041""#, "OK a=\u{7}", "OK a=\"\u{202e}\"", "OK a=1\r",
        "OK a=1 word", "",
        "ok a=1", "OK a=b\u{a0}c",
    ])
    func `what protocol.md does not allow is malformed`(raw: String) {
        #expect(throws: ReceivedLine.Malformed.self) { try ReceivedLine(raw.utf8) }
    }
}
