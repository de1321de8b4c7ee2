/// The commands of `fcc` that are one request each (protocol.md, Accounts, Conversations and Messages).
enum RequestTable {
    /// People, conversations and who may do what in them.
    static let conversations: [RequestForm] = [
        .init(
            name: "users",
            usage: "users [PREFIX]",
            summary: "list the accounts of this server",
            verb: "USERS",
            parts: [.word],
            optionalCount: 1,
            pages: .row("user"),
            outcome: .rows
        ),
        .init(
            name: "list",
            usage: "list [PREFIX]",
            summary: "list the public conversations",
            verb: "LIST",
            parts: [.word],
            optionalCount: 1,
            pages: .row("conv"),
            outcome: .rows
        ),
        .init(
            name: "create",
            usage: "create [--private] [--title TEXT] #NAME",
            summary: "make a conversation",
            verb: "CREATE",
            parts: [.conversation],
            options: ["private", "title"]
        ),
        .init(name: "join", usage: "join #NAME", summary: "become a member", verb: "JOIN", parts: [.conversation]),
        .init(name: "leave", usage: "leave #NAME", summary: "be none any more", verb: "LEAVE", parts: [.conversation]),
        .init(
            name: "invite",
            usage: "invite #NAME USER",
            summary: "let somebody join",
            verb: "INVITE",
            parts: [.conversation, .user]
        ),
        .init(
            name: "members",
            usage: "members CONV",
            summary: "list who is in it",
            verb: "MEMBERS",
            parts: [.conversation],
            pages: .row("user"),
            outcome: .rows
        ),
        .init(
            name: "who",
            usage: "who CONV",
            summary: "list who of its members is there now",
            verb: "WHO",
            parts: [.conversation],
            pages: .row("user"),
            outcome: .rows
        ),
        .init(
            name: "topic",
            usage: "topic #NAME TEXT",
            summary: "give it another title",
            verb: "TOPIC",
            parts: [.conversation, .text]
        ),
        .init(
            name: "grant",
            usage: "grant owner|op|member|reader #NAME USER",
            summary: "give a member a role",
            verb: "GRANT",
            parts: [.option("role"), .conversation, .user]
        ),
        .init(
            name: "eject",
            usage: "eject #NAME USER [REASON]",
            summary: "put a member out",
            verb: "EJECT",
            parts: [.conversation, .user, .text],
            optionalCount: 1
        ),
        .init(
            name: "ban",
            usage: "ban #NAME USER [REASON]",
            summary: "put somebody out for good",
            verb: "BAN",
            parts: [.conversation, .user, .text],
            optionalCount: 1
        ),
        .init(
            name: "unban",
            usage: "unban #NAME USER",
            summary: "let somebody come back",
            verb: "UNBAN",
            parts: [.conversation, .user]
        ),
        .init(
            name: "mute",
            usage: "mute [--for 10m] #NAME USER",
            summary: "let a member read, not write",
            verb: "MUTE",
            parts: [.conversation, .user],
            options: ["for"]
        ),
        .init(
            name: "unmute",
            usage: "unmute #NAME USER",
            summary: "let a member write again",
            verb: "UNMUTE",
            parts: [.conversation, .user]
        ),
        .init(name: "drop", usage: "drop #NAME", summary: "end a conversation", verb: "DROP", parts: [.conversation]),
    ]

    /// What becomes of messages.
    static let messages: [RequestForm] = [
        .init(
            name: "edit",
            usage: "edit CONV ID TEXT",
            summary: "give a message of mine another text",
            verb: "EDIT",
            parts: [.conversation, .number, .text]
        ),
        .init(
            name: "delete",
            usage: "delete CONV ID",
            summary: "take a message away for everybody",
            verb: "DELETE",
            parts: [.conversation, .number]
        ),
        .init(
            name: "react",
            usage: "react [--off] CONV ID EMOJI",
            summary: "put an emoji under a message",
            verb: "EMOTE",
            parts: [.conversation, .number, .word],
            options: ["off"]
        ),
        .init(
            name: "seen",
            usage: "seen CONV ID",
            summary: "mark all up to this message as read",
            verb: "SEEN",
            parts: [.conversation, .number]
        ),
    ]

