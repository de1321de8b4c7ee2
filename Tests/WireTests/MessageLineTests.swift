import Bytes
import Testing
import Wire

/// The text a search sees in a line, `nil` when none.
private func text(_ line: String) -> String? {
    var buffer = ByteBuffer()
    return Array(line.utf8).withUnsafeBytes { bytes in
        MessageLine(bytes).map { String(decoding: $0.text(in: &buffer), as: UTF8.self) }
    }
}

private let head = "conv=#a seq=4 ts=2026-01-31T12:00:00.000Z by=ada"

@Suite("A message's line") struct MessageLineTests {
    @Test(arguments: [
        (#"text="hi all""#, "hi all"), (#"text="""#, ""), (#"text="\"""#, "\""), (#"text="a\\""#, #"a\"#),
        (#"text="\\\"""#, #"\""#),
        (#"text="say \"text=\" twice""#, #"say "text=" twice"#), (#"text="a\u0009b\u202ec""#, "a\tb\u{202E}c"),
        (#"reply=2 edited=9 text="ok""#, "ok"), (#"geo=1,2 text="here""#, "here"),
        (#"kind=x-a text="ja" react="👍:3""#, "ja"),
        (#"kind=photo blob=b_0 type=image/png size=3 name="a \" text=\"b.png" text="cat""#, "cat"),
        (#"kind=photo blob=b_0 type=image/png size=3 name="text=" text="dog""#, "dog"),
        (#"text="Zürich 你好 👍""#, "Zürich 你好 👍"),
    ])
    func `has the text that was sent`(fields: String, expected: String) {
        #expect(text("EV msg \(head) \(fields)") == expected)
    }

    @Test(arguments: [
        "deleted=45", "geo=1,2", #"kind=file blob=b_0 type=a/b size=1 name="my text=\"x\".txt""#, #"name=" text=""#,
        #"xtext="a""#,
        #"text=a"#, #"text="open"#, #"text="open\""#, "",
    ])
    func `may have none`(fields: String) {
        #expect(text("EV msg \(head) \(fields)") == nil)
    }

    @Test(arguments: [
        #"EV edit \#(head) id=2 text="new""#, #"EV topic \#(head) title="text""#, #"EV msgs \#(head) text="a""#,
        "EV msg ", "EV", "",
        #"msg \#(head) text="a""#,
    ])
    func `is no other event's`(line: String) {
        #expect(text(line) == nil)
    }

    @Test func `tells who said it, byte by byte`() throws {
        let line = Array(#"EV msg \#(head) text="by=bob by=\"eve\"""#.utf8)
        try line.withUnsafeBytes { bytes in
            let message = try #require(MessageLine(bytes))
            #expect(message.isBy([Array("bob".utf8), Array("ada".utf8)]))
            for name in ["bob", "eve", "Ada", "ad", "adas", ""] { #expect(!message.isBy([Array(name.utf8)])) }
            #expect(!message.isBy([]))
        }
    }

    @Test func `is read to its end and no further, wherever it is cut`() {
        let line = Array(#"EV msg \#(head) kind=file blob=b_0 name="a \" b" text="x \" y \\""#.utf8)
        var buffer = ByteBuffer()
        for count in 0..<line.count {
            // An allocation of its own, so that a sanitizer sees a byte too many.
            let cut = Array(line[..<count])
            cut.withUnsafeBytes { bytes in
                #expect(MessageLine(bytes) == nil || count == line.count - 3, "\(count)")
                _ = MessageLine(bytes).map { $0.text(in: &buffer).count }
            }
        }
    }
}
