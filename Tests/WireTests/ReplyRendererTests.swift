import Bytes
import ChatModel
import Testing
import Wire

@Suite("Replies as lines")
struct ReplyRendererTests {
    private let time = Timestamp(milliseconds: 1_796_027_793_123)

    private func line(_ reply: Reply, _ name: String = "t") -> String {
        rendered { ReplyRenderer.render(reply, tag: tag(name), into: &$0) }
    }

    @Test func `rows come before OK, all with the tag`() {
        let rows = [
            Row("conv", [.word("conv", "#a"), .number("unread", 3), .flag("guest", true), .text("preview", "x")])
        ]
        #expect(
            line(.done(rows: rows, [.number("n", 1), .time("ts", time)]))
                == "ROW @t conv conv=#a unread=3 guest=yes preview=\"x\"\nOK @t n=1 ts=2026-11-30T08:36:33.123Z\n"
        )
        #expect(line(.done([]), "") == "OK\n")
    }

    @Test func `an event's answer names conversation, seq and time`() {
        #expect(
            line(.event(conversation: "@ada,bob", seq: 42, time: time, isRepeat: true))
                == "OK @t conv=@ada,bob seq=42 ts=2026-11-30T08:36:33.123Z dup=yes\n"
        )
        #expect(!line(.event(conversation: "#a", seq: 1, time: time, isRepeat: false)).contains("dup"))
    }

    @Test func `signing in and out`() {
        #expect(
            line(.signedIn(user: "ada", token: "T", unread: 3, isNew: false)) == "OK @t user=ada token=T unread=3\n"
        )
        #expect(line(.signedIn(user: "ada", token: nil, unread: nil, isNew: true)) == "OK @t user=ada\n")
        #expect(line(.signedOut, "") == "OK\n")
    }

    @Test func `copied lines become rows`() {
        let copy = LineCopy(Array("msg conv=#a seq=1 text=\"x\"\nEV msg conv=#a seq=2\n".utf8))
        #expect(
            line(.lines(copy, count: 2, more: true))
                == "ROW @t msg conv=#a seq=1 text=\"x\"\nROW @t msg conv=#a seq=2\nOK @t n=2 more=yes\n"
        )
        #expect(line(.lines(LineCopy([]), count: 0, more: false), "") == "OK n=0 more=no\n")
    }

    @Test func `a refusal tells code, retry, field, details and its reason`() {
        let refusal = Refusal(
            .tooLong,
            field: "text",
            details: [.number("limit", 4000), .number("got", 4001)],
            "too long"
        )
        #expect(line(.refused(refusal)) == "ERR @t TOO-LONG retry=no field=text limit=4000 got=4001 - too long\n")
        #expect(line(.own(.refused(Refusal(.busy, retry: .now, "x"))), "") == "ERR BUSY retry=now - x\n")
        #expect(line(.refused(Refusal(.limit, retry: .seconds(7), ""))) == "ERR @t LIMIT retry=7\n")
    }

    @Test func `BYE, ASK, HI and notices`() {
        #expect(line(.bye) == "OK @t\nBYE OK - goodbye\n")
        #expect(
            rendered { ReplyRenderer.bye(.needTLS, text: "this port speaks TLS", into: &$0) }
                == "BYE NEED-TLS - this port speaks TLS\n"
        )
        #expect(
            rendered { ReplyRenderer.ask(tag: tag("a"), what: "password", text: "type it", into: &$0) }
                == "ASK @a password - type it\n"
        )
        #expect(
            rendered { ReplyRenderer.greeting(fields: [.word("server", "fcd/1.0"), .number("proto", 1)], into: &$0) }
                == "HI server=fcd/1.0 proto=1 - type HELP\n"
        )
        #expect(
            rendered {
                ReplyRenderer.notice(kind: "conv", fields: [.word("conv", "#a"), .word("state", "joined")], into: &$0)
            }
                == "EV conv conv=#a state=joined\n"
        )
    }

    @Test func `PING and HELLO`() {
        #expect(line(.own(.pong("x"))) == "OK @t pong=x\n")
        #expect(line(.own(.pong(nil))) == "OK @t\n")
        #expect(line(.own(.hello)) == "OK @t\n")
    }

    @Test func `HELP has a row for every verb that is there, HELP verb its own`() {
        let lines = line(.own(.help(verb: nil))).split(separator: "\n")
        #expect(lines.count >= 16)
        #expect(lines.last == "OK @t n=\(lines.count - 1)")
        for row in lines.dropLast() {
            #expect(row.hasPrefix("ROW @t help verb=") && row.contains(" text=\"") && row.hasSuffix("\""))
            let verb = row.dropFirst("ROW @t help verb=".count).prefix { $0 != " " }
            #expect(refusal("\(verb)") != "BAD-VERB")
        }
        #expect(line(.own(.help(verb: "PING"))).hasSuffix("OK @t n=1\n"))
    }

    @Test(arguments: [
        ("word", "word"), ("", "\"\""), ("a b", "\"a b\""), ("a\"b", #""a\"b""#), ("a\u{A0}b", "\"a\u{A0}b\""),
        ("a\u{3000}", "\"a\u{3000}\""), (#"a\b"#, #"a\b"#), ("a\u{202E}b", #""a\u202eb""#),
        ("a\u{85}b", #""a\u0085b""#),
        ("مرحبا", "مرحبا"), ("-", "-"), ("👍", "👍"), ("a\tb", #""a\u0009b""#), (#"a "\"#, #""a \"\\""#),
    ])
    func `a value is quoted when it is empty or has White_Space, quotes or what is escaped in it`(
        value: String,
        shown: String
    ) {
        #expect(rendered { ValueRenderer.append(.word("k", value), into: &$0) } == " k=\(shown)")
    }

    @Test func `what people read cannot drive a terminal either`() {
        #expect(
            line(.refused(.badArg("x", "a\n\u{1B}[31m\u{202E}\"q\"")))
                == "ERR @t BAD-ARG retry=no field=x - a\\u000a\\u001b[31m\\u202e\"q\"\n"
        )
    }
}
