import ChatClient
import Testing
import Wire

@Suite("Rows as people read them")
struct RowTests {
    private func formatter(isolates: Bool = false) -> RowFormatter {
        RowFormatter(
            like: MessageFormatter(
                namesConversation: true,
                isolates: isolates,
                clock: { _ in LocalTime(year: 2026, month: 1, day: 5, hour: 12, minute: 3) },
                now: { 0 }
            )
        )
    }

    @Test(arguments: [
        ("ROW user user=ada display=ada", "ada"),
        (#"ROW user user=ada display="Ada L." avatar=b_1"#, "ada  Ada L.  avatar=b_1"),
        ("ROW member user=bob role=op", "bob  op"), (#"ROW who user=bob state=away text="tea""#, "bob  away  tea"),
        ("ROW session id=s1 created=2026-01-05T12:03:04.567Z online=yes", "s1  created=12:03  online=yes"),
        ("ROW token id=t1 label=ci scope=read expires=2026-01-05T12:03:04.567Z", "t1  ci  read  expires=12:03"),
        ("ROW block user=eve", "eve"),
        ("ROW blob blob=b_1 name=cat.png type=image/png size=9", "b_1  cat.png  image/png  size=9"),
        ("ROW conv conv=#den role=owner unread=2", "#den  role=owner  unread=2"),
        (#"ROW conv conv=#den last-seq=4 preview="hi" unread=2 role=owner"#, "#den  2 new  hi"),
        (#"ROW msg conv=#den seq=4 by=bob text="hi""#, "#den bob: hi"), (#"ROW later what="\u202e""#, "what=\\u{202e}"),
    ])
    func `What names a thing comes first, the rest by name`(_ row: String, _ text: String) throws {
        #expect(formatter().text(of: try #require(ServerLine(row))) == text)
    }

    @Test func `The keys of an OK come one a line, and drive no terminal`() throws {
        let end = try #require(ServerLine(#"OK @c1 user=ada bio="\u001b[2J" guest=no"#))
        #expect(formatter().lines(of: end) == ["user: ada", "bio: \\u{1b}[2J", "guest: no"])
        #expect(formatter(isolates: true).lines(of: end)[0] == "user: \u{2068}ada\u{2069}")
    }
}
