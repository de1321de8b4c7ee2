import Bytes
import ChatModel
import Testing
import Wire

@Suite("Events as lines, and back")
struct EventLineTests {
    private let time = Timestamp(milliseconds: 1_796_027_793_123)

    private func line(_ kind: EventKind, conversation: String = "#lobby", user: String? = nil, arena: String = "")
        -> String
    {
        let event = Event(
            conversation: ConversationNumber(1),
            seq: 42,
            time: time,
            by: AccountNumber(1),
            kind: kind
        )
        let names = EventNames(conversation: conversation, by: "ada", user: user)
        return rendered { out in
            Array(arena.utf8).withUnsafeBytes { EventRenderer.render(event, names: names, arena: $0, into: &out) }
        }
    }

    private func parse<T>(_ line: String, _ body: (RecordedEvent?) -> T) -> T {
        Array(line.utf8).withUnsafeBytes { body(EventParser.parse($0)) }
    }

    private let start = " conv=#lobby seq=42 ts=2026-11-30T08:36:33.123Z by=ada"

    @Test func `a message has its keys in the order of the protocol, text last`() {
        let text = ArenaRange(offset: 2, count: 4)
        let full = Message(
            text: text,
            kind: "x-a",
            geo: Location(latitude: "52.50", longitude: "-1"),
            reply: 40,
            nonce: 7
        )
        #expect(
            line(.message(full), arena: "..a\"b\nzz")
                == "EV msg\(start) kind=x-a geo=52.50,-1 reply=40 text=\"a\\\"b\\u000a\"\n"
        )
        let bare = Message(text: nil, kind: nil, geo: Location(latitude: "1", longitude: "2"), reply: nil, nonce: nil)
        #expect(line(.message(bare)) == "EV msg\(start) geo=1,2\n")
    }

    @Test func `every other kind shows what it is about`() {
        #expect(line(.join) == "EV join\(start)\n")
        #expect(line(.leave) == "EV leave\(start)\n")
        #expect(line(.drop) == "EV drop\(start)\n")
        #expect(line(.lost) == "EV lost\(start)\n")
        #expect(line(.invite(AccountNumber(2)), user: "bob") == "EV invite\(start) user=bob\n")
        #expect(line(.grant(AccountNumber(2), .owner), user: "bob") == "EV grant\(start) user=bob role=owner\n")
        #expect(line(.create(.named("lobby", isPrivate: false, title: nil))) == "EV create\(start)\n")
        #expect(
            line(.create(.named("lobby", isPrivate: true, title: "A room")))
                == "EV create\(start) private=yes title=\"A room\"\n"
        )
        #expect(
            line(.create(.direct(AccountNumber(1), AccountNumber(2))), conversation: "@ada,bob")
                == "EV create conv=@ada,bob seq=42 ts=2026-11-30T08:36:33.123Z by=ada\n"
        )
    }

    @Test func `text keeps every script and escapes only what it must`() {
        func shown(_ text: String) -> String { rendered { JSONString.append(string: text, into: &$0) } }
        #expect(shown("مرحبا 你好 👍🏽 é") == "\"مرحبا 你好 👍🏽 é\"")
        #expect(shown("a\tb\u{202E}c\u{85}d\u{2028}e") == #""a\u0009b\u202ec\u0085d\u2028e""#)
        #expect(
            shown("\u{61C}\u{200E}\u{200F}\u{2066}\u{2069}\u{7F}\0") == #""\u061c\u200e\u200f\u2066\u2069\u007f\u0000""#
        )
        #expect(
            shown("\u{61B}\u{200D}\u{2010}\u{2027}\u{202F}\u{206A}\u{A0}")
                == "\"\u{61B}\u{200D}\u{2010}\u{2027}\u{202F}\u{206A}\u{A0}\""
        )
        #expect(shown("\"\\/") == #""\"\\/""#)
        for count in 0..<20 {
            let run = String(repeating: "x", count: count)
            #expect(shown(run + "\u{1B}" + run) == "\"\(run)\\u001b\(run)\"")
        }
    }

    @Test func `what was written reads back`() {
        let grant = line(.grant(AccountNumber(2), .op), user: "bob")
        parse(grant) { event in
            #expect(event?.kind == .grant && event?.seq == 42 && event?.time == time)
            #expect(event?.conversation == "#lobby" && event?.by == "ada" && event?.user == "bob")
            #expect(event?.field("role") == "op" && event?.field("text") == nil)
        }
        parse(line(.create(.named("a", isPrivate: true, title: "x \"y\"\n")))) { event in
            #expect(event?.field("title") == "x \"y\"\n" && event?.field("private") == "yes")
        }
        parse("EV frob conv=#a seq=1 ts=2026-11-30T08:36:33.123Z by=a") { #expect($0?.kind == .other) }
    }

    @Test func `a key inside a text is not a field`() {
        let text = "x user=eve role=owner \" by=eve"
        let message = Message(
            text: ArenaRange(offset: 0, count: text.utf8.count),
            kind: nil,
            geo: nil,
            reply: nil,
            nonce: nil
        )
        parse(line(.message(message), arena: text)) { event in
            #expect(event?.user == nil && event?.by == "ada" && event?.field("text") == text)
        }
    }

    @Test(arguments: [
        "", "EV", "EV ", "EV msg", "OK msg seq=1", "EV msg conv=#a seq=x ts=2026-11-30T08:36:33.123Z",
        "EV msg conv=#a seq=1",
        "EV msg conv=#a seq=1 ts=yesterday", "EV msg conv=\"#a seq=1 ts=2026-11-30T08:36:33.123Z", "EV  msg seq=1",
        "\n",
        "EV msg seq=1 seq=2 ts=2026-11-30T08:36:33.123Z",
    ])
    func `what is no event's line is nil`(line: String) {
        #expect(parse(line) { $0 == nil })
    }
}
