import ChatTesting
import Testing

@Suite("PUT-ITEM, ITEM, ITEMS and DEL-ITEM")
struct PutItemTests {
    private func collection(_ scene: Scene) -> String { "items/" + SharedDaemon.name("tea") }

    @Test(arguments: [1, 2])
    func `an item goes in, is read back as it was written, listed, and goes`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let tea = collection(scene)
        let made = try ann.ok(#"PUT-ITEM \#(tea) {"name": "Tea \u0041", "price":2.50,"hot":true}"#)
        let id = try #require(made["id"])
        #expect(made["rev"] == "1" && made["coll"] == tea && isTime(made["ts"]))
        let read = try ben.ok("ITEM \(tea) \(id)")
        #expect(read["json"] == #"{"name":"Tea A","price":2.50,"hot":true}"#)
        #expect(read["by"] == ann.user && read["rev"] == "1" && read["id"] == id)
        try ann.ok("PUT-ITEM id=mate \(tea) {\"name\":\"متة\"}")
        let rows = try ben.ok("ITEMS \(tea)")
        #expect(rows.rows.map { $0["id"] } == [id, "mate"] && rows["n"] == "2" && rows["more"] == "no")
        #expect(rows.rows[1].pairs.map(\.key) == ["coll", "id", "rev", "by", "ts", "json"])
        let gone = try ann.ok("DEL-ITEM \(tea) mate")
        #expect(gone["rev"] == "3")
        try ann.expectRefusal("ITEM \(tea) mate", "NOT-FOUND", field: "id")
        try ann.expectRefusal("DEL-ITEM \(tea) mate", "NOT-FOUND", field: "id")
        #expect(try ben.rows("ITEMS \(tea)").count == 1)
    }

    @Test(arguments: [1, 2])
    func `rev is compare-and-set, and 0 is for what is not there`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let tea = collection(scene)
        #expect(try ann.expectRefusal("PUT-ITEM id=a rev=1 \(tea) {}", "CONFLICT", field: "rev")["rev"] == "0")
        #expect(try ann.ok("PUT-ITEM id=a rev=0 \(tea) {\"n\":1}")["rev"] == "1")
        #expect(try ann.expectRefusal("PUT-ITEM id=a rev=0 \(tea) {}", "CONFLICT", field: "rev")["rev"] == "1")
        #expect(try ann.ok("PUT-ITEM id=a rev=1 \(tea) {\"n\":2}")["rev"] == "2")
        #expect(try ann.expectRefusal("DEL-ITEM rev=1 \(tea) a", "CONFLICT", field: "rev")["rev"] == "2")
        #expect(try ann.ok("DEL-ITEM rev=2 \(tea) a")["rev"] == "3")
        #expect(try ann.ok("PUT-ITEM id=a rev=0 \(tea) {}")["rev"] == "4")
    }

    @Test(arguments: [1, 2])
    func `the same object again changes nothing`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let tea = collection(scene)
        try ann.ok("SUB \(tea)")
        try ann.ok("PUT-ITEM id=a \(tea) {\"n\":1}")
        let again = try ann.ok("PUT-ITEM id=a \(tea) { \"n\" : 1 }")
        #expect(again["rev"] == "1" && again["dup"] == "yes")
        #expect(try ann.event("item") != nil)
        #expect(try ann.hearsNothing("item"))
    }

    @Test(arguments: [1, 2])
    func `names of collections are found without regard to case, and shown as they were made`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let name = SharedDaemon.name("tea")
        try ann.ok("PUT-ITEM id=a ITEMS/\(name.uppercased()) {}")
        #expect(try ann.ok("ITEM items/\(name) a")["coll"] == "items/\(name.uppercased())")
        for bad in ["items/a b", "items/", "items/\(String(repeating: "x", count: 33))", "items/a#b"] {
            let reply = try ann.request("PUT-ITEM id=a \(bad) {}")
            #expect(reply.code == "BAD-ARG", "\(bad): \(reply)")
        }
    }

    @Test(arguments: [1, 2])
    func `a long object is as long as a line may be`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let tea = collection(scene)
        let text = String(repeating: "x", count: 16_000)
        try ann.ok("PUT-ITEM id=a \(tea) {\"t\":\"\(text)\"}")
        #expect(try ann.ok("ITEM \(tea) a")["json"] == "{\"t\":\"\(text)\"}")
        #expect(try ann.request("PUT-ITEM id=a \(tea) {\"t\":\"\(text)\(text)\"}").code == "TOO-LONG")
        let marks = String(repeating: "\u{200F}", count: 5200)
        try ann.ok("PUT-ITEM id=a \(tea) {\"t\":\"\(marks)\"}")
        let escaped = String(repeating: "\\u200f", count: 5200)
        #expect(try ann.ok("ITEM \(tea) a")["json"] == "{\"t\":\"\(escaped)\"}")
    }

    @Test(arguments: [1, 2])
    func `a schema refuses what it does not say, and leaves what is there`(loops: Int) throws {
        let scene = try Scene(loops)
        let ann = try scene.user()
        let shop = "items/" + SharedDaemon.name("shop")
        let admin = try scene.daemon.operatorClient()
        try ann.ok("PUT-ITEM id=old \(shop) {\"price\":\"cheap\"}")
        let fields = #"{"name":"string","price":"double!","n":"int","hot":"bool","at":"date"}"#
        #expect(try admin.ok("ADMIN SCHEMA \(shop) \(fields)")["fields"] == "5")
        #expect(try ann.ok("ITEM \(shop) old")["json"] == "{\"price\":\"cheap\"}")
        try ann.ok(#"PUT-ITEM \#(shop) {"price":2,"n":3,"hot":false,"at":"2026-01-31T12:00:00Z","name":""}"#)
        for (json, field) in [
            (#"{"price":"cheap"}"#, "price"), (#"{"name":"x"}"#, "price"), (#"{"price":1,"n":1.5}"#, "n"),
            (#"{"price":1,"n":1e2}"#, "n"), (#"{"price":1,"hot":"yes"}"#, "hot"), (#"{"price":1,"at":"soon"}"#, "at"),
            (#"{"price":1,"name":7}"#, "name"), (#"{"price":1,"other":7}"#, "other"),
        ] {
            try ann.expectRefusal("PUT-ITEM \(shop) \(json)", "BAD-ARG", field: field)
        }
        try admin.ok("ADMIN SCHEMA \(shop) {}")
        try ann.ok(#"PUT-ITEM \#(shop) {"other":7}"#)
        for (json, field) in [("{\"a\":\"text\"}", "a"), ("{\"a\":1}", "a"), ("[]", "json"), ("", "json")] {
            try admin.expectRefusal("ADMIN SCHEMA \(shop) \(json)", "BAD-ARG", field: field)
        }
    }

    @Test func `the operator's number of items is a limit of each account`() throws {
        let daemon = try RunningDaemon(.init(settings: ["limits.items=1"]))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        try ann.ok("PUT-ITEM id=a items/tea {}")
        let full = try ann.refusal("PUT-ITEM id=b items/tea {}")
        #expect(full.code == "LIMIT" && full["key"] == "limits.items" && full["limit"] == "1")
        try ben.ok("PUT-ITEM id=b items/tea {}")
        try ann.ok("DEL-ITEM items/tea a")
        try ann.ok("PUT-ITEM id=c items/tea {}")
    }
}
