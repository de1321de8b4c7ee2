/// An option of `fcc` and the commands it goes with.
package struct OptionSpec: Sendable {
    package let name: String
    /// What its value is called in the help; nil for a switch.
    package let value: String?
    /// Nil: goes with every command.
    package let commands: [String]?
    package let summary: String
    /// Whether it may stand more than once.
    var repeats = false
}

/// A command of `fcc`.
package struct CommandSpec: Sendable {
    package let name: String
    package let usage: String
    package let summary: String
    /// How many words it takes.
    package let words: ClosedRange<Int>
    /// How it becomes a request, when it is one and no more.
    var form: RequestForm?
}

/// All that `fcc` understands, in the order of its help.
package enum OptionTable {
    package static let commands: [CommandSpec] =
        own
        + (RequestTable.messages + RequestTable.files + RequestTable.conversations + RequestTable.account).map(\.spec)

    private static let own: [CommandSpec] = [
        .init(
            name: "signup",
            usage: "signup [--name NAME] [--display TEXT] [--phone NUMBER] [--invite CODE] EMAIL",
            summary: "make an account, and sign in",
            words: 1...1
        ),
        .init(
            name: "login",
            usage: "login NAME-OR-EMAIL\n  login --anonymous",
            summary: "sign in and remember it; as a guest without an account",
            words: 0...1
        ),
        .init(name: "logout", usage: "logout", summary: "sign out and forget it", words: 0...0),
        .init(name: "whoami", usage: "whoami", summary: "who is signed in", words: 0...0),
        .init(
            name: "send",
            usage: "send CONV TEXT|-  [--reply ID] [--geo LAT,LON]\n  send CONV --file PATH [--caption TEXT]",
            summary: "send a message; - sends each line of standard input",
            words: 1...2
        ),
        .init(
            name: "tail",
            usage: "tail CONV…|--all  [--since N|--last N]",
            summary: "show messages as they come",
            words: 0...1000
        ),
        .init(
            name: "notify",
            usage: "notify [--all|CONV…] [--mute CONV]… -- COMMAND [ARG…]",
            summary: "run COMMAND for each message of others from now on, with its JSON object on standard input",
            words: 0...1000
        ),
        .init(name: "history", usage: "history CONV [--last N]", summary: "show the newest messages", words: 1...1),
        .init(
            name: "search",
            usage: "search CONV WORD…  [--last N]",
            summary: "show the newest messages that have all the words",
            words: 2...1000
        ),
        .init(name: "convs", usage: "convs", summary: "list my conversations", words: 0...0),
        .init(name: "put", usage: "put PATH", summary: "upload a file; prints its id and address", words: 1...1),
        .init(
            name: "get",
            usage: "get BLOB-OR-URL [-o PATH]",
            summary: "download a file; never overwrites one",
            words: 1...1
        ),
        ItemWords.spec,
        .init(name: "raw", usage: "raw", summary: "type the protocol over TLS; sign in with AUTH", words: 0...0),
    ]

    /// Commands of the design that this version does not have yet.
    package static let laterCommands = [
        "doctor"
    ]

    package static let options: [OptionSpec] = [
        .init(name: "server", value: "HOST:PORT", commands: nil, summary: "default: the profile's, or 127.0.0.1:7700"),
        .init(name: "profile", value: "NAME", commands: nil, summary: "another account (default: default)"),
        .init(name: "fingerprint", value: "FP", commands: nil, summary: "the certificate to accept (SHA-256)"),
        .init(name: "json", value: nil, commands: nil, summary: "one JSON object a line"),
        .init(name: "quiet", value: nil, commands: nil, summary: "no notes, errors only"),
        .init(
            name: "password-file",
            value: "PATH",
            commands: ["signup", "login", "passwd", "email", "link", "unregister"],
            summary: "its first line is the password"
        ),
        .init(
            name: "new-password-file",
            value: "PATH",
            commands: ["passwd", "login"],
            summary: "its first line is the new password (login: after the operator's code)"
        ),
        .init(name: "anonymous", value: nil, commands: ["login"], summary: "as a guest"),
        .init(
            name: "name",
            value: "NAME",
            commands: ["signup", "link"],
            summary: "the handle (default: from the address)"
        ),
        .init(name: "invite", value: "CODE", commands: ["signup"], summary: "where sign-up is by invitation"),
        .init(name: "display", value: "TEXT", commands: ["signup", "profile"], summary: "the name that others see"),
        .init(name: "phone", value: "NUMBER", commands: ["signup", "profile"], summary: "for you alone"),
        .init(name: "bio", value: "TEXT", commands: ["profile"], summary: "a few words about me"),
        .init(name: "avatar", value: "FILE|BLOB", commands: ["profile"], summary: "a picture of me"),
        .init(name: "private", value: nil, commands: ["create"], summary: "for those only who are invited"),
        .init(name: "title", value: "TEXT", commands: ["create"], summary: "what it is about"),
        .init(
            name: "for",
            value: "TIME",
            commands: ["mute"],
            summary: "such as 90s, 10m, 12h or 30d (default: for good)"
        ),
        .init(name: "off", value: nil, commands: ["react"], summary: "take the emoji back"),
        .init(name: "scope", value: "SCOPE", commands: ["token"], summary: "of read, send, manage (default: all)"),
        .init(name: "expires", value: "TIME", commands: ["token"], summary: "such as 12h or 30d (default: never)"),
        .init(name: "reply", value: "ID", commands: ["send"], summary: "answer the message of this number"),
        .init(name: "geo", value: "LAT,LON", commands: ["send"], summary: "send a place"),
        .init(name: "file", value: "PATH", commands: ["send"], summary: "send a file"),
        .init(name: "caption", value: "TEXT", commands: ["send"], summary: "the text that goes with the file"),
        .init(name: "output", value: "PATH", commands: ["get"], summary: "where to; - is standard output (also -o)"),
        .init(name: "all", value: nil, commands: ["tail", "notify"], summary: "all conversations of mine"),
        .init(
            name: "mute",
            value: "CONV",
            commands: ["notify"],
            summary: "nothing of this conversation; may stand more than once",
            repeats: true
        ),
        .init(
            name: "since",
            value: "N",
            commands: ["tail", "items"],
            summary: "from behind message N (with --all: a time), or behind the rev of an item"
        ),
        .init(
            name: "where",
            value: "TEXT",
            commands: ["items"],
            summary: "only items like this: 'price>2 and hot=true'"
        ),
        .init(
            name: "id",
            value: "ID",
            commands: ["items"],
            summary: "what the item is called (default: the server's choice)"
        ),
        .init(
            name: "rev",
            value: "REV",
            commands: ["items"],
            summary: "only while it has this rev; 0: only when there is none"
        ),
        .init(name: "last", value: "N", commands: ["tail", "history", "search"], summary: "the newest N first"),
        .init(
            name: "numbers",
            value: nil,
            commands: ["tail", "history", "search"],
            summary: "lead each message by its number, which edit, delete and react take"
        ),
        .init(name: "help", value: nil, commands: nil, summary: "this text"),
        .init(name: "version", value: nil, commands: nil, summary: "the version"),
    ]

    /// The help text.
    package static var help: String {
        var out = """
            fcc - the FriendlyChat client

            Usage: fcc [OPTION…]             chat on this terminal; /help there tells what to type
                   fcc [OPTION…] COMMAND …

            Commands:

            """
        for command in commands { out += "  \(command.usage)\n      \(command.summary)\n" }
        out += "\nOptions, before or after the command:\n\n"
        for option in options {
            let value = option.value.map { " " + $0 } ?? ""
            let owners = option.commands.map { " (\($0.joined(separator: ", ")))" } ?? ""
            out += "  --\(option.name)\(value)\(owners)\n      \(option.summary)\n"
        }
        return out + """

            COMMAND of notify also has FCC_CONV, FCC_BY, FCC_TEXT, FCC_SEQ and FCC_TS in its environment.
            A password comes from the terminal, from FCC_PASSWORD or from --password-file, never from the command line.
            Server, token and certificate pin live in $XDG_CONFIG_HOME/fcc/ (default ~/.config/fcc/).

            Exit codes: 0 done, 1 the server refused, 2 wrong usage, 3 no connection, 4 certificate refused,
            5 not signed in.

            """
    }
}
