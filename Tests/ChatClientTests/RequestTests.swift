import ChatClient
import Testing

@Suite("Requests")
struct RequestTests {
    @Test func `Options come before arguments and the text is verbatim`() throws {
        let request = try Request(
            "SEND",
            options: [.init("nonce", "n-1")],
            arguments: ["#lobby"],
            rest: " a  key=v :) "
        )
        #expect(request.line(tag: "c1") == "@c1 SEND nonce=n-1 #lobby  a  key=v :) \n")
    }

    @Test func `Text with line breaks or controls travels as an option`() throws {
        let request = try Request("SEND", arguments: ["#lobby"], rest: "one\ntwo\u{1b}\"")
        #expect(request.line() == #"SEND text="one\u000atwo\u001b\"" #lobby"# + "\n")
    }

    @Test func `A carriage return never stands in a line`() throws {
        let request = try Request("SEND", arguments: ["#lobby"], rest: "hi\r")
        #expect(request.line() == #"SEND text="hi\u000d" #lobby"# + "\n")
    }

    @Test func `A value with blanks is quoted`() throws {
        #expect(Request(fixed: "X", options: [.init("a", "b c"), .init("d", "")]).line() == "X a=\"b c\" d=\"\"\n")
    }

    @Test(arguments: ["", "a b", "a\nLOGOUT", "a\u{a0}b", "reply=3", "a\u{0}", "#a\u{2028}"])
    func `An argument that would not stay one word is refused`(_ word: String) {
        #expect(throws: Request.Fault.argument(word)) { try Request("JOIN", arguments: [word]) }
    }

    @Test func `An equals sign behind other characters is no option`() throws {
        #expect(try Request("X", arguments: ["#a=b"]).line() == "X #a=b\n")
    }
}
