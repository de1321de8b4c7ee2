import ChatTesting
import Foundation
import Testing

@Suite("Items over time")
struct ItemLifeTests {
    private func files(_ daemon: RunningDaemon, contain text: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: daemon.data)?.compactMap { $0 as? String } ?? []
        return names.filter { name in
            guard let data = FileManager.default.contents(atPath: daemon.data + "/" + name) else { return false }
            return data.range(of: Data(text.utf8)) != nil
        }
    }

    private func lines(_ client: TestClient, _ collection: String) throws -> [String] {
        try client.rows("ITEMS limit=200 \(collection)").map(\.withoutTag)
    }

    @Test(arguments: [1, 2])
    func `items, deletions and schemas survive kill -9, from the journal and from a snapshot`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, admin) = (try daemon.user("ann"), try daemon.operatorClient())
        try ann.ok("CREATE private=yes #den")
        for number in 0..<300 { try ann.ok("PUT-ITEM id=i\(number % 40) items/tea {\"n\":\(number)}") }
        try ann.ok("DEL-ITEM items/tea i3")
        try ann.ok("PUT-ITEM id=x #den/todo {\"what\":\"متة\"}")
        try admin.ok("ADMIN SCHEMA items/shop {\"price\":\"double!\"}")
        let before = try (lines(ann, "items/tea"), lines(ann, "#den/todo"))
        for round in 0..<3 {
            if round == 1 { try daemon.operatorClient().ok("ADMIN SNAPSHOT") }
            daemon.kill()
            try daemon.start()
            let client = try daemon.another(of: ann)
            #expect(try lines(client, "items/tea") == before.0)
            #expect(try lines(client, "#den/todo") == before.1)
            try client.expectRefusal("PUT-ITEM items/shop {}", "BAD-ARG", field: "price")
            try client.ok("SUB since=300 items/tea")
            let event = try client.event("item")
            #expect(event?["op"] == "del" && event?["id"] == "i3" && event?["rev"] == "301")
        }
        #expect(daemon.terminate(within: 5) == 0)
        let check = try FcdRun(["check"], data: daemon.data)
        #expect(check.code == 0, "\(check.output) \(check.errors)")
    }

    @Test(arguments: [1, 2])
    func `what an erased account put is gone from every file after the next snapshot`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        for number in 0..<120 { try ann.ok("PUT-ITEM id=i\(number) items/tea {\"t\":\"s3cretword\(number)\"}") }
        try ben.ok("PUT-ITEM id=b items/tea {\"t\":\"other\"}")
        try daemon.operatorClient().ok("ADMIN SNAPSHOT")
        #expect(!files(daemon, contain: "s3cretword").isEmpty)
        try ben.ok("SUB since=121 items/tea")
        try ann.ok("UNREGISTER Secret123")
        #expect(try ben.rows("ITEMS items/tea").map { $0["id"] } == ["b"])
        #expect(try ben.events("item", count: 120).allSatisfy { $0["op"] == "del" })
        try daemon.operatorClient().ok("ADMIN SNAPSHOT")
        #expect(files(daemon, contain: "s3cretword") == [])
        daemon.kill()
        try daemon.start()
        #expect(try daemon.another(of: ben).rows("ITEMS items/tea").map { $0["id"] } == ["b"])
    }

    @Test(arguments: [1, 2])
    func `a slow reader costs nothing and hears what stands in the end`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        try ben.ok("SUB items/tea")
        let text = String(repeating: "x", count: 2000)
        for round in 0..<40 {
            _ = try ann.pipeline((0..<50).map { "PUT-ITEM id=i\($0) items/tea {\"r\":\(round),\"t\":\"\(text)\"}" })
        }
        var last: [String: String] = [:]
        var seq = 0
        while last.count < 50 || last.values.contains(where: { !$0.hasPrefix("{\"r\":39,") }) {
            guard let event = try ben.event("item", within: 10) else { break }
            #expect(event.seq > seq)
            seq = event.seq
            last[event["id"] ?? ""] = event["json"] ?? ""
        }
        #expect(last.count == 50 && last.values.allSatisfy { $0.hasPrefix("{\"r\":39,") })
    }

    @Test(arguments: [1, 2])
    func `EXPORT gives one's own items, page by page`(loops: Int) throws {
        let scene = try Scene(loops)
        let (ann, ben) = (try scene.user(), try scene.user("ben"))
        let tea = "items/" + SharedDaemon.name("tea")
        for number in 0..<5 { try ann.ok("PUT-ITEM id=a\(number) \(tea) {\"n\":\(number)}") }
        try ben.ok("PUT-ITEM id=b \(tea) {}")
        try ann.ok("SEND #lobby hello")
        var (rows, next) = ([ReceivedLine](), String?.none)
        for _ in 0..<20 {
            let page = try ann.ok("EXPORT \(next.map { "after=\($0) " } ?? "")limit=3")
            rows += page.rows
            next = page["next"]
            if next == nil { break }
        }
        #expect(rows.filter { $0.kind == "item" }.map { $0["id"] } == ["a0", "a1", "a2", "a3", "a4"])
        #expect(rows.contains { $0.kind == "msg" && $0["text"] == "hello" })
    }
}
