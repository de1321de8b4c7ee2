import ChatTesting
import Foundation
import Testing

@Suite("fcd import and fcd export")
struct ImportTests {
    private let directory = TemporaryDirectory()

    private func file(_ text: String) throws -> String {
        let path = directory.path + "/import-\(text.utf8.count).json"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    private static let sample = """
        [ {"text": "Hello", "name": "anonymous"},
          {"text": "How are you?\\nFine?", "name": "Ada L.", "photoUrl": null},
          {"name": "anonymous", "text": "مرحبا 👋"} ]
        """

    private func messages(_ daemon: RunningDaemon) throws -> [String] {
        let reader = try daemon.client()
        try reader.ok("AUTH anonymous=yes")
        return try reader.rows("HISTORY #lobby").map { "\($0["by"] ?? ""): \($0["text"] ?? "")" }
    }

    @Test func `a sample goes into the lobby of a running server, once, with its names`() throws {
        let daemon = try RunningDaemon()
        let path = try file(Self.sample)
        let run = try FcdRun(["import", path], data: daemon.data)
        #expect(run.code == 0 && run.output == "imported=3 there-already=0 skipped=0\n", "\(run.output) \(run.errors)")
        let expected = ["anonymous1: Hello", "AdaL.: How are you?\nFine?", "anonymous1: مرحبا 👋"]
        #expect(try messages(daemon) == expected)
        #expect(try daemon.user("ben").ok("PROFILE anonymous1")["display"] == "anonymous")
        let again = try FcdRun(["import", path], data: daemon.data)
        #expect(again.code == 0 && again.output == "imported=3 there-already=3 skipped=0\n")
        #expect(try messages(daemon) == expected)
        #expect(!readWhole(daemon.data + "/audit.log").contains("Hello"))
    }

    @Test func `the sample of the codelab goes in where no server runs`() throws {
        let path = try file(
            #"{"messages": {"-K2ib4H": {"text": "Hello", "name": "anonymous"}, "-K2ib5J": {"text": "Hi", "name": "bob"}}}"#
        )
        let data = directory.path + "/data"
        let run = try FcdRun(["import", path], data: data)
        #expect(run.code == 0 && run.output == "imported=2 there-already=0 skipped=0\n", "\(run.output) \(run.errors)")
        let export = try FcdRun(["export"], data: data)
        #expect(
            export.code == 0 && export.output.contains(#""by":"bob","text":"Hi"}"#),
            "\(export.output) \(export.errors)"
        )
        #expect(!export.output.contains("READY"))
    }

    @Test(arguments: [
        ("[{\"text\":\"a\",\"name\":\"b\"},\n{\"text\":\"c\"}]", "line 2"), ("{oops", "byte 1"), ("[", "line 1"),
        ("", "nothing"),
        ("{\"kind\":\"account\",\"user\":\"ada\"}\n{\"text\":1}\n", "line 2"),
        ("[{\"text\":\"\(String(repeating: "x", count: 4001))\",\"name\":\"b\"}]", "limits.text is 4000"),
    ])
    func `a file that is none is refused as a whole, with the line`(text: String, told: String) throws {
        let daemon = try RunningDaemon()
        let run = try FcdRun(["import", try file(text)], data: daemon.data)
        #expect(run.code == 2 && run.errors.contains(told), "\(run.errors)")
        #expect(try messages(daemon) == [])
    }

    @Test func `what is exported goes into another server and comes out the same`() throws {
        let daemon = try RunningDaemon()
        let (ann, ben) = (try daemon.user("ann"), try daemon.user("ben"))
        try ann.ok("PROFILE display=\"Ann A.\" bio=\"says little\"")
        try ann.ok("CREATE private=yes title=\"The den\" #den")
        try ann.ok("INVITE #den ben")
        try ben.ok("JOIN #den")
        try ann.ok("GRANT role=op #den ben")
        let first = try ann.ok("SEND #den one").seq
        try ann.ok("SEND #den gone")
        try ann.ok("DELETE #den \(first + 1)")
        try ben.ok("SEND reply=\(first) #den two")
        try ben.ok("SEND @ann psst")
        try ann.ok("SEND geo=52.5,13.4 #lobby here")
        try ann.ok(#"PUT-ITEM id=x items/tea {"name":"T","price":2.50,"hot":true}"#)
        try ben.ok(#"PUT-ITEM id=y #den/todo {"what":"\u200e"}"#)
        try daemon.operatorClient().ok(#"ADMIN SCHEMA items/tea {"name":"string","price":"double!","hot":"bool"}"#)
        let live = try FcdRun(["export"], data: daemon.data)
        #expect(live.code == 0 && !live.output.contains("Secret123") && !live.output.contains("gone"), "\(live.errors)")
        #expect(daemon.terminate(within: 5) == 0)
        let stopped = try FcdRun(["export"], data: daemon.data)
        #expect(stopped.output == live.output)
        let other = try RunningDaemon()
        let run = try FcdRun(["import", try file(live.output)], data: other.data)
        #expect(run.code == 0, "\(run.output) \(run.errors)")
        let back = try FcdRun(["export"], data: other.data)
        func comparable(_ text: String) -> [String] {
            text.split(separator: "\n").filter { !$0.contains("\"kind\":\"server\"") }.map {
                String($0).replacing(/"(seq|ts|rev|reply|created)":("[^"]*"|\d+),?/, with: "")
            }
        }
        #expect(comparable(back.output) == comparable(live.output))
        let code = try #require(try other.operatorClient().ok("ADMIN USER reset ann")["code"])
        let client = try other.client()
        try client.ok("AUTH ann \(code)")
        try client.ok("PASSWD another one")
        let den = try client.rows("HISTORY #den")
        #expect(den.map { $0["text"] } == ["one", "two"] && den[1].number("reply") == den[0].seq)
        let again = try FcdRun(["import", try file(live.output)], data: other.data)
        #expect(again.code == 0, "\(again.errors)")
        #expect(try FcdRun(["export"], data: other.data).output == back.output)
    }

    @Test func `what clashes ends the import and names the line`() throws {
        let daemon = try RunningDaemon()
        try daemon.user("ann").ok("PUT-ITEM id=x items/tea {}")
        for (line, told) in [
            (#"{"kind":"account","user":"ann","email":"other@example.test"}"#, "EXISTS (user)"),
            (#"{"kind":"item","coll":"items/tea","id":"x","by":"ann","json":{"n":1}}"#, "EXISTS (id)"),
            (##"{"kind":"message","conv":"#lobby","by":"nobody-here","text":"x"}"##, "NOT-FOUND (by)"),
            (##"{"kind":"conversation","conv":"#lobby","private":true}"##, "EXISTS (conv)"),
        ] {
            let text = "{\"kind\":\"server\",\"format\":1}\n\n\(line)\n"
            let run = try FcdRun(["import", try file(text)], data: daemon.data)
            #expect(run.code == 1 && run.errors.contains("line 3: \(told)"), "\(line): \(run.errors)")
        }
    }
}
