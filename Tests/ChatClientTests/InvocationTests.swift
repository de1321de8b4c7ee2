import ChatClient
import Testing

@Suite("The command line of fcc")
struct InvocationTests {
    private func fault(_ words: String...) -> String? {
        do {
            _ = try Invocation(words)
            return nil
        } catch {
            return error.text
        }
    }

    @Test func `Options may stand before and behind the command`() throws {
        let before = try Invocation(["--json", "--server", "[::1]:99", "history", "#a", "--last=3"])
        let behind = try Invocation(["history", "--last", "3", "#a", "--server=[::1]:99", "--json"])
        #expect(before == behind)
        #expect(before.command == .history(conversation: "#a", last: 3))
        #expect(before.server == Endpoint(host: "::1", port: 99))
        #expect(before.isJSON)
    }

    @Test func `A lone dash is standard input, and behind two dashes nothing is an option`() throws {
        #expect(try Invocation(["send", "#a", "-"]).command == .send(conversation: "#a", content: .input, reply: nil))
        let dashed = try Invocation(["send", "#a", "--", "--json"])
        #expect(dashed.command == .send(conversation: "#a", content: .text("--json"), reply: nil))
        #expect(!dashed.isJSON)
    }

    @Test func `An unknown option is named with the nearest right one`() {
        #expect(fault("convs", "--jsn") == "unknown option --jsn; did you mean --json?")
        #expect(fault("convs", "--frobnicate") == "unknown option --frobnicate")
        #expect(fault("lgoin", "ada") == "unknown command \"lgoin\"; did you mean login?")
    }

    @Test func `An option that does not go with the command is refused`() {
        #expect(fault("whoami", "--last", "3") == "--last does not go with whoami, but with tail, history, search")
    }

    @Test(arguments: [
        ["tail"], ["tail", "#a", "--since", "1", "--last", "2"], ["tail", "--all", "#a"],
        ["tail", "--all", "--last", "3"],
        ["tail", "--all", "--since", "3"], ["send", "#a"], ["send", "#a", "b", "c"], ["send", "lobby", "x"],
        ["history", "#a", "--last", "-1"], ["history", "#a", "--last", "٣"],
        ["history", "#a", "--last"], ["convs", "--json", "--json"], ["convs", "--json=1"], ["convs", "-x"],
        ["convs", "--server", "host:0"], ["convs", "--server", "host:99999"], ["convs", "--profile", "../x"],
        ["convs", "--fingerprint", "AB:CD"], ["search", "#a"], ["search", "#a", " \t"], ["search", "a", "x"], ["frob"],
        ["--json"], ["--last", "3"],
        ["send", "#a", "x", "--caption", "y"], ["send", "#a", "x", "--file", "y"], ["put"], ["get"],
        ["put", "x", "-o", "y"],
    ])
    func `Wrong usage is refused with words`(_ arguments: [String]) {
        #expect(throws: UsageFault.self) { try Invocation(arguments) }
    }

    @Test func `Places may go with a text`() throws {
        let command = try Invocation(["send", "#a", "here", "--geo", "1,2", "--reply", "7"]).command
        #expect(command == .send(conversation: "#a", content: .place("1,2", text: "here"), reply: "7"))
    }

    @Test func `The words of a search make one line`() throws {
        let command = try Invocation(["search", "#a", "green tea", "cup\nx=1", "--last", "7"]).command
        #expect(command == .search(conversation: "#a", words: "green tea cup x=1", last: 7))
        #expect(try Invocation(["search", "@b", "x"]).command == .search(conversation: "@b", words: "x", last: 50))
    }

    @Test func `Tail begins where it is told`() throws {
        #expect(try Invocation(["tail", "#a"]).command == .tail(conversations: ["#a"], start: .now))
        #expect(
            try Invocation(["tail", "#a", "--since", "0"]).command == .tail(conversations: ["#a"], start: .since(0))
        )
        let time = "2026-01-05T12:00:00Z"
        #expect(try Invocation(["tail", "--all", "--since", time]).command == .tailAll(.time(time)))
    }

    @Test func `No command is the chat`() throws {
        #expect(try Invocation([]).command == .chat)
        #expect(try Invocation(["--profile", "work"]).command == .chat)
    }

    @Test func `Files are sent, put and fetched`() throws {
        let sending = try Invocation(["send", "#a", "--file", "x y.png", "--caption", "hi"]).command
        #expect(sending == .send(conversation: "#a", content: .file("x y.png", caption: "hi"), reply: nil))
        #expect(try Invocation(["put", "x"]).command == .put(path: "x"))
        #expect(try Invocation(["get", "b_1", "-o", "y"]).command == .get(blob: "b_1", destination: "y"))
        #expect(try Invocation(["get", "--output=y", "b_1"]).command == .get(blob: "b_1", destination: "y"))
    }

    @Test func `Help and version need no command`() throws {
        #expect(try Invocation(["--help"]).command == .help)
        #expect(try Invocation(["--version"]).command == .version)
    }

    @Test func `The help names every command and every option`() {
        for command in OptionTable.commands { #expect(OptionTable.help.contains("  \(command.name)")) }
        for option in OptionTable.options { #expect(OptionTable.help.contains("--\(option.name)")) }
    }
}
