/// The verbs of this version (protocol.md, Verbs).
enum Verb: String, CaseIterable {
    // SEND first: the table is searched from the front.
    case send = "SEND"
    case hello = "HELLO"
    case help = "HELP"
    case ping = "PING"
    case bye = "BYE"
    case limits = "LIMITS"
    case signUp = "SIGNUP"
    case auth = "AUTH"
    case logout = "LOGOUT"
    case whoAmI = "WHOAMI"
    case create = "CREATE"
    case join = "JOIN"
    case leave = "LEAVE"
    case invite = "INVITE"
    case convs = "CONVS"
    case list = "LIST"
    case members = "MEMBERS"
    case reply = "REPLY"
    case history = "HISTORY"
    case search = "SEARCH"
    case sub = "SUB"
    case unsub = "UNSUB"
    case subs = "SUBS"
    case edit = "EDIT"
    case delete = "DELETE"
    case emote = "EMOTE"
    case seen = "SEEN"
    case typing = "TYPING"
    case away = "AWAY"
    case who = "WHO"
    case eject = "EJECT"
    case ban = "BAN"
    case unban = "UNBAN"
    case mute = "MUTE"
    case unmute = "UNMUTE"
    case grant = "GRANT"
    case topic = "TOPIC"
    case drop = "DROP"
    case link = "LINK"
    case passwd = "PASSWD"
    case email = "EMAIL"
    case unregister = "UNREGISTER"
    case sessions = "SESSIONS"
    case token = "TOKEN"
    case tokens = "TOKENS"
    case tokenDel = "TOKEN-DEL"
    case profile = "PROFILE"
    case users = "USERS"
    case block = "BLOCK"
    case unblock = "UNBLOCK"
    case blocks = "BLOCKS"
    case export = "EXPORT"
    case putBlob = "PUT-BLOB"
    case blob = "BLOB"
    case blobs = "BLOBS"
    case delBlob = "DEL-BLOB"
    case putItem = "PUT-ITEM"
    case item = "ITEM"
    case items = "ITEMS"
    case delItem = "DEL-ITEM"

    private static let table: [(word: PackedWord?, verb: Verb)] =
        allCases.map { (PackedWord($0.rawValue), $0) }
        + [
            (PackedWord("REGISTER"), .signUp), (PackedWord("QUIT"), .bye), (PackedWord("REACT"), .emote),
            (PackedWord("READ"), .seen), (PackedWord("KICK"), .eject),
        ]

    /// The verb or alias written in `bytes`, in any case; nil when there is none. Allocates nothing.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let word = PackedWord(bytes, upper: true) else { return nil }
        for entry in Self.table where entry.word == word {
            self = entry.verb
            return
        }
        return nil
    }

    /// The options it takes.
    var options: OptionKeys {
        switch self {
        case .send: Self.sendOptions
        case .reply: Self.replyOptions
        case .hello: OptionKeys(.client, .lang)
        case .signUp: OptionKeys(.name, .display, .phone, .invite)
        case .auth: OptionKeys(.token, .anonymous)
        case .logout, .unsub: OptionKeys(.all)
        case .create: OptionKeys(.isPrivate, .title)
        case .convs, .list, .members, .users, .who, .export, .blobs: OptionKeys(.after, .limit)
        case .link: OptionKeys(.name)
        case .edit, .topic, .eject, .ban: OptionKeys(.text)
        case .emote: OptionKeys(.off)
        case .away: OptionKeys(.off, .text)
        case .mute: OptionKeys(.duration)
        case .grant: OptionKeys(.role)
        case .token: OptionKeys(.scope, .expires)
        case .profile: OptionKeys(.display, .phone, .bio, .avatar)
        case .history: OptionKeys(.before, .after, .around, .limit)
        case .search: OptionKeys(.by, .before, .after, .limit)
        case .sub: OptionKeys(.all, .since, .last)
        case .help, .ping, .bye, .limits, .whoAmI, .join, .leave, .invite, .subs, .passwd, .email, .unregister: []
        case .delete, .seen, .typing, .unban, .unmute, .drop, .sessions, .tokens, .tokenDel: []
        case .block, .unblock, .blocks, .delBlob, .item: []
        case .putBlob: OptionKeys(.size, .type, .name, .conv, .sha256)
        case .blob: OptionKeys(.link, .links)
        case .putItem: OptionKeys(.id, .rev)
        case .items: OptionKeys(.where, .after, .limit)
        case .delItem: OptionKeys(.rev)
        }
    }

    private static let sendOptions = OptionKeys(.nonce, .reply, .blob, .geo, .kind, .text)
    private static let replyOptions = OptionKeys(.nonce, .blob, .geo, .kind, .text)
}
