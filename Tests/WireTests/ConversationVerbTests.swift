import ChatModel
import Testing
import Wire

@Suite("Conversations: names, lists, history, subscriptions")
struct ConversationVerbTests {
    private func target(_ word: String) -> ConversationTarget? {
        if case .join(let target) = command("JOIN \(word)") { target } else { nil }
    }

    @Test func `#name, @user and @a,b name a conversation by folded keys`() {
        #expect(target("#Lobby") == .named("lobby"))
        #expect(target("#ÉCOLE") == target("#e\u{301}cole"))
        #expect(target("@BOB") == .direct("bob"))
        #expect(target("@Ada,bob") == .pair("ada", "bob"))
        #expect(target("@bob,Ada") == .pair("bob", "ada"))
    }

    @Test(arguments: [
        "#", "#a/b", "#a\"b", "@", "@,", "@a,b,c", "#c1\u{301}", "#c1\u{FE0F}",
        "#\(String(repeating: "é", count: 5000))",
    ])
    func `a name that could never be valid is left to be not found`(word: String) {
        #expect(target(word) != nil)
        #expect(target(word) != .named("c1"))
    }

    @Test(arguments: ["JOIN", "LEAVE", "MEMBERS", "SEND", "HISTORY", "SUB", "UNSUB", "INVITE", "REPLY"])
    func `a conversation that is missing or begins with neither # nor @ is BAD-ARG`(verb: String) {
        for word in ["", " ", " lobby", " x+y", " \u{301}#c1", " ＃c1"] {
            #expect(refusal(verb + word) == "BAD-ARG conv")
        }
    }

    @Test func `INVITE takes a conversation and a user`() {
        guard case .invite(.named("room"), user: "Bo1") = command("invite #room Bo1") else {
            return #expect(Bool(false))
        }
        #expect(refusal("INVITE #room") == "BAD-ARG user")
        #expect(refusal("LEAVE #room") == "command")
    }

    @Test func `CREATE takes private=, title= and a name as written`() {
        guard case .create(let made) = command("CREATE private=yes title=\"A room\" #Room") else {
            return #expect(Bool(false))
        }
        #expect(made.name == "Room" && made.isPrivate && made.title == "A room")
        guard case .create(let plain) = command("CREATE private=no #x") else { return #expect(Bool(false)) }
        #expect(!plain.isPrivate && plain.title == nil)
        #expect(refusal("CREATE private=maybe #x") == "BAD-ARG private")
        #expect(refusal("CREATE private=YES #x") == "BAD-ARG private")
        for line in ["CREATE", "CREATE x", "CREATE @bob"] { #expect(refusal(line) == "BAD-ARG conv") }
    }

    @Test func `lists take after= and limit=, 50 when it is left out`() {
        guard case .conversations(let page) = command("CONVS after=@a,b limit=7") else { return #expect(Bool(false)) }
        #expect(page.after == "@a,b" && page.limit == 7)
        guard case .members(.named("x"), let plain) = command("MEMBERS #x") else { return #expect(Bool(false)) }
        #expect(plain.after == nil && plain.limit == 50)
    }

    @Test func `LIST takes the beginning of a name, with or without its #`() {
        for (line, expected) in [("LIST", nil), ("LIST #", nil), ("LIST #re", "re"), ("LIST limit=3 re", "re")] {
            guard case .list(let prefix, _) = command(line) else { return #expect(Bool(false)) }
            #expect(prefix == expected)
        }
    }

    @Test func `HISTORY is the newest, or before, after or around a seq or a time`() {
        func direction(_ options: String) -> String {
            guard case .history(let history) = command("HISTORY \(options) #x") else {
                return refusal("HISTORY \(options) #x")
            }
            return "\(history.direction) \(history.limit)"
        }
        let time = "2026-11-30T08:36:33.5Z"
        #expect(direction("") == "newest 50")
        #expect(direction("before=5 limit=20").contains("before") && direction("before=5 limit=20").hasSuffix("20"))
        #expect(direction("after=\(time)").contains("milliseconds: 1796027793500"))
        #expect(direction("around=0").contains("around"))
        #expect(direction("before=1 after=2") == "BAD-ARG after")
        #expect(direction("after=1 around=2") == "BAD-ARG around")
        #expect(direction("before=1 after=2 around=3") == "BAD-ARG around")
    }

    @Test(arguments: [
        "2026-11-30T08:36:33", "2026-11-30T08:36:33+00:00", "2026-11-30 08:36:33Z", "2026-02-30T00:00:00Z",
        "2026-11-30T24:00:00Z",
        "2026-11-30T08:36:33.Z", "2026-11-30T08:36:33.1234Z", "now", "2026-11-30T08:36:33z",
    ])
    func `a time is RFC 3339 ending in Z`(time: String) {
        #expect(refusal("HISTORY before=\"\(time)\" #x") == "BAD-ARG before")
        #expect(refusal("SUB all=yes since=\"\(time)\"") == "BAD-ARG since")
    }

    @Test func `SUB starts now, behind a seq, or at the last so many`() {
        func start(_ options: String) -> String {
            guard case .subscribe(let sub) = command("SUB \(options)#x") else { return refusal("SUB \(options)#x") }
            return "\(sub.start)"
        }
        #expect(start("") == "now")
        #expect(start("all=no ") == "now")
        #expect(start("since=41 ") == "since(41)")
        #expect(start("last=0 ") == "last(0)")
        #expect(start("since=1 last=2 ") == "BAD-ARG last")
        #expect(start("since=2026-11-30T08:36:33Z ") == "BAD-ARG since")
    }

    @Test func `SUB all=yes may have a time, UNSUB all=yes ends it`() {
        guard case .subscribeAll(since: nil) = command("SUB all=yes") else { return #expect(Bool(false)) }
        guard case .subscribeAll(since: let time?) = command("SUB all=yes since=1970-01-01T00:00:01Z") else {
            return #expect(Bool(false))
        }
        #expect(time.milliseconds == 1000)
        #expect(refusal("SUB all=yes since=41") == "BAD-ARG since")
        #expect(refusal("SUB all=yes last=1") == "BAD-ARG last")
        #expect(refusal("SUB all=perhaps #x") == "BAD-ARG all")
        guard case .unsubscribeAll = command("UNSUB all=yes") else { return #expect(Bool(false)) }
        guard case .unsubscribe(.named("x")) = command("UNSUB #x") else { return #expect(Bool(false)) }
        guard case .subscriptions = command("SUBS") else { return #expect(Bool(false)) }
    }
}
