import ChatClient
import Testing
import Wire

@Suite("The chat: what becomes of messages, and what rings")
struct TalkLifeTests {
    /// A chat that is connected and has shown its opening.
    private func opened(_ convs: String..., history: [String] = []) throws -> Talk {
        let formatter = MessageFormatter(
            namesConversation: false,
            isolates: false,
            clock: { _ in LocalTime(year: 2026, month: 1, day: 5, hour: 12, minute: 3) },
            now: { 0 }
        )
        var talk = Talk(formatter: formatter, noncePrefix: "n")
        _ = talk.connected(hello: try line("HI proto=1 log=L time=2026-01-05T12:00:00.000Z"), user: "ada")
        _ = talk.answered(.follow, rows: [], end: try line("OK n=0"))
        let rows = try (convs.isEmpty ? ["ROW conv conv=#lobby unread=0"] : convs).map(line)
        _ = talk.answered(.list, rows: rows, end: try line("OK n=1 more=no"))
        _ = talk.answered(.opening("#lobby"), rows: try history.map(line), end: try line("OK n=0 more=no"))
        return talk
    }

    private func line(_ text: String) throws -> ServerLine { try #require(ServerLine(text)) }

    private func message(_ conv: String, _ seq: Int, by: String = "bob") throws -> ServerLine {
        try line("EV msg conv=\(conv) seq=\(seq) ts=2026-01-05T12:03:09Z by=\(by) text=\"m\(seq)\"")
    }

    private func shown(_ effects: [Talk.Effect]) -> [String] {
        effects.compactMap { if case .show(let text) = $0 { text } else { nil } }
    }

    private func asked(_ effects: [Talk.Effect]) -> [String] {
        effects.compactMap { if case .ask(let request, _) = $0 { request.line() } else { nil } }
    }

    private let garden = ["ROW conv conv=#lobby unread=0", "ROW conv conv=#garden unread=0"]

    @Test func `My newest message is rewritten or taken back, or that of a number`() throws {
        var talk = try opened(history: [#"ROW msg conv=#lobby seq=3 by=ada text="a""#])
        #expect(asked(talk.typed("/edit hello  there")) == ["EDIT #lobby 3 hello  there\n"])
        _ = talk.event(try message("#lobby", 5, by: "ada"))
        _ = talk.event(try message("#lobby", 6))
        #expect(asked(talk.typed("/edit b")) == ["EDIT #lobby 5 b\n"])
        #expect(asked(talk.typed("/edit 3 k=v")) == ["EDIT #lobby 3 k=v\n"])
        #expect(asked(talk.typed("/delete")) == ["DELETE #lobby 5\n"])
        #expect(asked(talk.typed("/delete 6")) == ["DELETE #lobby 6\n"])
        #expect(shown(talk.typed("/delete 6 7")) == ["! say /delete [N], N the number of a message"])
        #expect(asked(talk.typed("/react 👍")) == ["EMOTE #lobby 6 👍\n"])
        #expect(asked(talk.typed("/react off 3 👍")) == ["EMOTE off=yes #lobby 3 👍\n"])
        #expect(
            shown(talk.answered(.done, rows: [], end: try line("OK conv=#lobby dup=yes"))) == ["-- it is so already"]
        )
        #expect(shown(talk.answered(.done, rows: [], end: try line("OK conv=#lobby seq=9"))).isEmpty)
        let refusal = try line("ERR DENIED retry=no - not yours")
        #expect(shown(talk.answered(.done, rows: [], end: refusal)) == ["! not yours [DENIED]"])
    }

    @Test func `Where nothing of mine was shown there is nothing to rewrite`() throws {
        var talk = try opened()
        #expect(shown(talk.typed("/edit b"))[0].hasPrefix("! no message of yours"))
        #expect(shown(talk.typed("/react 👍"))[0].hasPrefix("! no message here"))
    }

    @Test func `Numbers of messages are shown on request`() throws {
        var talk = try opened()
        #expect(shown(talk.event(try message("#lobby", 5))) == ["12:03 bob: m5"])
        _ = talk.typed("/numbers on")
        #expect(shown(talk.event(try message("#lobby", 6))) == ["12:03 [6] bob: m6"])
        #expect(shown(talk.event(try line("EV join conv=#lobby seq=7 by=eve"))) == ["* eve joined"])
    }

    @Test func `Who is there is told, and that one is away, again after a lost connection`() throws {
        var talk = try opened()
        #expect(asked(talk.typed("/who")) == ["WHO #lobby\n"])
        let rows = try ["ROW who user=ada state=online", #"ROW who user=bob state=away text="tea""#].map(line)
        #expect(
            shown(talk.answered(.who, rows: rows, end: try line("OK n=2 more=no"))) == ["-- here: ada, bob (away: tea)"]
        )
        #expect(asked(talk.typed("/topic tea at five")) == ["TOPIC #lobby tea at five\n"])
        #expect(asked(talk.typed("/away off=yes")) == ["AWAY text=\"off=yes\"\n"])
        _ = talk.connectionLost("gone")
        let again = talk.connected(hello: try line("HI proto=1 log=L"), user: "ada")
        #expect(asked(again).contains("AWAY text=\"off=yes\"\n"))
        #expect(asked(talk.typed("/back")) == ["AWAY off=yes\n"])
        #expect(asked(talk.typed("/away")) == ["AWAY\n"])
    }

    @Test func `A message of others elsewhere rings, what is in view or one's own does not`() throws {
        var talk = try opened(garden[0], garden[1])
        #expect(talk.event(try message("#garden", 4)).first == .ring)
        #expect(talk.event(try message("#garden", 5)) == [.ring], "each, though the word comes once")
        #expect(!talk.event(try message("#lobby", 5)).contains(.ring))
        #expect(!talk.event(try message("#garden", 6, by: "ada")).contains(.ring))
        #expect(!talk.event(try line("EV join conv=#garden seq=7 by=eve")).contains(.ring))
    }

    @Test func `What was there before does not ring`() throws {
        var talk = try opened(garden[0], "ROW conv conv=#garden unread=3")
        #expect(talk.prompt == "[#lobby (3)] ")
        #expect(!talk.typed("/switch garden").contains(.ring))
    }

    @Test func `The bell can be turned off, and a conversation muted: it is counted, but not told`() throws {
        var talk = try opened(garden[0], garden[1])
        _ = talk.typed("/bell off")
        #expect(shown(talk.event(try message("#garden", 4))) == ["-- new in #garden from bob: /switch 2"])
        #expect(!talk.event(try message("#garden", 5)).contains(.ring))
        _ = talk.typed("/bell on")
        #expect(shown(talk.typed("/mute garden")) == ["-- #garden is muted: counted, but not told"])
        #expect(talk.event(try message("#garden", 6)).isEmpty)
        #expect(shown(talk.typed("/convs"))[1] == "  2 #garden  3 new  muted")
        _ = talk.typed("/unmute #garden")
        #expect(talk.event(try message("#garden", 7)) == [.ring])
        #expect(shown(talk.typed("/mute nowhere"))[0].hasPrefix("! you are in no conversation nowhere"))
    }

    @Test func `What was shown in view counts as read, once, and nothing else`() throws {
        var talk = try opened(garden[0], garden[1], history: [#"ROW msg conv=#lobby seq=3 by=bob text="a""#])
        #expect(!talk.hasMarkers, "nothing was unread")
        _ = talk.event(try message("#lobby", 5))
        _ = talk.event(try message("#lobby", 6))
        _ = talk.event(try message("#garden", 9))
        #expect(asked(talk.takeMarkers()) == ["SEEN #lobby 6\n"])
        #expect(!talk.hasMarkers && talk.takeMarkers().isEmpty)
        _ = talk.event(try message("#lobby", 7, by: "ada"))
        #expect(!talk.hasMarkers, "one's own")
        _ = talk.typed("/switch garden")
        #expect(!talk.hasMarkers, "not shown yet")
        let rows = [try line(#"ROW msg conv=#garden seq=9 by=bob text="m9""#)]
        _ = talk.answered(.opening("#garden"), rows: rows, end: try line("OK n=1 more=no"))
        #expect(asked(talk.takeMarkers()) == ["SEEN #garden 9\n"])
        #expect(talk.answered(.silent, rows: [], end: try line("ERR NOT-FOUND - gone")).isEmpty)
        _ = talk.event(try message("#garden", 10))
        _ = talk.connectionLost("gone")
        #expect(!talk.hasMarkers, "not while nobody hears it")
    }

    @Test func `What was unread at the start, or came while it opened, is read when it is shown`() throws {
        let rows = [#"ROW msg conv=#lobby seq=3 by=bob text="a""#]
        var talk = try opened("ROW conv conv=#lobby unread=2", history: rows)
        #expect(asked(talk.takeMarkers()) == ["SEEN #lobby 3\n"])
        talk = try opened(history: [])
        _ = talk.typed("/switch lobby")
        #expect(talk.takeMarkers().isEmpty)
    }

    @Test func `What another device has read is no longer new here`() throws {
        var talk = try opened(garden[0], garden[1])
        _ = talk.event(try message("#garden", 4))
        _ = talk.event(try message("#garden", 5))
        _ = talk.event(try line("EV seen conv=#garden by=bob seq=5"))
        _ = talk.event(try line("EV seen conv=#garden by=ada seq=4"))
        #expect(talk.prompt == "[#lobby (2)] ")
        _ = talk.event(try line("EV seen conv=#garden by=ada seq=5"))
        #expect(talk.prompt == "[#lobby] ")
    }

    @Test func `A list of several pages is asked for to its end, and told once`() throws {
        var talk = try opened()
        _ = talk.connectionLost("gone")
        _ = talk.connected(hello: try line("HI proto=1 log=L"), user: "ada")
        let page = [try line("ROW conv conv=#garden unread=2")]
        let next = talk.answered(.list, rows: page, end: try line("OK n=1 more=yes"))
        #expect(
            next == [.ask(try Request("CONVS", options: [.init("limit", "200"), .init("after", "#garden")]), .list)]
        )
        #expect(talk.answered(.list, rows: [try line("ROW conv conv=#x")], end: try line("OK n=1 more=no")).isEmpty)
        #expect(shown(talk.typed("/convs")) == ["* 1 #lobby", "  2 #garden", "  3 #x"], "counts are kept here")
    }
}
