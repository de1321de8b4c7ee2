import ChatTesting
import Foundation
import Testing

@Suite("UNREGISTER")
struct UnregisterTests {
    private func erase(_ user: TestClient) throws {
        user.patience = 30
        try user.ok("UNREGISTER Secret123")
    }

    @Test(arguments: [1, 2])
    func `its messages keep their place with by=deleted and no text, for every reader and in catch-up`(
        loops: Int
    ) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let seqs = try ["oblivion-one", "oblivion-two"].map { try ben.ok("SEND \(room) \($0)").seq }
        try ben.ok("EDIT \(room) \(seqs[0]) oblivion-three")
        let place = try ben.ok("SEND geo=52.52,13.405 \(room)").seq
        let kept = try ann.ok("SEND \(room) kept").seq
        try erase(ben)
        let rows = try ann.rows("HISTORY \(room)")
        #expect(rows.map(\.seq) == seqs + [place, kept])
        for row in rows.dropLast() {
            #expect(row["by"] == "deleted" && row.text == nil && row["geo"] == nil, "\(row)")
        }
        #expect(rows.last?.text == "kept" && rows.last?["by"] == ann.user)
        try ann.ok("SUB since=0 \(room)")
        let heard = try ann.logEvents(of: room, count: kept)
        #expect(heard.map(\.seq) == Array(1...kept))
        #expect(!heard.contains { $0.raw.contains("oblivion") || $0["geo"] != nil })
        #expect(heard.filter { $0.kind == "msg" && $0.seq < kept }.allSatisfy { $0["by"] == "deleted" })
    }

    @Test(arguments: [1, 2])
    func `each conversation it spoke in gets an erase event`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let (spoken, silent) = (try scene.room(of: ann, ben), try scene.room(of: ann, ben))
        try ben.ok("SEND \(spoken) words")
        try ben.ok("SEND @\(ann.user) words")
        for name in [spoken, silent, "@\(ben.user)"] { try ann.ok("SUB \(name)") }
        try erase(ben)
        var erased: Set<String> = []
        while erased.count < 2, let event = try ann.event("erase") {
            #expect(event["user"] == ben.user && event.seq > 0 && isTime(event["ts"]), "\(event)")
            erased.insert(event["conv"] ?? "")
        }
        #expect(erased == [spoken, oneToOne(ann, ben)])
        #expect(try ann.event("erase", within: 0.3) == nil)
    }

    @Test(arguments: [1, 2])
    func `it signs in no more, its sessions and tokens end, and nobody finds it`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let token = try #require(try ben.ok("TOKEN bot")["token"])
        let other = try scene.daemon.another(of: ben)
        try erase(ben)
        #expect(other.isEnded(within: 5))
        for request in ["AUTH \(ben.user) Secret123", "AUTH token=\(ben.token)", "AUTH token=\(token)"] {
            try scene.daemon.client().expectRefusal(request, "BAD-AUTH")
        }
        #expect(try ann.rows("USERS \(ben.user)").isEmpty)
        #expect(try ann.roles(in: room) == ["\(ann.user) owner"])
        for request in ["PROFILE \(ben.user)", "INVITE \(room) \(ben.user)", "BLOCK \(ben.user)"] {
            try ann.expectRefusal(request, "NOT-FOUND", field: "user")
        }
    }

    @Test(arguments: [1, 2])
    func `its name is never used again, its address is free`(loops: Int) throws {
        let scene = try Scene(loops)
        let ben = try scene.user("ben")
        try erase(ben)
        let client = try scene.daemon.client()
        for name in [ben.user, ben.user.uppercased()] {
            let mail = SharedDaemon.name("mail") + "@example.test"
            try client.expectRefusal("SIGNUP name=\(name) \(mail) Secret123", "EXISTS", field: "name")
        }
        try client.ok("SIGNUP name=\(SharedDaemon.name("heir")) \(ben.user)@example.test Secret123")
    }

    @Test(arguments: [1, 2])
    func `it wants the password, and asks for it when it is left out`(loops: Int) throws {
        let scene = try Scene(loops)
        let ben = try scene.user("ben")
        try ben.expectRefusal("UNREGISTER Wrong1234", "BAD-AUTH")
        let asked = try ben.request("UNREGISTER")
        #expect(asked.final.word == "ASK" && asked.final.kind == "password")
        try ben.send("Wrong1234\n")
        #expect(try ben.reply(to: asked.final.tag).code == "BAD-AUTH")
        try ben.ok("WHOAMI")
        let again = try ben.request("UNREGISTER")
        try ben.send("Secret123\n")
        #expect(try ben.reply(to: again.final.tag, within: 30).isOK)
        try scene.daemon.client().expectRefusal("AUTH \(ben.user) Secret123", "BAD-AUTH")
    }

    @Test(arguments: [1, 2])
    func `the other of a 1:1 keeps what he wrote, and sends there no more`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        try ben.ok("SEND @\(ann.user) theirs")
        try ann.ok("SEND @\(ben.user) mine")
        try erase(ben)
        let rows = try ann.rows("HISTORY \(oneToOne(ann, ben))")
        #expect(rows.map(\.text) == [nil, "mine"] && rows.map { $0["by"] } == ["deleted", ann.user])
        #expect(try ann.request("SEND \(oneToOne(ann, ben)) hello?").final.isRefusal)
    }

    @Test(arguments: [1, 2])
    func `a conversation it owned goes to the next, one it had for itself is dropped`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let shared = try scene.room(of: ben, ann)
        let alone = try scene.room(of: ben, isPrivate: true)
        try ann.ok("SUB \(shared)")
        try erase(ben)
        let grant = try #require(try ann.event("grant", ["conv": shared]))
        #expect(grant.has(["by": "server", "user": ann.user, "role": "owner"]), "\(grant)")
        #expect(try ann.roles(in: shared) == ["\(ann.user) owner"])
        try ann.expectRefusal("CREATE \(alone)", "EXISTS")
    }

    @Test(arguments: [1, 2])
    func `its files are gone for everybody`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let room = try scene.room(of: ann, ben)
        let put = try ben.upload(tinyPicture, type: "image/png", "name=cat.png")
        let place = path(of: put["url"])
        let seq = try ben.ok("SEND blob=\(put["blob"] ?? "") \(room)").seq
        try ben.ok("PROFILE avatar=\(put["blob"] ?? "")")
        #expect(try scene.daemon.fetch(place, token: ann.token).status == 200)
        try erase(ben)
        #expect(try scene.daemon.fetch(place, token: ann.token).status == 404)
        #expect(try ann.message(seq, in: room)["blob"] == nil)
    }

    @Test func `after kill -9 nothing is back, and after a snapshot no file holds its words, address or phone`() throws
    {
        let daemon = try RunningDaemon()
        let (ann, ben) = (try daemon.user("ann"), try daemon.client())
        try ben.ok("SIGNUP name=ben phone=5551234567 benjamin@oblivion.test Secret123")
        let seq = try ben.ok("SEND #lobby oblivion-words").seq
        try ben.ok("PROFILE bio=oblivion-life")
        try erase(ben)
        for isSnapshot in [false, true] {
            if isSnapshot { try daemon.operatorClient().ok("ADMIN SNAPSHOT", within: 30) }
            try daemon.restart()
            let row = try daemon.another(of: ann).message(seq, in: "#lobby")
            #expect(row["by"] == "deleted" && row.text == nil, "\(row)")
            try daemon.client().expectRefusal("AUTH ben Secret123", "BAD-AUTH")
            try daemon.client().expectRefusal("SIGNUP name=ben x@example.test Secret123", "EXISTS", field: "name")
        }
        for text in ["oblivion", "5551234567"] {
            #expect(try DirectoryContents(daemon.data).names(holding: text).isEmpty, "\(text)")
        }
    }

    @Test(arguments: [1, 2])
    func `those who heard that it is there hear that it is not any more`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        _ = try scene.room(of: ann, ben)
        let again = try scene.daemon.another(of: ben)
        try ben.ok("AWAY")
        #expect(try ann.event("presence", ["user": ben.user, "state": "away"]) != nil)
        try again.ok("UNREGISTER Secret123")
        #expect(try ann.event("presence", ["user": ben.user, "state": "offline"]) != nil)
    }
}