    /// Files that were uploaded.
    static let files: [RequestForm] = [
        .init(
            name: "blobs",
            usage: "blobs",
            summary: "list the files I have uploaded",
            verb: "BLOBS",
            pages: .row("blob"),
            outcome: .rows
        ),
        .init(
            name: "del-blob",
            usage: "del-blob BLOB",
            summary: "take a file of mine away for everybody",
            verb: "DEL-BLOB",
            parts: [.word]
        ),
        .init(
            name: "share",
            usage: "share TIME BLOB",
            summary: "print a link by which anybody may get a file for so long, such as 1h; at most 30d",
            verb: "BLOB",
            parts: [.option("link"), .word],
            outcome: .value("url")
        ),
        .init(
            name: "unshare",
            usage: "unshare BLOB",
            summary: "end all links to a file of mine",
            verb: "BLOB",
            parts: [.word],
            constants: [.init("links", "no")]
        ),
    ]

    /// What belongs to an account.
    static let account: [RequestForm] = [
        .init(
            name: "profile",
            usage: "profile [USER]\n  profile [--display TEXT] [--phone NUMBER] [--bio TEXT] [--avatar FILE|BLOB]",
            summary: "show a profile, or change mine; \"\" takes a field away",
            verb: "PROFILE",
            parts: [.user],
            optionalCount: 1,
            options: ["display", "phone", "bio"],
            outcome: .fields
        ),
        .init(
            name: "passwd",
            usage: "passwd",
            summary: "change my password; ends my other sessions",
            verb: "PASSWD",
            secret: .change,
            outcome: .said("the password is changed; your other sessions have ended")
        ),
        .init(
            name: "email",
            usage: "email ADDRESS",
            summary: "change my address",
            verb: "EMAIL",
            parts: [.word],
            secret: .present,
            outcome: .said("the address is changed")
        ),
        .init(
            name: "link",
            usage: "link [--name NAME] EMAIL",
            summary: "make an account of the guest I am",
            verb: "LINK",
            parts: [.word],
            options: ["name"],
            secret: .first,
            outcome: .said("you have an account now"),
            memory: .identity
        ),
        .init(
            name: "unregister",
            usage: "unregister",
            summary: "erase my account and all I said",
            verb: "UNREGISTER",
            secret: .present,
            outcome: .said("the account is erased"),
            memory: .signedOut
        ),
        .init(
            name: "sessions",
            usage: "sessions",
            summary: "list where I am signed in; token-del ends one",
            verb: "SESSIONS",
            outcome: .rows
        ),
        .init(
            name: "token",
            usage: "token [--scope read,send,manage] [--expires 30d] LABEL",
            summary: "make a token for a bot; prints it, once",
            verb: "TOKEN",
            parts: [.word],
            options: ["scope", "expires"],
            outcome: .value("token")
        ),
        .init(name: "tokens", usage: "tokens", summary: "list my tokens", verb: "TOKENS", outcome: .rows),
        .init(
            name: "token-del",
            usage: "token-del ID",
            summary: "end a token or a session",
            verb: "TOKEN-DEL",
            parts: [.word]
        ),
        .init(
            name: "block",
            usage: "block USER",
            summary: "take no messages from somebody",
            verb: "BLOCK",
            parts: [.user]
        ),
        .init(name: "unblock", usage: "unblock USER", summary: "take them again", verb: "UNBLOCK", parts: [.user]),
        .init(name: "blocks", usage: "blocks", summary: "list whom I have blocked", verb: "BLOCKS", outcome: .rows),
        .init(
            name: "export",
            usage: "export",
            summary: "everything of mine, to keep",
            verb: "EXPORT",
            pages: .next,
            outcome: .rows
        ),
    ]
}
