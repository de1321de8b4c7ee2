import Testing

@testable import fcd

@Suite("The command line") struct InvocationTests {
    private func load(_ arguments: [String], _ environment: [String: String] = [:]) throws -> LoadedSettings {
        guard case .serve(let request) = try Invocation.parse(arguments, environment: environment) else {
            throw UsageFault.contradiction("not serve")
        }
        return try request.sources.load()
    }

    private func fault(_ arguments: [String], _ environment: [String: String] = [:]) -> String {
        do {
            _ = try load(arguments, environment)
            return "no fault"
        } catch let fault as UsageFault {
            return fault.description
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [[], ["serve"]]) func `without options everything has its default`(_ arguments: [String]) throws {
        let invocation = try Invocation.parse(arguments)
        #expect(invocation == .serve(ServeRequest()))
        #expect(ServeRequest().dataDirectory == "fcd-data")
        #expect(try load(arguments).settings == Settings())
        #expect(Settings().listen.chat.map(\.description) == ["127.0.0.1:7700"])
        #expect(Settings().listen.plain?.description == "127.0.0.1:7702")
        #expect(Settings().listen.blobs.description == "127.0.0.1:7701")
        #expect(Settings().loopCount >= 1)
    }

    @Test func `values stand after a blank or an equals sign`() throws {
        for arguments in [
            ["--data", "d", "--chat", "127.0.0.1:1", "--plain", "none", "--blobs", "127.0.0.1:2", "--set", "loops=3"],
            ["--data=d", "serve", "--chat=127.0.0.1:1", "--plain=none", "--blobs=127.0.0.1:2", "--set=loops=3"],
        ] {
            guard case .serve(let request) = try Invocation.parse(arguments) else { throw UsageFault.contradiction("") }
            let settings = try request.sources.load().settings
            #expect(request.dataDirectory == "d")
            #expect(settings.listen.chat == [.ipv4("127.0.0.1", port: 1)])
            #expect(settings.listen.plain == nil)
            #expect((settings.listen.blobs.port, settings.loopCount) == (2, 3))
        }
    }

    @Test func `several chat addresses add up and replace the default`() throws {
        let settings = try load(["--chat", "0.0.0.0:7700", "--chat", "[::]:7700", "--chat", "unix:/run/c"]).settings
        #expect(settings.listen.chat.map(\.description) == ["0.0.0.0:7700", "[::]:7700", "unix:/run/c"])
    }

    @Test func `of an option given twice the last counts`() throws {
        #expect(try load(["--plain", "127.0.0.1:1", "--plain", "none"]).settings.listen.plain == nil)
        #expect(try load(["--set", "limits.text=1", "--set", "limits.text=2"]).settings.limits.text == 2)
    }

    @Test func `help and version are asked for with or without other options`() throws {
        #expect(try Invocation.parse(["--help"]) == .help)
        #expect(try Invocation.parse(["serve", "--data", "x", "-h"]) == .help)
        #expect(try Invocation.parse(["--version"]) == .version)
    }

    @Test(arguments: [
        (["--dta", "x"], "--dta is not an option; the nearest is --data"),
        (["--setlimits.text=1"], "--setlimits.text is not an option; the nearest is --set"),
        (["--verison"], "--verison is not an option; the nearest is --version"),
        (["-x"], "-x is not an option; the nearest is --set"),
        (["--data"], "--data needs a value: --data DIR"),
        (["--plain", "--blobs", "127.0.0.1:1"], "--plain needs a value: --plain HOST:PORT|none"),
        (["--data="], "--data \"\": the path is empty"),
        (["--data", "a\nb"], "--data a\\u000ab: a path has no control characters"),
        (["--help=yes"], "--help takes no value"),
        (["serv"], "serv is not a command; the nearest is serve"),
        (["token"], "fcd token needs more: fcd token metrics"),
        (["user", "lst"], "lst is nothing that fcd user does; the nearest is list"),
        (["user", "add", "x"], "fcd user add needs more: fcd user add NAME EMAIL"),
        (["user", "disable"], "fcd user disable needs more: fcd user disable USER"),
        (
            ["user"],
            "fcd user needs more: fcd user list [PREFIX], user add NAME EMAIL, or user disable|enable|end-sessions|reset|promote|verify|delete USER"
        ),
        (["set", "limits.txt", "5"], "limits.txt is nothing that fcd set does; the nearest is limits.text"),
        (["set", "limits.text"], "fcd set needs more: fcd set KEY VALUE"),
        (["status", "now"], "the argument now is not understood; fcd --help shows what is"),
        (["stats"], "stats is not a command; the nearest is status"),
        (["serve", "--json"], "the argument --json is not understood; fcd --help shows what is"),
        (["check", "--yes"], "the argument --yes is not understood; fcd --help shows what is"),
        (["--yes"], "the argument --yes is not understood; fcd --help shows what is"),
        (["repair", "now"], "the argument now is not understood; fcd --help shows what is"),
        (["serve", "now"], "the argument now is not understood; fcd --help shows what is"),
        (["--set", "limits.text"], "--set limits.text: a setting is given as key=value, as in limits.text=4000"),
        (["--set", "=5"], "--set =5: a setting is given as key=value, as in limits.text=4000"),
        (["--set", "limits.txt=5"], "--set: limits.txt is not a setting; the nearest is limits.text"),
        (["--set", "limits.text=x"], "--set: limits.text = x: allowed is a whole number from 1 to 10000 (characters)"),
        (["--chat", "127.0.0.1:99999"], "--chat 127.0.0.1:99999: the port is not a number from 0 to 65535"),
        (
            ["--plain", "0.0.0.0:1"],
            "--plain 0.0.0.0:1: without TLS only a loopback address is allowed (127.0.0.1, [::1]), or none"
        ),
        (["--set", "tls.key=k"], "tls.key is given without tls.certificate"),
        (["--set", "tls.certificate=c"], "tls.certificate is given without tls.key"),
        (
            ["--chat", "127.0.0.1:7702"],
            "127.0.0.1:7702 is given for two ports (listen.chat, listen.plain, listen.blobs)"
        ),
    ]) func `what is wrong is named, with the nearest right name or what is allowed`(
        _ arguments: [String],
        _ expected: String
    ) {
        #expect(fault(arguments) == expected)
    }

    @Test func `commands take their words, and options before and behind them`() throws {
        func action(_ arguments: [String]) throws -> CommandRequest.Action? {
            guard case .command(let request) = try Invocation.parse(arguments) else { return nil }
            #expect(request.serve.dataDirectory == "d")
            return request.action
        }
        #expect(try action(["--data", "d", "check"]) == .check)
        #expect(try action(["status", "--data=d", "--json"]) == .status)
        #expect(try action(["snapshot", "--data", "d"]) == .snapshot)
        #expect(try action(["set", "--data", "d", "limits.text", "5"]) == .set(key: "limits.text", value: "5"))
        #expect(try action(["repair", "--data", "d"]) == .repair(isConfirmed: false))
        #expect(try action(["--yes", "--data", "d", "repair"]) == .repair(isConfirmed: true))
        #expect(try action(["user", "--data", "d", "list"]) == .userList(prefix: nil))
        #expect(try action(["user", "list", "--data", "d", "a"]) == .userList(prefix: "a"))
        #expect(try action(["user", "reset", "ada", "--data", "d"]) == .user(action: "reset", who: "ada"))
        #expect(try action(["user", "--data", "d", "add", "ada", "a@b.c"]) == .userAdd(name: "ada", email: "a@b.c"))
        for word in ["promote", "verify", "delete"] {
            #expect(try action(["user", word, "ada", "--data", "d"]) == .user(action: word, who: "ada"))
        }
        #expect(try action(["invite", "--data", "d"]) == .invite(uses: nil, expires: nil))
        #expect(
            try action(["invite", "--uses", "2", "--expires=1d", "--data", "d"]) == .invite(uses: "2", expires: "1d")
        )
    }

