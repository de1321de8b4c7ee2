import ChatTesting
import Foundation
import Testing

extension FccTests {
    @Suite("Items, at a real server")
    struct ItemCommandTests {
        private let fcc: Fcc
        private let daemon: RunningDaemon
        private let ada: TestClient
        private let tea: String

        init() throws {
            fcc = try Fcc()
            daemon = try SharedDaemon.with(loops: 2)
            ada = try daemon.user(SharedDaemon.name("ada"))
            tea = "items/" + SharedDaemon.name("tea")
            try fcc.signIn(ada, at: daemon)
        }

        @Test func `Items are put, listed, got and deleted`() throws {
            #expect(
                try fcc.succeed("items", "put", "--id", "green", tea, "{\"price\":\n2.5, \"name\":\"T\"}") == "green\n"
            )
            let id = try fcc.succeed("items", "put", tea, #"{"price":4,"text":"a = b"}"#).dropLast()
            #expect(id.utf8.count == 8)
            #expect(try fcc.succeed("items", "get", tea, "green") == #"{"price":2.5,"name":"T"}"# + "\n")
            let all = try Fcc.objects(try fcc.succeed("items", "list", tea, "--json"))
            #expect(all.map { $0["id"] as? String } == ["green", String(id)])
            #expect((all.first?["json"] as? [String: any Sendable])?["price"] as? Double == 2.5)
            let some = try fcc.succeed("items", "list", "--where", "price>3", tea)
            #expect(some.hasPrefix("\(id)  {\"price\":4") && some.split(separator: "\n").count == 1)
            let stale = try fcc.run("items", "delete", "--rev", "2", tea, "green")
            #expect(stale.code == 1 && stale.err.hasPrefix("fcc: CONFLICT"), "\(stale.err)")
            try fcc.succeed("items", "delete", "--rev", "1", tea, "green")
            #expect(try fcc.run("items", "get", tea, "green").code == 1)
        }

        @Test func `Each line of standard input is an item`() throws {
            let run = try fcc.start(["items", "put", tea, "-"], input: "{\"n\":1}\n\n{\"n\":2}\n{oops\n{\"n\":3}\n")
                .finish()
            #expect(run.code == 1 && run.err.contains("2 put"), "\(run.err)")
            #expect(try ada.rows("ITEMS \(tea)").map { $0["json"] } == ["{\"n\":1}", "{\"n\":2}"])
        }

        @Test func `What is wrong is told before anything is sent`() throws {
            for wrong in [
                ["items", "list", "tea"], ["items", "lst", tea], ["items", "get", tea], ["items", "put", tea],
                ["items", "get", "--where", "a=1", tea, "x"], ["items", "put", "--rev", "x", tea, "{}"],
                ["items", "list"],
            ] {
                #expect(try fcc.start(wrong, input: "").finish().code == 2, "\(wrong)")
            }
        }

        @Test func `A watch shows what stands, then what changes`() throws {
            try ada.ok("PUT-ITEM id=a \(tea) {\"n\":1}")
            let watch = try fcc.start("--json", "items", "watch", tea)
            defer { watch.process.terminate() }
            func line() throws -> [String: any Sendable] { try #require(try Fcc.objects(watch.line() + "\n").first) }
            #expect(try line()["id"] as? String == "a")
            try ada.ok("PUT-ITEM id=b \(tea) {\"n\":2}")
            #expect((try line()["json"] as? [String: any Sendable])?["n"] as? Int == 2)
            try ada.ok("DEL-ITEM \(tea) a")
            let last = try line()
            #expect(last["op"] as? String == "del" && last["id"] as? String == "a" && last["seq"] as? Int == 3)
            let rest = try fcc.start("--json", "items", "watch", "--since", "2", tea)
            defer { rest.process.terminate() }
            #expect(try Fcc.objects(rest.line() + "\n").first?["op"] as? String == "del")
        }
    }
}
