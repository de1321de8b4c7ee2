import ChatClient
import Testing
import Wire

@Suite("The chat as a model")
struct TalkTests {
    /// A chat that is connected and has shown its opening.
    private func opened(_ convs: String...) throws -> Talk {
        var talk = Self.fresh()
        _ = talk.connected(hello: try line("HI proto=1 log=L time=2026-01-05T12:00:00.000Z"), user: "ada")
        _ = talk.answered(.follow, rows: [], end: try line("OK n=0"))
        let rows = try (["ROW conv conv=#lobby unread=0"] + convs).map(line)
        _ = talk.answered(.list, rows: rows, end: try line("OK n=1 more=no"))
        _ = talk.answered(.opening("#lobby"), rows: [], end: try line("OK n=0 more=no"))
        return talk
    }

    private static func fresh() -> Talk {
        let formatter = MessageFormatter(
            namesConversation: false,
            isolates: false,
            clock: { _ in LocalTime(year: 2026, month: 1, day: 5, hour: 12, minute: 3) },
            now: { 0 }
        )
        return Talk(formatter: formatter, noncePrefix: "n")
    }

    private func line(_ text: String) throws -> ServerLine { try #require(ServerLine(text)) }

    private func message(_ conv: String, _ seq: Int, _ text: String, by: String = "bob") throws -> ServerLine {
        try line("EV msg conv=\(conv) seq=\(seq) ts=2026-01-05T12:03:09Z by=\(by) text=\"\(text)\"")
    }

    private func shown(_ effects: [Talk.Effect]) -> [String] {
        effects.compactMap { if case .show(let text) = $0 { text } else { nil } }
    }

    private func asked(_ effects: [Talk.Effect]) -> [String] {
        effects.compactMap { if case .ask(let request, _) = $0 { request.line() } else { nil } }
    }

    @Test func `It opens with the lobby, its newest messages first, and what came meanwhile behind them`() throws {
        var talk = Self.fresh()
        let begin = talk.connected(hello: try line("HI proto=1 log=L"), user: "ada")
        #expect(asked(begin) == ["SUB all=yes\n", "CONVS limit=200\n", "HISTORY limit=15 #lobby\n"])
        #expect(talk.event(try message("#lobby", 7, "live")).isEmpty)
        let rows = [try line(#"ROW msg conv=#lobby seq=6 by=bob text="old""#)]
        let all = shown(talk.answered(.opening("#lobby"), rows: rows, end: try line("OK n=1 more=no")))
        #expect(all == ["bob: old", "12:03 bob: live"])
        #expect(talk.prompt == "[#lobby] ")
    }

    @Test func `A message in the history that comes as an event too is shown once`() throws {
        var talk = Self.fresh()
        _ = talk.connected(hello: try line("HI proto=1 log=L"), user: "ada")
        _ = talk.event(try message("#lobby", 6, "one"))
        let rows = [try line(#"ROW msg conv=#lobby seq=6 by=bob text="one""#)]
        #expect(shown(talk.answered(.opening("#lobby"), rows: rows, end: try line("OK n=1"))) == ["bob: one"])
    }

    @Test func `Messages elsewhere are counted, with a word when that begins, and switching asks for them`() throws {
        var talk = try opened("ROW conv conv=#garden unread=0")
        #expect(shown(talk.event(try message("#garden", 4, "a"))) == ["-- new in #garden from bob: /switch 2"])
        #expect(shown(talk.event(try message("#garden", 5, "b"))).isEmpty)
        #expect(talk.prompt == "[#lobby (2)] ")
        #expect(shown(talk.typed("/convs")) == ["* 1 #lobby", "  2 #garden  2 new"])
        let entering = talk.typed("/switch 2")
        #expect(shown(entering) == ["--- #garden, 2 new ---"])
        #expect(asked(entering) == ["HISTORY limit=15 #garden\n"])
        #expect(talk.prompt == "[#garden] ")
    }

    @Test func `What one writes oneself on another device counts as read`() throws {
        var talk = try opened("ROW conv conv=#garden unread=0")
        _ = talk.event(try message("#garden", 4, "a", by: "ada"))
        #expect(talk.prompt == "[#lobby] ")
    }

    @Test func `Unread counts and invitations of the list are told at the start`() throws {
        var talk = Self.fresh()
        _ = talk.connected(hello: try line("HI proto=1 log=L"), user: "ada")
        let rows = try ["ROW conv conv=#a unread=3", "ROW conv conv=#b role=invited unread=0"].map(line)
        let told = shown(talk.answered(.list, rows: rows, end: try line("OK n=2 more=no")))
        #expect(told == ["-- 2 #a  3 new", "-- 3 #b  invited: /join #b"])
    }

    @Test func `A line is sent to the conversation in view, and its refusal shows it again`() throws {
        var talk = try opened()
        let sending = talk.typed("hi :) key=value")
        #expect(asked(sending) == ["SEND nonce=n-1 #lobby hi :) key=value\n"])
        let end = try line("ERR DENIED retry=no - you are muted")
        #expect(
            shown(talk.answered(.send(1), rows: [], end: end)) == [
                "! not sent (you are muted [DENIED]): hi :) key=value"
            ]
        )
    }

    @Test func `Several lines put in at once are one message`() throws {
        var talk = try opened()
        #expect(asked(talk.typed("one\ntwo")) == ["SEND nonce=n-1 text=\"one\\u000atwo\" #lobby\n"])
    }

    @Test func `Without a connection messages wait, and are sent again with their nonce`() throws {
        var talk = try opened()
        #expect(asked(talk.typed("one")) == ["SEND nonce=n-1 #lobby one\n"])
        #expect(shown(talk.connectionLost("gone")) == ["-- gone; trying again"])
        #expect(shown(talk.connectionLost("gone")).isEmpty)
        #expect(talk.prompt == "[#lobby offline] ")
        #expect(shown(talk.typed("two")) == ["-- not connected; 2 to be sent when the server is back"])
        #expect(shown(talk.typed("/join #x")) == ["! not connected; try again in a moment"])
        let again = talk.connected(hello: try line("HI proto=1 log=L"), user: "ada")
        #expect(asked(again).suffix(2) == ["SEND nonce=n-1 #lobby one\n", "SEND nonce=n-2 #lobby two\n"])
    }

    @Test func `After a lost connection nothing is asked for that was seen, and nothing is shown twice`() throws {
        var talk = try opened()
        #expect(shown(talk.event(try message("#lobby", 8, "x"))).count == 1)
        _ = talk.connectionLost("gone")
        let again = talk.connected(hello: try line("HI proto=1 log=L time=2026-01-05T13:00:00.000Z"), user: "ada")
        #expect(asked(again).first == "SUB all=yes since=2026-01-05T12:00:00.000Z\n")
        #expect(shown(talk.event(try message("#lobby", 8, "x"))).isEmpty)
        #expect(shown(talk.event(try message("#lobby", 9, "y"))) == ["12:03 bob: y"])
    }

    @Test func `A 1:1 is called after the other, whoever opens it`() throws {
        var talk = try opened()
        _ = talk.event(try message("@ada,bob", 2, "psst"))
        #expect(shown(talk.typed("/convs")) == ["* 1 #lobby", "  2 @bob  1 new"])
        let sending = talk.typed("/msg bob  hello you")
        #expect(asked(sending) == ["HISTORY limit=15 @ada,bob\n", "SEND nonce=n-1 @bob hello you\n"])
        #expect(talk.prompt == "[@bob] ")
        #expect(shown(talk.typed("/msg ada x")) == ["! that is you"])
    }

    @Test func `A name copied from the screen loses its isolation`() throws {
        var talk = try opened()
        #expect(asked(talk.typed("/join \u{2068}#garden\u{2069}")) == ["JOIN #garden\n"])
    }

    @Test func `Joining, creating and leaving go where they lead`() throws {
        var talk = try opened()
        #expect(
            asked(talk.typed("/create private #den A quiet room")) == [
                "CREATE private=yes title=\"A quiet room\" #den\n"
            ]
        )
        _ = talk.answered(.enter("#den"), rows: [], end: try line("OK conv=#den seq=1"))
        #expect(talk.prompt == "[#den] ")
        #expect(asked(talk.typed("/invite @bob")) == ["INVITE #den bob\n"])
        #expect(asked(talk.typed("/leave")) == ["LEAVE #den\n"])
        let left = talk.answered(.leave("#den"), rows: [], end: try line("OK conv=#den seq=3"))
        #expect(shown(left).first == "-- you are no longer in #den")
        #expect(talk.prompt == "[#lobby] ")
    }

    @Test func `A room that was left stays gone when the event of leaving comes behind the word of it`() throws {
        var talk = try opened("ROW conv conv=#den unread=0")
        let word = shown(talk.event(try line("EV conv conv=#den state=left")))
        #expect(word == ["-- you are no longer in #den"])
        _ = talk.event(try line("EV leave conv=#den seq=3 ts=2026-01-05T12:03:09Z by=ada"))
        #expect(shown(talk.typed("/convs")) == ["* 1 #lobby"])
    }

    @Test func `Older history is asked for from what was shown`() throws {
        var talk = try opened()
        _ = talk.event(try message("#lobby", 40, "x"))
        #expect(asked(talk.typed("/history 5")) == ["HISTORY before=40 limit=5 #lobby\n"])
        let rows = [try line(#"ROW msg conv=#lobby seq=35 by=bob text="old""#)]
        let page = shown(talk.answered(.older("#lobby"), rows: rows, end: try line("OK n=1 more=yes")))
        #expect(page == ["--- older in #lobby ---", "bob: old", "--- up to here older; /history for more ---"])
        #expect(asked(talk.typed("/history 5")) == ["HISTORY before=35 limit=5 #lobby\n"])
    }

    @Test func `A file goes to the conversation in view, then as a message with its caption`() throws {
        var talk = try opened()
        let effects = talk.typed(#"/send-file "my cat.png" so cute"#)
        #expect(effects == [.upload(path: "my cat.png", conversation: "#lobby", caption: "so cute")])
        let sent = talk.uploaded(blob: "b_1", conversation: "#lobby", caption: "so cute")
        #expect(asked(sent) == ["SEND nonce=n-1 blob=b_1 #lobby so cute\n"])
    }

    @Test func `Nothing of others reaches the screen as a control`() throws {
        var talk = try opened()
        let evil = #"\u001b[2J\u009b1m\u202e\r"#
        var all = shown(talk.event(try line(#"EV msg conv=#lobby seq=9 ts=x\u001b by="\#(evil)" text="\#(evil)""#)))
        all += shown(talk.event(try line(##"EV conv conv="#\##(evil)" state=invited by="\##(evil)""##)))
        all += shown(talk.event(try line(##"EV msg conv="#\##(evil)x" seq=9 by="\##(evil)" text="\##(evil)""##)))
        all += shown(talk.answered(.said("x"), rows: [], end: try line("ERR \u{9b}1m - \u{1b}[2J\u{202e}")))
        all += shown(talk.typed("/\u{1b}[2J")) + shown(talk.typed("/convs"))
        let text = all.joined()
        #expect(all.count > 6)
        #expect(!text.unicodeScalars.contains(where: JSONText.isEscaped))
    }
}
