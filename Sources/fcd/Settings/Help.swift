/// What `fcd --help` and `fcd --version` print.
enum Help {
    /// One line, with its line end.
    static let version = "fcd 1.0\n"

    /// Usage, options, and every setting with what it takes; the lines end with a line end each.
    static var text: String { usage + SettingKey.all.map(entry).joined() + footer }

    private static let usage = """
        fcd, the FriendlyChat daemon

        fcd [serve] [--data DIR] [--config FILE] [--chat HOST:PORT]… [--plain HOST:PORT|none] [--blobs HOST:PORT]
            [--set key=value]…

          --data DIR               where everything is kept (default fcd-data)
          --config FILE            settings in JSON5; etc/fcd.json5 is a sample with every one
          --chat HOST:PORT         chat over TLS (default 127.0.0.1:7700); may be given several times,
                                   also [IPV6]:PORT and unix:/PATH; port 0 takes a free one
          --plain HOST:PORT|none   chat without TLS, loopback only (default 127.0.0.1:7702)
          --blobs HOST:PORT        blobs over HTTPS (default 127.0.0.1:7701)
          --set key=value          one setting; may be given several times
          --help, --version

        Settings (name- has no effect yet; name* is one that a later version changes without a restart). Each can be given
        in the file, by an environment variable (FCD_LIMITS_TEXT=4000 for limits.text) and by --set. Of two values the later
        one counts: default, file, environment, --set, and last --chat, --plain and --blobs. A variable that begins with
        FCD_ and is no setting is an error.


        """

    private static let footer = """

        Exit codes: 0 fine, 1 failure while running, 2 wrong usage or configuration, 3 the data directory is in use,
        4 the data is damaged.

        """

    private static func entry(_ key: SettingKey) -> String {
        let mark = (key.isLive ? "*" : "") + (key.isBuilt ? "" : "-")
        let value = key.defaultText.isEmpty ? "(empty)" : key.defaultText
        return "  \(key.name)\(mark) = \(value)\n        \(key.summary)\n        \(key.kind.allowed)\n"
    }
}
