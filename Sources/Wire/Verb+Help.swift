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
        case .sub: "SUB [since=SEQ | last=N] CONV | SUB all=yes [since=TIME] - hear what happens, as EV lines"
        case .unsub: "UNSUB CONV | UNSUB all=yes - hear it no longer"
        case .subs: "SUBS - what you hear"
        case .putBlob:
            "PUT-BLOB size=BYTES type=TYPE [name=NAME] [conv=CONV] [sha256=HEX], a line end, then the file's bytes - "
                + "uploads a file"
        case .blob: "BLOB BLOB-ID - what it is and where to get it"
        }
    }
}
