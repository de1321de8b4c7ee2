/// What `fcd --help` and `fcd --version` print.
enum Help {
    /// One line, with its line end.
    static let version = "fcd \(number)\n"
    static let number = "1.0"

    /// Usage, options, and every setting with what it takes; the lines end with a line end each.
    static var text: String { usage + SettingKey.all.map(entry).joined() + footer }

    private static let usage = """
        fcd, the FriendlyChat daemon

        fcd [serve] [--data DIR] [--config FILE] [--chat HOST:PORT]… [--plain HOST:PORT|none] [--blobs HOST:PORT]
            [--set key=value]…
        fcd check                          reads configuration, certificate and data, changes nothing, and says what is
                                           wrong; give it the options of serve
        fcd repair [--yes]                 says what is left of damaged data and what is lost; with --yes puts what is left in
                                           its place and keeps the rest in repair-N; while no daemon runs
        fcd status                         how the running daemon is
        fcd set KEY VALUE                  changes a setting marked * while the daemon runs; kept over restarts
        fcd snapshot                       has the running daemon write a snapshot
        fcd resume                         has the running daemon write again after its disk was full or failed
        fcd backup FILE                    copies data, certificate and audit into FILE, whether the daemon runs or not;
                                           never in place of another file
        fcd restore FILE                   makes the data directory, which must be missing or empty, from a backup
        fcd export                         everything but secrets as lines of JSON, whether the daemon runs or not
        fcd import FILE                    brings in such lines, or messages [{"text":…,"name":…},…] into #lobby; the same
                                           command again goes on where it was interrupted
        fcd user list [PREFIX]             accounts
        fcd user add NAME EMAIL            an account, also where nobody can sign up; prints a code that signs in once, to set
                                           a password
        fcd user disable|enable|end-sessions|reset|promote|verify|delete USER
                                           reset prints a code that signs in once, to set a new password; promote makes an
                                           op of #lobby; verify says that the address is the user's own; delete erases the
                                           account and all it said
        fcd token metrics                  prints a new token for GET /metrics on the blob port; the one before ends
        fcd invite [--uses N] [--expires 7d]
                                           prints a code for SIGNUP invite=CODE (auth.signup = invite), for one account or N

          --data DIR               where everything is kept (default fcd-data)
          --config FILE            settings in JSON5; etc/fcd.json5 is a sample with every one
          --chat HOST:PORT         chat over TLS (default 127.0.0.1:7700); may be given several times,
                                   also [IPV6]:PORT and unix:/PATH; port 0 takes a free one
          --plain HOST:PORT|none   chat without TLS, loopback only (default 127.0.0.1:7702)
          --blobs HOST:PORT        blobs over HTTPS (default 127.0.0.1:7701)
          --set key=value          one setting; may be given several times
          --json                   rows as JSON, one object a line (status, check, repair, set, user, …)
          --yes                    repair: do it
          --uses N, --expires 7d   invite: for how many accounts, and how long; 1 and 7d when they are left out
          --help, --version

        Settings (name- has no effect yet; name* is one that fcd set and a SIGHUP change without a restart; of the others
        a SIGHUP takes tls.certificate, tls.key and tls.min). Each can be given in the file, by an environment variable
        (FCD_LIMITS_TEXT=4000 for limits.text) and by --set. Of two values the later one counts: default, file,
        environment, --set, then --chat, --plain and --blobs, and last what fcd set said. A variable that begins with FCD_
        and is no setting is an error.


        """

    private static let footer = """

        SIGHUP reads file and certificate again, all of it or nothing. SIGTERM and SIGINT stop it.

        Exit codes: 0 fine, 1 failure while running, refused by the daemon, or (repair) damage that was left as it is, 2 wrong
        usage or configuration, 3 the data directory is in use, 4 the data is damaged.

        """

    private static func entry(_ key: SettingKey) -> String {
        let mark = (key.isLive ? "*" : "") + (key.isBuilt ? "" : "-")
        let value = key.defaultText.isEmpty ? "(empty)" : key.defaultText
        return "  \(key.name)\(mark) = \(value)\n        \(key.summary)\n        \(key.kind.allowed)\n"
    }
}
