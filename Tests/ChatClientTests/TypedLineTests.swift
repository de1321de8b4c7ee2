import ChatClient
import Testing

@Suite("What is typed in the chat")
struct TypedLineTests {
    @Test func `A line is a message, blank ones are nothing, and two slashes are one`() {
        #expect(TypedLine("  hi / there ") == .text("  hi / there "))
        #expect(TypedLine(" \u{2003}") == .nothing)
        #expect(TypedLine("//shrug") == .text("/shrug"))
    }

    @Test func `Commands take their words`() {
        #expect(TypedLine("/JOIN garden") == .join("#garden"))
        #expect(TypedLine("/msg @bob  hi  you") == .message(user: "bob", text: "hi  you"))
        #expect(TypedLine("/history") == .history(20))
        #expect(TypedLine(#"/send-file a\ b.png"#) == .sendFile(path: "a b.png", caption: nil))
        #expect(TypedLine("/send-file 'a b.png' hi") == .sendFile(path: "a b.png", caption: "hi"))
    }

    @Test(arguments: [
        "/join", "/msg", "/history 0", "/history 201", "/history ٣", "/send-file", "/send-file \"x", "/frob",
    ])
    func `What is not understood is told`(_ line: String) {
        guard case .fault = TypedLine(line) else { return #expect(Bool(false), "\(line)") }
    }

    @Test func `A misspelt command is told the nearest`() {
        guard case .fault(let text) = TypedLine("/jion #x") else { return #expect(Bool(false)) }
        #expect(text.contains("did you mean /join?"))
    }
}

@Suite("Keys of a terminal")
struct KeyReaderTests {
    @Test func `Letters of any script come whole, however the bytes are cut`() {
        let bytes = Array("aé你👋".utf8)
        for cut in 0...bytes.count {
            var reader = KeyReader()
            let strokes = reader.take(bytes[..<cut]) + reader.take(bytes[cut...])
            let scalars = strokes.flatMap { if case .keys(let keys) = $0 { keys } else { [Unicode.Scalar]() } }
            #expect(scalars == Array("aé你👋".unicodeScalars))
        }
    }

    @Test func `Broken UTF-8 and C1 controls do no harm`() {
        var reader = KeyReader()
        #expect(reader.take([0xFF, 0xC3, 0x28]) == [.keys(["\u{FFFD}", "\u{FFFD}", "("])])
        #expect(reader.take([0xC2, 0x9B]) == [])
    }

    @Test func `Arrows are the editor's commands, unknown sequences are nothing, cut ones wait`() {
        var reader = KeyReader()
        #expect(reader.take("\u{1b}[A\u{1b}OD\u{1b}[1;5C".utf8) == [.keys(["\u{10}", "\u{02}", "\u{1b}", "f"])])
        #expect(reader.take("\u{1b}[?1003h\u{1b}[99~x".utf8) == [.keys(["x"])])
        #expect(reader.take("\u{1b}[".utf8) == [])
        #expect(reader.take("A".utf8) == [.keys(["\u{10}"])])
    }

    @Test func `What is pasted is text with its line breaks, not a row of commands`() {
        var reader = KeyReader()
        let strokes = reader.take("\u{1b}[200~one\r\ntwo\u{1b}[2J\u{04}\n\u{1b}[201~!\r".utf8)
        #expect(strokes == [.paste(Array("one\ntwo[2J".unicodeScalars)), .keys(["!"]), .enter])
    }

    @Test func `A paste without end is bounded`() {
        var reader = KeyReader()
        _ = reader.take("\u{1b}[200~".utf8)
        for _ in 0..<100 { #expect(reader.take([UInt8](repeating: 0x78, count: 10_000)) == []) }
        let strokes = reader.take("\u{1b}[201~".utf8)
        guard case .paste(let text) = strokes.first else { return #expect(Bool(false)) }
        #expect(text.count <= 64 << 10)
    }
}

@Suite("The row of the line being typed")
struct InputRowTests {
    private func row(_ text: String, cursor: Int? = nil, columns: Int) -> InputRow {
        let scalars = Array(text.unicodeScalars)
        return InputRow(
            prompt: "[#a] ",
            line: scalars,
            cursor: cursor ?? scalars.count,
            columns: columns,
            isolates: false
        )
    }

    @Test func `It is shown whole when it fits`() {
        #expect(row("hi", columns: 20).text == "[#a] hi")
        #expect(row("你好", columns: 20).cursor == 9)
        #expect(row("e\u{301}x", columns: 20).cursor == 7)
        #expect(row("👩‍👩‍👧", columns: 20).cursor == 7)
    }

    @Test func `It never fills its row, and the cursor is always in it`() {
        let text = "abc你好 e\u{301} مرحبا 👩‍👩‍👧 \u{1b}\u{202e} and more of it, so that it is long"
        for columns in 1...120 {
            for cursor in 0...text.unicodeScalars.count {
                let row = row(text, cursor: cursor, columns: columns)
                #expect(row.cells < max(columns, 4) && row.cursor <= row.cells, "\(columns) \(cursor)")
                // A character that the cursor is in counts twice.
                #expect(CellWidth.of(row.text) <= row.cells)
                #expect(!row.text.unicodeScalars.contains(where: JSONText.isEscaped))
            }
        }
    }

    @Test func `What is left out at the sides is marked`() {
        let long = String(repeating: "x", count: 100)
        #expect(row(long, columns: 20).text == "[#a] <xxxxxxxxxxxxx")
        #expect(row(long, cursor: 0, columns: 20).text == "[#a] xxxxxxxxxxxxx>")
        let middle = row(long, cursor: 50, columns: 20).text
        #expect(middle.contains("<") && middle.hasSuffix(">"))
    }

    @Test func `A line break put in shows as a mark`() { #expect(row("a\nb", columns: 20).text == "[#a] a⏎b") }
}
