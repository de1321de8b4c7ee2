import ChatModel
import Testing

@testable import Wire

@Suite("Options")
struct OptionTests {
    @Test(arguments: [
        ("SEND nonce=a nonce=b #lobby x", "nonce"), ("SEND frob=1 #lobby x", "frob"),
        ("SEND text=\"a\" #lobby b", "text"),
        ("SEND text=\"a #lobby", "text"), ("SEND text=\"a\"b #lobby", "text"), (#"SEND text="\ud800" #lobby"#, "text"),
        (#"SEND text="\udc00" #lobby"#, "text"), (#"SEND text="\ud800\u0041" #lobby"#, "text"),
        (#"SEND text="\u0000" #lobby"#, "text"), (#"SEND text="\x" #lobby"#, "text"),
        (#"SEND text="\u12" #lobby"#, "text"),
        (#"SEND text="\"#, "text"), (#"SEND text="\" #lobby"#, "text"), (#"HELLO client="\ud800""#, "client"),
        ("HELLO client=x frob=1", "frob"), ("PING frob=1 x", "frob"), ("WHOAMI a-b=1", "a-b"),
        ("JOIN private=yes #x", "private"),
        ("SEND reply=1 reply=2 #x y", "reply"), ("SEND 1=2 #x y", "1"), ("SUBS all=yes", "all"),
    ])
    func `an option that is unknown, twice there or malformed is BAD-ARG with its name`(line: String, field: String) {
        #expect(refusal(line) == "BAD-ARG \(field)")
    }

    @Test func `the name of an unknown option is cut at 32 bytes`() {
        let key = String(repeating: "k", count: 100)
        #expect(refusal("PING \(key)=1") == "BAD-ARG \(key.prefix(32))")
    }

    @Test func `what has no lower-case key before its = is an argument`() {
        for word in ["Frob=1", "=1", "a_b=1", "#x=1", "é=1", "a\u{200D}=1", "\"a=1"] {
            #expect(refusal("PING \(word)") == "command", "\(word)")
        }
    }

    @Test(arguments: ["HISTORY #lobby limit=5", "JOIN #x all=yes"])
    func `options behind an argument are BAD-ARG with their name`(line: String) {
        #expect(refusal(line).hasPrefix("BAD-ARG "))
        #expect(refusal(line) != "BAD-ARG ")
    }

    @Test(arguments: [
        "PING a b", "WHOAMI x", "JOIN #a b", "LEAVE #a b", "INVITE #a b c", "MEMBERS #a b", "CREATE #a b", "LIST a b",
        "CONVS a", "LIMITS a", "SUBS a", "BYE now", "HELLO x", "HELP PING x", "LOGOUT x", "SUB #a b", "UNSUB #a b",
        "SUB all=yes #a", "UNSUB all=yes #a", "HISTORY #a 5",
    ])
    func `too many words are BAD-ARG`(line: String) {
        #expect(refusal(line) == "BAD-ARG")
    }

    @Test func `a string may hold blanks, every escape of JSON, and text of any script`() {
        #expect(send(#"SEND text="a \" b \\ - c=d" #lobby"#)?.text == #"a " b \ - c=d"#)
        #expect(send(#"SEND text="\/\b\f\n\r\t\u001b\u00E9\ud83d\uDC4D" #x"#)?.text == "/\u{8}\u{C}\n\r\t\u{1B}é👍")
        #expect(send(#"SEND text="مرحبا 你好" #lobby"#)?.text == "مرحبا 你好")
        #expect(send(#"SEND text="\\u0041" #lobby"#)?.text == #"\u0041"#)
        #expect(send("SEND text=word #lobby")?.text == "word")
    }

    @Test func `an escaped value is the value without its escapes in every option`() {
        #expect(send(#"SEND nonce="\u0061" #x y"#)?.send.nonce == send("SEND nonce=a #x y")?.send.nonce)
        guard case .history(let history) = command(#"HISTORY limit="\u0035" #x"#) else { return #expect(Bool(false)) }
        #expect(history.limit == 5)
        guard case .create(let create) = command(#"CREATE private="\u0079es" title="A \"b\"" #x"#) else {
            return #expect(Bool(false))
        }
        #expect(create.isPrivate && create.title == "A \"b\"")
    }

    static let numbers = [
        "18446744073709551616", "99999999999999999999", "184467440737095516150", "-1", "-9223372036854775808", "+5",
        "05",
        "00", "0x10", "1e3", "5.0", "٣", "５", "NaN", "", "\"\"", "\"5 \"", "5,",
    ]

    @Test(arguments: numbers)
    func `what is no plain number is BAD-ARG with its option`(value: String) {
        for key in ["limit", "before", "after", "around"] {
            #expect(refusal("HISTORY \(key)=\(value) #x") == "BAD-ARG \(key)")
        }
        for key in ["since", "last"] { #expect(refusal("SUB \(key)=\(value) #x") == "BAD-ARG \(key)") }
        #expect(refusal("SEND reply=\(value) #x y") == "BAD-ARG reply")
        if !value.isEmpty, !value.contains(" ") { #expect(refusal("REPLY #x \(value) y") == "BAD-ARG id") }
    }

    @Test(arguments: [0, 1, 2_147_483_648, 4_294_967_296, 9_223_372_036_854_775_808, UInt64.max])
    func `every number that fits is taken as it is`(value: UInt64) {
        guard case .subscribe(let sub) = command("SUB since=\(value) #x"), case .since(value) = sub.start else {
            return #expect(Bool(false))
        }
        guard case .history(let history) = command("HISTORY before=\(value) #x"),
            case .before(.seq(value)) = history.direction
        else { return #expect(Bool(false)) }
        #expect(send("SEND reply=\(value) #x y")?.send.reply == (value == 0 ? nil : value))
    }

    @Test(arguments: ["CONVS limit=%", "LIST limit=%", "MEMBERS limit=% #x", "HISTORY limit=% #x"])
    func `limit is 1 to 200`(form: String) {
        for limit in ["0", "201", "18446744073709551615"] {
            #expect(refusal(form.replacing("%", with: limit)) == "BAD-ARG limit")
        }
        for limit in ["1", "200"] { #expect(refusal(form.replacing("%", with: limit)) == "command") }
    }

    @Test func `the words of the options are in the order of their cases`() {
        for key in OptionKey.allCases {
            let name = key == .isPrivate ? "private" : key == .duration ? "for" : "\(key)"
            #expect(key.word == name)
            #expect(Array(name.utf8).withUnsafeBytes { OptionKey($0) } == key)
        }
        #expect(OptionKey.allCases.count <= 64)
    }

    @Test func `no verb takes more options than a request has room for`() {
        for verb in Verb.allCases { #expect(verb.options.rawValue.nonzeroBitCount <= 8) }
    }
}