    @Test(arguments: [
        (["--uses", "2"], "--uses"), (["serve", "--expires", "7d"], "--expires"), (["status", "--uses=2"], "--uses"),
        (["user", "add", "ann", "a@b.c", "--expires", "1d"], "--expires"),
    ]) func `what is for invite is understood nowhere else`(_ arguments: [String], _ option: String) {
        #expect(fault(arguments) == "the argument \(option) is not understood; fcd --help shows what is")
    }

    @Test func `an argument of any length is answered with a short line`() {
        let message = fault(["--" + String(repeating: "x", count: 1_000_000)])
        #expect(message.utf8.count < 1000)
        #expect(message.contains("is not an option"))
    }

    @Test func `a combining mark does not hide the equals sign or the colon`() {
        #expect(fault(["--set", "limits.text=\u{301}5"]).hasPrefix("--set: limits.text ="))
        #expect(fault(["--chat", "127.0.0.1:\u{301}5"]).contains("the port is not a number"))
    }

    @Test func `an unknown FCD variable is reported by its name, others are left alone`() throws {
        #expect(
            fault([], ["FCD_LIMIT_TEXT": "5"])
                == "the environment variable FCD_LIMIT_TEXT is not a setting; the nearest is FCD_LIMITS_TEXT"
        )
        #expect(fault([], ["FCD_LIMITS_TEXT": "x"]).hasPrefix("FCD_LIMITS_TEXT=x: allowed is a whole number"))
        #expect(try load([], ["FCD": "x", "FCC_PASSWORD": "y", "PATH": "/bin"]).settings == Settings())
        #expect(try load([], ["FCD_AUTH_SCRYPT_N": "1024"]).settings.auth.scryptN == 1024)
    }
}
