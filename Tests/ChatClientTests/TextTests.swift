import ChatClient
import Testing
import Wire

@Suite("What people and programs are shown")
struct TextTests {
    private let formatter = MessageFormatter(
        namesConversation: false,
        isolates: false,
        clock: {
            LocalTime(year: 2026, month: 1, day: 5, hour: Int($0 / 3_600_000 % 24), minute: Int($0 / 60_000 % 60))
        },
        now: { 0 }
    )

    private func shown(_ text: String) throws -> String? { formatter.text(of: try #require(ServerLine(text))) }

    @Test func `A message shows time, author and text`() throws {
        let text = try shown(#"EV msg conv=#a seq=4 ts=2026-01-05T12:03:09.123Z by=ada text="hi 你好""#)
        #expect(text == "12:03 ada: hi 你好")
    }

    @Test func `Controls and bidirectional controls are spelled out`() throws {
        let safe = try #require(
            try shown(#"EV msg seq=4 by="e\u001b[2Jve" text="\u001b]0;x\u0007 \u202egnp \u009b31m \r\b""#)
        )
        #expect(safe == #"e\u{1b}[2Jve: \u{1b}]0;x\u{7} \u{202e}gnp \u{9b}31m \u{d}\u{8}"#)
    }

    @Test func `Invisible marks are spelled out`() {
        #expect(VisibleText.line("a\u{200B}b\u{FEFF}") == #"a\u{200b}b\u{feff}"#)
    }

    @Test func `Later lines of a text are indented, so that none passes for another message`() throws {
        let text = try shown(#"EV msg seq=4 ts=2026-01-05T12:03:09Z by=ada text="one\n12:04 bob: two\r\nthree""#)
        #expect(text == "12:03 ada: one\n      12:04 bob: two\\u{d}\n      three")
    }

    @Test func `Names and texts are isolated from each other on a terminal`() throws {
        let terminal = MessageFormatter(
            namesConversation: false,
            isolates: true,
            clock: { _ in LocalTime(year: 2026, month: 1, day: 5, hour: 12, minute: 3) },
            now: { 0 }
        )
        let line = try #require(ServerLine(#"EV msg seq=4 ts=2026-01-05T12:03:09Z by=ada text="مرحبا\nb""#))
        #expect(terminal.text(of: line) == "12:03 \u{2068}ada\u{2069}: \u{2068}مرحبا\u{2069}\n      \u{2068}b\u{2069}")
    }

    @Test func `A heap of combining marks is counted, ordinary ones are not`() {
        #expect(VisibleText.line("e\u{301}") == "e\u{301}")
        let heap = VisibleText.line("e" + String(repeating: "\u{301}", count: 5_000) + "x")
        #expect(heap == "e" + String(repeating: "\u{301}", count: 8) + "(+4992 marks)x")
    }

    @Test func `Emoji with joiners stay whole`() { #expect(VisibleText.line("👩‍👩‍👧 👍🏽") == "👩‍👩‍👧 👍🏽") }

    @Test func `Replies, places, edits and deletions say so`() throws {
        #expect(try shown(#"EV msg seq=4 by=ada reply=2 edited=7 text="x""#) == "ada (reply to 2): x (edited)")
        #expect(try shown("EV msg seq=4 by=ada geo=52.52,13.405") == "ada: [location 52.52,13.405]")
        #expect(try shown("EV msg seq=4 by=ada deleted=9") == "ada: (deleted)")
    }

    @Test func `Membership reads as a sentence, unknown kinds by their name`() throws {
        #expect(try shown("EV invite conv=#a seq=4 by=ada user=bob") == "* ada invited bob")
        #expect(try shown(#"EV topic conv=#a seq=4 by=ada title="New one""#) == "* ada set the topic: New one")
        #expect(
            try shown("EV lost conv=#a seq=4 by=server") == "* a message was lost here: the server's data were damaged"
        )
        #expect(try shown("EV wave conv=#a seq=4 by=ada") == "* ada wave")
        #expect(try shown("EV typing conv=#a by=ada") == nil)
    }

    @Test func `A line as JSON has its kind first, numbers as numbers, and no controls`() throws {
        let line = try #require(ServerLine(#"EV msg conv=#a seq=42 by=123 kind=photo text="5\u001b\u202e é""#))
        #expect(
            LineObject.text(of: line)
                == ##"{"kind":"msg","conv":"#a","seq":42,"by":"123","message-kind":"photo","text":"5\u001b\u202e é"}"##
        )
    }

    @Test func `Digits that JSON could not hold exactly stay text`() throws {
        let line = try #require(ServerLine(#"OK seq=12345678901234567890 next=01 id="4""#))
        #expect(LineObject.text(of: line) == #"{"kind":"ok","seq":"12345678901234567890","next":"01","id":"4"}"#)
    }

    @Test func `Times are read to the millisecond`() {
        #expect(Timestamp.milliseconds("1970-01-01T00:00:00.000Z") == 0)
        #expect(Timestamp.milliseconds("2026-01-05T12:03:04.567Z") == 1_767_614_584_567)
        #expect(Timestamp.milliseconds("2024-02-29T23:59:59.5Z") == 1_709_251_199_500)
        let wrong = [
            "", "2026-01-05T12:03:04", "2026-13-05T12:03:04Z", "2026-01-05 12:03:04Z", "2026-01-05T12:03:04.Z",
        ]
        for text in wrong {
            #expect(Timestamp.milliseconds(text) == nil, "\(text)")
        }
    }
}
