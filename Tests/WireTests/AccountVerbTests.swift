import Bytes
import ChatModel
import Testing
import Wire

@Suite("Accounts: SIGNUP, AUTH, ASK, LOGOUT and the verbs without the engine")
struct AccountVerbTests {
    private func password(_ line: String) -> (who: String, password: String)? {
        guard case .signIn(.password(let who, let secret)) = command(line) else { return nil }
        return (who, String(decoding: secret.bytes, as: UTF8.self))
    }

    private func ask(_ line: String) -> PendingAsk? {
        if case .ask(_, let ask) = Parsing().parse(line) { ask } else { nil }
    }

    private func complete(_ ask: PendingAsk, _ answer: [UInt8]) -> ParsedLine {
        answer.withUnsafeBytes { Parsing().parser.complete(ask, answer: $0, tag: tag("t")) }
    }

    @Test func `AUTH takes a name or address and the rest, verbatim, as the password`() {
        #expect(password("AUTH ada Secret123").map { $0 == ("ada", "Secret123") } == true)
        #expect(password("AUTH spa   two blanks  ")?.password == "  two blanks  ")
        #expect(password("auth ada@example.test a=b \"c\"\td\r")?.password == "a=b \"c\"\td")
    }

    @Test(arguments: [
        "AUTH ada", "AUTH ada ", "@a AUTH  ada@x.y\r", "SIGNUP name=spa spa@example.test", "REGISTER a@b.c ",
    ])
    func `without a password the server asks`(line: String) throws {
        #expect(try #require(ask(line)).what == "password")
    }

    @Test func `the answer is the next line, whole`() throws {
        let asked = try #require(ask("AUTH ada"))
        for (answer, expected) in [
            ("  two blanks  ", "  two blanks  "), ("x\r", "x"), ("", ""), ("@a PING", "@a PING"), ("a\tb", "a\tb"),
        ] {
            guard case .command(_, .signIn(.password(who: "ada", let secret))) = complete(asked, Array(answer.utf8))
            else {
                return #expect(Bool(false))
            }
            #expect(String(decoding: secret.bytes, as: UTF8.self) == expected)
        }
    }

    @Test(arguments: [[0x61, 0x00], [0xFF], [0x1B], [0x0D, 0x0D], [0xED, 0xA0, 0x80], [0x7F]] as [[UInt8]])
    func `an answer with controls or no UTF-8 is BAD-ARG`(answer: [UInt8]) throws {
        let asked = try #require(ask("AUTH ada"))
        guard case .refused(_, let refusal) = complete(asked, answer) else { return #expect(Bool(false)) }
        #expect(refusal.code == .badArg && refusal.field == "password")
    }

    @Test func `PASSWD takes the old one as a word and the new one whole, and asks for what is missing`() throws {
        guard case .account(.changePassword(let old?, let new)) = command("PASSWD old=1 new  one ") else {
            return #expect(Bool(false))
        }
        #expect(old.bytes == Array("old=1".utf8) && new.bytes == Array("new  one ".utf8))
        let first = try #require(ask("PASSWD"))
        guard case .ask(_, let second) = complete(first, Array("the old".utf8)),
            case .command(_, .account(.changePassword(let old?, let new))) = complete(second, Array("the new".utf8))
        else { return #expect(Bool(false)) }
        #expect(old.bytes == Array("the old".utf8) && new.bytes == Array("the new".utf8))
        guard case .command(_, .account(.changePassword(nil, let only))) = parsed("PASSWD whole line", isCode: true)
        else {
            return #expect(Bool(false))
        }
        #expect(only.bytes == Array("whole line".utf8))
    }

    private func parsed(_ line: String, isCode: Bool) -> ParsedLine {
        let parsing = Parsing()
        return Array(line.utf8).withUnsafeBytes { parsing.parser.parse($0, arena: &parsing.arena, isCode: isCode) }
    }

    @Test func `SIGNUP carries its options, its address and its password`() throws {
        let line = "SIGNUP name=ada display=\"Ada L.\" phone=+49 invite=abc ada@example.test Secret 123"
        guard case .signUp(let signUp) = command(line) else { return #expect(Bool(false)) }
        #expect(signUp.name == "ada" && signUp.display == "Ada L." && signUp.phone == "+49")
        #expect(signUp.invite == Array("abc".utf8).withUnsafeBytes(Parsing.hashers.token))
        #expect(signUp.email == "ada@example.test" && signUp.password.bytes == Array("Secret 123".utf8))
        let asked = try #require(ask("REGISTER name=bob bob@example.test"))
        guard case .command(_, .signUp(let answered)) = complete(asked, Array("pass word".utf8)) else {
            return #expect(Bool(false))
        }
        #expect(answered.name == "bob" && answered.display == nil && answered.password.bytes == Array("pass word".utf8))
    }

    @Test func `a token goes on as its hash, and is kept to be repeated in the reply`() {
        guard case .signIn(.token(let hash, _)) = command("AUTH token=abc") else { return #expect(Bool(false)) }
        #expect(hash == Array("abc".utf8).withUnsafeBytes(Parsing.hashers.token))
        guard case .signIn(.token(hash, _)) = command(#"AUTH token="\u0061bc"  "#) else { return #expect(Bool(false)) }
        guard case .signIn(.anonymous) = command("AUTH anonymous=yes") else { return #expect(Bool(false)) }
    }

    @Test(arguments: [
        ("AUTH", "who"), ("SIGNUP", "email"), ("SIGNUP name=a", "email"), ("AUTH anonymous=no", "anonymous"),
        ("AUTH anonymous=1", "anonymous"), ("AUTH token=a ada", "token"), ("AUTH anonymous=yes ada", "anonymous"),
        ("AUTH token=a anonymous=yes", "anonymous"), ("SIGNUP text=\"x\" a@b.c", "text"), ("LOGOUT all=1", "all"),
    ])
    func `what is missing or does not go together is BAD-ARG`(line: String, field: String) {
        #expect(refusal(line) == "BAD-ARG \(field)")
    }

    @Test func `LOGOUT, WHOAMI, LIMITS, BYE and QUIT are what they say`() {
        guard case .signOut(all: false) = command("LOGOUT"), case .signOut(all: true) = command("LOGOUT all=yes"),
            case .whoAmI = command("whoami"), case .limits = command("LIMITS"), case .bye = command("bye"),
            case .bye = command("QUIT")
        else { return #expect(Bool(false)) }
    }

    @Test func `PING, HELLO and HELP are answered without the engine`() {
        guard case .own(.pong(nil)) = command("PING"), case .own(.pong("-")) = command("PING -"),
            case .own(.hello) = command("HELLO client=\"a b\" lang=en"), case .own(.help(verb: nil)) = command("HELP "),
            case .own(.help(verb: "SIGNUP")) = command("HELP register")
        else { return #expect(Bool(false)) }
        #expect(refusal("HELP frob") == "BAD-ARG verb")
    }
}
