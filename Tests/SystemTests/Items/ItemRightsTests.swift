import ChatTesting
import Testing

/// Who may read, add, change and delete items: one test for each kind of collection, one row for everybody in it.
@Suite("Rights on items")
struct ItemRightsTests {
    /// What became of a request: `OK`, or the code of its refusal.
    private func outcome(_ client: TestClient, _ request: String) throws -> String {
        let reply = try client.request(request)
        return reply.isOK ? "OK" : reply.code ?? "?"
    }

    private func expect(
        _ who: String,
        _ client: TestClient,
        _ collection: String,
        read: String,
        create: String,
        change: String,
        delete: String
    ) throws {
        #expect(try outcome(client, "ITEM \(collection) own") == read, "\(who) reads")
        #expect(try outcome(client, "ITEMS \(collection)") == read, "\(who) lists")
        #expect(try outcome(client, "SUB \(collection)") == read, "\(who) subscribes")
        #expect(try outcome(client, "UNSUB \(collection)") == read, "\(who) unsubscribes")
        #expect(try outcome(client, "PUT-ITEM \(collection) {\"by\":\"\(who)\"}") == create, "\(who) adds")
        #expect(try outcome(client, "PUT-ITEM id=own \(collection) {\"by\":\"\(who)\"}") == change, "\(who) changes")
        #expect(try outcome(client, "DEL-ITEM \(collection) own") == delete, "\(who) deletes")
    }

    @Test(arguments: [1, 2], [true, false])
    func `items of a conversation are its members', and only their owner's to change`(
        loops: Int,
        isPrivate: Bool
    ) throws {
        let cast = try Cast(loops, isPrivate: isPrivate)
        let todo = cast.room + "/todo"
        let own = try cast.another("maker")
        try own.ok("PUT-ITEM id=own \(todo) {\"n\":1}")
        let hidden = isPrivate ? "NOT-FOUND" : "DENIED"
        for (who, client) in [
            ("outsider", cast.outsider), ("ejected", cast.ejected), ("banned", cast.banned), ("guest", cast.guest),
        ] {
            try expect(who, client, todo, read: hidden, create: hidden, change: hidden, delete: hidden)
        }
        try expect("member", cast.member, todo, read: "OK", create: "OK", change: "DENIED", delete: "DENIED")
        try expect("reader", cast.reader, todo, read: "OK", create: "DENIED", change: "DENIED", delete: "DENIED")
        try expect("op", cast.op, todo, read: "OK", create: "OK", change: "DENIED", delete: "OK")
        try own.ok("PUT-ITEM id=own \(todo) {\"n\":2}")
        try expect("owner of the room", cast.owner, todo, read: "OK", create: "OK", change: "DENIED", delete: "OK")
        try own.ok("PUT-ITEM id=own \(todo) {\"n\":3}")
        try cast.op.ok("MUTE \(cast.room) \(own.user)")
        try own.expectRefusal("PUT-ITEM id=own \(todo) {\"n\":4}", "DENIED")
        try expect("muted owner", own, todo, read: "OK", create: "DENIED", change: "DENIED", delete: "OK")
        try cast.op.ok("UNMUTE \(cast.room) \(own.user)")
        try own.ok("PUT-ITEM id=own \(todo) {\"n\":4}")
        try expect("owner", own, todo, read: "OK", create: "OK", change: "OK", delete: "OK")
        try own.ok("PUT-ITEM id=own \(todo) {\"n\":5}")
        try own.ok("LEAVE \(cast.room)")
        try expect("gone owner", own, todo, read: hidden, create: hidden, change: hidden, delete: hidden)
    }

    @Test(arguments: [1, 2])
    func `public items are read and added to by every account, and changed by their owner`(loops: Int) throws {
        let scene = try Scene(loops)
        let (own, other, guest) = (try scene.user("own"), try scene.user("other"), try scene.guest())
        let tea = "items/" + SharedDaemon.name("tea")
        try own.ok("PUT-ITEM id=own \(tea) {\"n\":1}")
        try expect("other", other, tea, read: "OK", create: "OK", change: "DENIED", delete: "DENIED")
        try expect("guest", guest, tea, read: "OK", create: "DENIED", change: "DENIED", delete: "DENIED")
        try expect("owner", own, tea, read: "OK", create: "OK", change: "OK", delete: "OK")
        let client = try scene.daemon.client()
        try expect(
            "nobody",
            client,
            tea,
            read: "NEED-AUTH",
            create: "NEED-AUTH",
            change: "NEED-AUTH",
            delete: "NEED-AUTH"
        )
        let admin = try scene.daemon.operatorClient()
        try expect("operator", admin, tea, read: "DENIED", create: "DENIED", change: "DENIED", delete: "DENIED")
    }

    @Test func `a guest adds where it may write, and to public collections where the setting lets it create`() throws {
        let daemon = try RunningDaemon()
        let (ann, guest) = (try daemon.user("ann"), try daemon.client())
        try guest.ok("AUTH anonymous=yes")
        try ann.ok("CREATE #open")
        try guest.expectRefusal("PUT-ITEM items/tea {}", "DENIED")
        try guest.ok("JOIN #open")
        try guest.ok("PUT-ITEM #open/todo {}")
        try guest.ok("PUT-ITEM #lobby/todo {}")
        try daemon.operatorClient().ok("ADMIN SET auth.anonymous-create on")
        try guest.ok("PUT-ITEM items/tea {}")
    }

    @Test(arguments: [1, 2])
    func `a token of TOKEN reads or changes items as its scope says`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let tea = "items/" + SharedDaemon.name("tea")
        try ann.ok("PUT-ITEM id=own \(tea) {}")
        func bot(_ scope: String) throws -> TestClient {
            let token = try #require(try ann.ok("TOKEN scope=\(scope) bot")["token"])
            let client = try scene.daemon.client()
            try client.ok("AUTH token=\(token)")
            return client
        }
        try expect("reader", try bot("read"), tea, read: "OK", create: "DENIED", change: "DENIED", delete: "DENIED")
        try expect("writer", try bot("send"), tea, read: "DENIED", create: "OK", change: "OK", delete: "OK")
        try ann.ok("PUT-ITEM id=own \(tea) {}")
        let other = try bot("manage")
        try expect("manager", other, tea, read: "DENIED", create: "DENIED", change: "DENIED", delete: "DENIED")
    }
}
