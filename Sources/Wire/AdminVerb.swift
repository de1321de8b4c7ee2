import ChatModel

/// The verbs under `ADMIN` of this version (protocol.md, The operator).
enum AdminVerb: String, CaseIterable {
    case status = "STATUS"
    case get = "GET"
    case set = "SET"
    case unset = "UNSET"
    case users = "USERS"
    case user = "USER"
    case convs = "CONVS"
    case retain = "RETAIN"
    case snapshot = "SNAPSHOT"
    case resume = "RESUME"
    case backup = "BACKUP"
    case clients = "CLIENTS"
    case end = "END"
    case notice = "NOTICE"
    case invite = "INVITE"
    case token = "TOKEN"
    case addUser = "ADD-USER"
    case delete = "DELETE"
    case drop = "DROP"
    case delBlob = "DEL-BLOB"
    case banAddr = "BAN-ADDR"
    case bans = "BANS"
    case schema = "SCHEMA"
    case export = "EXPORT"
    case `import` = "IMPORT"

    /// Written in any case.
    init?(_ bytes: UnsafeRawBufferPointer) {
        self.init(rawValue: String(decoding: bytes.prefix(32), as: UTF8.self).uppercased())
    }

    /// The options it takes.
    var options: OptionKeys {
        switch self {
        case .users, .convs, .clients, .bans: OptionKeys(.after, .limit)
        case .notice: OptionKeys(.text)
        case .invite: OptionKeys(.uses, .expires)
        case .banAddr: OptionKeys(.off)
        case .retain: OptionKeys(.max, .age)
        case .export: OptionKeys(.after)
        case .import: OptionKeys(.nonce)
        case .status, .get, .set, .unset, .user, .snapshot, .backup, .resume, .end, .token, .addUser, .delete,
            .drop, .delBlob, .schema:
            []
        }
    }

    /// What HELP on the control socket says: each verb, then how it is written and what it does.
    static let help: [(verb: String, text: String)] =
        [(verb: Verb.help.rawValue, text: Verb.help.help)] + allCases.map { (verb: "ADMIN", text: $0.help) }
        + [Verb.ping, .hello, .bye].map { (verb: $0.rawValue, text: $0.help) }

    private var help: String {
        switch self {
        case .status: "ADMIN STATUS - how the server is"
        case .get: "ADMIN GET [KEY] - settings with their values, and where each comes from"
        case .set:
            "ADMIN SET KEY VALUE - changes a setting that can be changed while the server runs; kept over restarts"
        case .unset: "ADMIN UNSET KEY - takes a SET back: what file, environment and command line say counts again"
        case .users: "ADMIN USERS [after=USER] [limit=N] [PREFIX] - accounts"
        case .user:
            "ADMIN USER disable|enable|end-sessions|reset|promote|verify|delete USER - reset ends the sessions and the "
                + "password, and gives a code that signs in once, to set a new one; promote makes an op of #lobby; verify "
                + "says that the address is his; delete erases the account and all it said"
        case .convs: "ADMIN CONVS [after=CONV] [limit=N] - all conversations"
        case .retain:
            "ADMIN RETAIN [max=N|all] [age=30d|all] CONV - what is kept: the newest N messages, what is not older; left out: "
                + "as the settings say"
        case .snapshot: "ADMIN SNAPSHOT - writes one now"
        case .resume: "ADMIN RESUME - writes again after a failed disk, once it has room or is sound"
        case .backup:
            "ADMIN BACKUP - for fcd backup: until this connection ends nothing is removed that a copy of the data needs"
        case .clients: "ADMIN CLIENTS [after=ID] [limit=N] - connections: who, from where, what waits for them"
        case .end: "ADMIN END ID - ends a connection"
        case .notice: "ADMIN NOTICE TEXT | ADMIN NOTICE text=\"TEXT\" - tells everybody who is connected"
        case .invite: "ADMIN INVITE [uses=N] [expires=7d] - a code for SIGNUP invite=CODE, for one account or N"
        case .token: "ADMIN TOKEN metrics - a new token for GET /metrics on the blob port; the one before ends"
        case .addUser: "ADMIN ADD-USER NAME EMAIL - an account, and a code that signs in once, to set a password"
        case .delete: "ADMIN DELETE CONV SEQ - takes a message away for everybody; a 1:1 is @USER,USER"
        case .drop: "ADMIN DROP #NAME - ends a conversation"
        case .delBlob: "ADMIN DEL-BLOB BLOB-ID - takes a file away for everybody"
        case .banAddr: "ADMIN BAN-ADDR [off=yes] ADDRESS[/BITS] - refuses connections from there, or takes that back"
        case .export: "ADMIN EXPORT [after=NEXT] - everything as lines of JSON, for fcd export"
        case .import: "ADMIN IMPORT [nonce=WORD] {…} - a line of an export, or {\"text\":…,\"name\":…}, for fcd import"
        case .schema:
            "ADMIN SCHEMA COLL {\"FIELD\":\"string|int|double|bool|date[!]\",…} - what its items must be like from now on; ! is needed, "
                + "{} is no schema"
        case .bans: "ADMIN BANS [after=PREFIX] [limit=N] - addresses that may not connect"
        }
    }
}
