extension Verb {
    /// What HELP says about it, in one line a person can read: how it is written, then what it does.
    var help: String {
        switch self {
        case .hello: "HELLO [client=NAME] [lang=LANG] - says who calls; never needed"
        case .help: "HELP [VERB] - this list, or one line of it"
        case .ping: "PING [WORD] - answers pong=WORD"
        case .bye: "BYE - ends the connection (also QUIT)"
        case .limits: "LIMITS - every number that can bite you, with its current use"
        case .signUp:
            "SIGNUP [name=HANDLE] [display=\"TEXT\"] [phone=NUMBER] [invite=CODE] EMAIL [PASSWORD] - makes an account and "
                + "signs in; asks for the password when it is left out (also REGISTER)"
        case .auth: "AUTH HANDLE-OR-EMAIL [PASSWORD] | AUTH token=TOKEN | AUTH anonymous=yes - signs in"
        case .logout: "LOGOUT [all=yes] - signs out and ends this token, or all of them"
        case .whoAmI: "WHOAMI - who you are"
        case .create: "CREATE [private=yes] [title=\"TEXT\"] #NAME - makes a conversation, you are its owner"
        case .join: "JOIN #NAME - become a member"
        case .leave: "LEAVE #NAME - be a member no longer"
        case .invite: "INVITE #NAME USER - lets somebody join"
        case .convs: "CONVS [after=CONV] [limit=N] - your conversations, newest activity first"
        case .list: "LIST [after=CONV] [limit=N] [PREFIX] - public conversations"
        case .members: "MEMBERS [after=USER] [limit=N] CONV - who is in it"
        case .send:
            "SEND [nonce=WORD] [reply=SEQ] [blob=BLOB-ID | geo=LAT,LON] [kind=x-WORD] CONV TEXT | SEND text=\"TEXT\" CONV - says something "
                + "in #NAME or to @USER; the same nonce again is the same message"
        case .reply: "REPLY CONV SEQ TEXT - SEND reply=SEQ"
        case .history:
            "HISTORY [before=SEQ | after=SEQ | around=SEQ] [limit=N] CONV - messages, oldest first; a time will do for SEQ"
        case .search:
            "SEARCH [by=USER] [before=SEQ] [after=SEQ] [limit=N] CONV WORDS - messages with all the words, also inside others, "
                + "newest first; case and accents do not count; a time will do for SEQ"
        case .sub:
            "SUB [since=SEQ | last=N] CONV | SUB [since=SEQ] COLL | SUB all=yes [since=TIME] - hear what happens, as EV lines; of "
                + "a collection first all there is"
        case .unsub: "UNSUB CONV | UNSUB COLL | UNSUB all=yes - hear it no longer"
        case .subs: "SUBS - what you hear"
        case .edit: "EDIT CONV SEQ TEXT - another text for a message of yours"
        case .delete: "DELETE CONV SEQ - takes a message away for everybody"
        case .emote: "EMOTE [off=yes] CONV SEQ EMOJI - puts an emoji under a message, or takes it back (also REACT)"
        case .seen: "SEEN CONV SEQ - you have read up to there (also READ)"
        case .typing: "TYPING CONV - tells those who listen that you are about to say something"
        case .away: "AWAY [TEXT] | AWAY off=yes - tells others that you are away, or back"
        case .who: "WHO [after=USER] [limit=N] CONV - who of its members is there"
        case .eject: "EJECT #NAME USER [REASON] - puts a member out (also KICK)"
        case .ban: "BAN #NAME USER [REASON] - puts somebody out for good"
        case .unban: "UNBAN #NAME USER - lets somebody come back"
        case .mute: "MUTE [for=10m] #NAME USER - a member may read, not write"
        case .unmute: "UNMUTE #NAME USER - a member may write again"
        case .grant: "GRANT role=owner|op|member|reader #NAME USER - what a member may do"
        case .topic: "TOPIC #NAME TEXT - another title"
        case .drop: "DROP #NAME - ends a conversation of yours"
        case .link: "LINK [name=HANDLE] EMAIL [PASSWORD] - a guest becomes an account and keeps what it has"
        case .passwd: "PASSWD [OLD [NEW]] - another password; asks for what is left out, and ends your other sessions"
        case .email: "EMAIL ADDRESS [PASSWORD] - another address"
        case .unregister: "UNREGISTER [PASSWORD] - erases your account and all you said"
        case .sessions: "SESSIONS - where you are signed in; TOKEN-DEL ends one"
        case .token: "TOKEN [scope=read,send,manage] [expires=30d] LABEL - a token for a bot, shown once"
        case .tokens: "TOKENS - your tokens"
        case .tokenDel: "TOKEN-DEL ID - ends a token or a session"
        case .profile:
            "PROFILE [USER] | PROFILE [display=\"TEXT\"] [phone=NUMBER] [avatar=BLOB-ID] [bio=\"TEXT\"] - shows a profile, or "
                + "changes yours; an empty text takes a field away"
        case .users: "USERS [after=USER] [limit=N] [PREFIX] - accounts of this server"
        case .block: "BLOCK USER - takes no messages from somebody"
        case .unblock: "UNBLOCK USER - takes them again"
        case .blocks: "BLOCKS - whom you have blocked"
        case .export: "EXPORT [after=NEXT] [limit=N] - everything of yours, page by page"
        case .putBlob:
            "PUT-BLOB size=BYTES type=TYPE [name=NAME] [conv=CONV] [sha256=HEX], a line end, then the file's bytes - "
                + "uploads a file"
        case .blob:
            "BLOB [link=1h | links=no] BLOB-ID - what it is and where to get it; with link= anybody may for so long, and "
                + "links=no ends all such links"
        case .blobs: "BLOBS [after=BLOB-ID] [limit=N] - your files, and what they take of your quota"
        case .delBlob: "DEL-BLOB BLOB-ID - takes a file of yours away for everybody"
        case .putItem:
            "PUT-ITEM [id=ID] [rev=REV] COLL {\"NAME\":VALUE,…} - makes or changes an item of items/NAME or #ROOM/NAME; with "
                + "rev= only when it still has that rev, 0 when there must be none"
        case .item: "ITEM COLL ID - one item"
        case .items:
            "ITEMS [where=\"FIELD=VALUE and …\"] [after=REV] [limit=N] COLL - the items of a collection, the longest unchanged "
                + "first; = != < <= > >="
        case .delItem: "DEL-ITEM [rev=REV] COLL ID - takes an item away"
        }
    }
}
