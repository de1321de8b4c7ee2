import Testing

extension FccTests {
    @Suite("Usage")
    struct UsageTests {
        private let fcc: Fcc

        init() throws { fcc = try Fcc() }

        @Test func `Wrong usage is exit code 2 and names the nearest right option`() throws {
            let run = try fcc.run("history", "#lobby", "--lst", "3")
            #expect(run.code == 2)
            #expect(run.err == "fcc: unknown option --lst; did you mean --last?\n")
            #expect(run.out.isEmpty)
        }

        @Test func `Controls in a wrong word do not reach the terminal`() throws {
            #expect(try fcc.run("\u{1b}[2J").err.contains("\\u{1b}[2J"))
        }

        @Test func `Help and version go to standard output`() throws {
            let help = try fcc.run("--help")
            #expect(help.code == 0 && help.out.contains("Usage: fcc") && help.err.isEmpty)
            let version = try fcc.run("--version")
            #expect(version.code == 0 && version.out.hasPrefix("fcc ") && version.err.isEmpty)
        }

        @Test func `Without a session the commands that need one end with 5 and make no connection`() throws {
            for command in [
                ["whoami"], ["convs"], ["history", "#a"], ["send", "#a", "x"], ["tail", "#a"], ["logout"],
            ] {
                let run = try fcc.start(command, input: "").finish()
                #expect(run.code == 5, "\(command)")
                #expect(run.err.contains("not signed in"))
            }
        }

        @Test func `The chat needs a terminal and says so`() throws {
            let run = try fcc.run()
            #expect(run.code == 2 && run.out.isEmpty)
            #expect(run.err.contains("the chat needs a terminal"))
        }
    }
}
