import ChatTesting
import Testing

@Suite("LINK")
struct LinkTests {
    /// Makes the guest an account with a name of its own; the name.
    @discardableResult
    private func link(_ guest: TestClient, _ stem: String = "gina") throws -> String {
        let name = SharedDaemon.name(stem)
        let reply = try guest.ok("LINK name=\(name) \(name)@example.test Secret123")
        #expect(reply["user"] == name)
        return name
    }

    @Test(arguments: [1, 2])
    func `a guest becomes an account, on this connection, by its token and with its password`(loops: Int) throws {
        let scene = try Scene(loops)
        let guest = try scene.guest()
        try guest.ok("SEND #lobby hi")
        let other = try scene.daemon.another(of: guest)
        let name = try link(guest)
        for client in [guest, other] { #expect(try client.ok("WHOAMI").final.has(["user": name, "guest": "no"])) }
        #expect(try scene.daemon.client().ok("AUTH token=\(guest.token)")["user"] == name)
        #expect(try scene.daemon.client().ok("AUTH \(name.uppercased()) Secret123")["user"] == name)
        #expect(try scene.daemon.client().ok("AUTH \(name)@example.test Secret123")["user"] == name)
    }

    @Test(arguments: [1, 2])
    func `conversations it is in get a rename event, and old lines keep the old handle`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, guest) = (try scene.user(), try scene.guest())
        let room = try scene.room(of: ann, guest)
        let seq = try guest.ok("SEND \(room) as a guest").seq
        try ann.ok("SUB \(room)")
        let name = try link(guest)
        let event = try #require(try ann.event("rename", ["conv": room]))
        #expect(event.has(["user": guest.user, "to": name]) && event.seq == seq + 1 && isTime(event["ts"]), "\(event)")
        #expect(try ann.message(seq, in: room)["by"] == guest.user)
        let after = try guest.ok("SEND \(room) as myself").seq
        #expect(try ann.message(after, in: room)["by"] == name)
        #expect(try ann.roles(in: room) == ["\(ann.user) owner", "\(name) member"])
    }

    @Test(arguments: [1, 2])
    func `its messages are its own`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, guest) = (try scene.user(), try scene.guest())
        let room = try scene.room(of: ann, guest)
        let seqs = try ["one", "two"].map { try guest.ok("SEND \(room) \($0)").seq }
        try link(guest)
        try guest.ok("EDIT \(room) \(seqs[0]) edited")
        try guest.ok("DELETE \(room) \(seqs[1])")
        try guest.ok("EMOTE \(room) \(seqs[0]) 👍")
        #expect(try guest.row(of: room)?["unread"] == "0")
    }

    @Test(arguments: [1, 2])
    func `the old handle stays an alias, and nobody else gets it`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, guest) = (try scene.user(), try scene.guest())
        try ann.ok("SEND @\(guest.user) hello guest")
        let name = try link(guest)
        #expect(try ann.ok("PROFILE \(guest.user)")["user"] == name)
        let conversation = oneToOne(ann, guest)
        for way in ["@\(guest.user)", "@\(name)", conversation] {
            #expect(try ann.ok("SEND \(way) again")["conv"] == conversation)
        }
        #expect(try guest.ok("SEND @\(ann.user) answer")["conv"] == conversation)
        let room = try scene.room(of: ann)
        try ann.ok("INVITE \(room) \(guest.user)")
        try guest.ok("JOIN \(room)")
        #expect(try ann.roles(in: room).contains("\(name) member"))
    }

    @Test(arguments: [1, 2])
    func `without name= the name is made of the address, and a password left out is asked`(loops: Int) throws {
        let scene = try Scene(loops)
        let guest = try scene.guest()
        let stem = SharedDaemon.name("local")
        let asked = try guest.request("LINK \(stem)@example.test")
        #expect(asked.final.word == "ASK" && asked.final.kind == "password")
        try guest.send("with blanks in it\n")
        #expect(try guest.reply(to: asked.final.tag)["user"]?.hasPrefix(stem) == true)
        try scene.daemon.client().ok("AUTH \(stem)@example.test with blanks in it")
    }

    @Test(arguments: [1, 2])
    func `what is taken is EXISTS, what is wrong BAD-ARG, and the guest stays a guest`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, guest) = (try scene.user(), try scene.guest())
        let name = SharedDaemon.name("gina")
        for (request, code, field) in [
            ("LINK name=\(name) \(ann.user.uppercased())@example.test Secret123", "EXISTS", "email"),
            ("LINK name=\(ann.user.uppercased()) \(name)@example.test Secret123", "EXISTS", "name"),
            ("LINK name=admin \(name)@example.test Secret123", "EXISTS", "name"),
            ("LINK name=ab \(name)@example.test Secret123", "BAD-ARG", "name"),
            ("LINK name=\(name) nomail Secret123", "BAD-ARG", "email"),
            ("LINK name=\(name) \(name)@example.test short", "BAD-ARG", "password"),
            ("LINK frob=1 \(name)@example.test Secret123", "BAD-ARG", "frob"), ("LINK", "BAD-ARG", "email"),
        ] {
            try guest.expectRefusal(request, code, field: field)
        }
        #expect(try guest.ok("WHOAMI").final.has(["user": guest.user, "guest": "yes"]))
        try scene.daemon.client().ok("SIGNUP name=\(name) \(name)@example.test Secret123")
    }

    @Test(arguments: [1, 2])
    func `one who has an account already is refused with CONFLICT`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, guest) = (try scene.user(), try scene.guest())
        let name = SharedDaemon.name("more")
        try ann.expectRefusal("LINK name=\(name) \(name)@example.test Secret123", "CONFLICT")
        try link(guest)
        try guest.expectRefusal("LINK name=\(name) \(name)@example.test Secret123", "CONFLICT")
        try scene.daemon.client().expectRefusal("LINK \(name)@example.test Secret123", "NEED-AUTH")
    }

    @Test(arguments: [1, 2])
    func `an account of a guest's may create, and is in the directory`(loops: Int) throws {
        let scene = try Scene(loops)
        let guest = try scene.guest()
        try guest.expectRefusal("CREATE \(scene.roomName())", "DENIED")
        let name = try link(guest)
        try guest.ok("CREATE \(scene.roomName())")
        #expect(try guest.rows("USERS \(name)").map { $0["user"] } == [name])
    }

    @Test func `account, alias, token and messages are there after kill -9 and after a snapshot`() throws {
        let daemon = try RunningDaemon()
        let (ann, guest) = (try daemon.user("ann"), try daemon.client())
        let first = try guest.ok("AUTH anonymous=yes")
        let (handle, token) = (first["user"] ?? "", first["token"] ?? "")
        let seq = try guest.ok("SEND #lobby mine").seq
        try guest.ok("LINK name=gina gina@example.test Secret123")
        for isSnapshot in [false, true] {
            if isSnapshot { try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30) }
            try daemon.restart()
            let gina = try daemon.client()
            #expect(try gina.ok("AUTH token=\(token)")["user"] == "gina")
            try gina.ok("EDIT #lobby \(seq) edited \(isSnapshot)")
            try daemon.client().ok("AUTH gina Secret123")
            #expect(try daemon.another(of: ann).ok("PROFILE \(handle)")["user"] == "gina")
        }
    }
}
