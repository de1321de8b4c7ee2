import ChatTesting
import Testing

@Suite("Large files cost little memory", .serialized)
struct BlobMemoryTests {
    private static let size = 26_214_400

    @Test(arguments: [1, 2])
    func `uploads of 25 MiB by slow and fast peers at once grow the server by little`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let good = try daemon.user("good")
        let bytes = noise(1 << 20)
        let senders = try (0..<8).map { try daemon.user("sender\($0)") }
        for sender in senders { try sender.send("@u PUT-BLOB size=\(Self.size) type=a/b\n") }
        let before = daemon.residentKiB
        for _ in 0..<24 {
            for sender in senders { try sender.send(bytes) }
            try good.ok("SEND #lobby still here")
        }
        #expect(daemon.residentKiB - before < 8 * 600 + 16_000, "grown by \(daemon.residentKiB - before) KiB")
        for sender in senders {
            try sender.send(bytes)
            #expect(try sender.reply(to: "u", within: 60).isOK)
        }
    }

    @Test(arguments: [1, 2])
    func `downloads of 25 MiB by peers that hardly read grow the server by little, and come whole`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let ann = try daemon.user("ann")
        let bytes = noise(Self.size)
        let put = try ann.upload(bytes, within: 60)
        let request = "GET \(path(of: put["url"])) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(ann.token)\r\n\r\n"
        let before = daemon.residentKiB
        let slow = try (0..<20).map { _ in try daemon.http(receiveBuffer: 4096, readSize: 100) }
        for client in slow { try client.send(request) }
        for _ in 0..<20 {
            for client in slow { _ = try client.drop() }
            try ann.ok("SEND #lobby still here")
        }
        #expect(daemon.residentKiB - before < 20 * 400 + 12_000, "grown by \(daemon.residentKiB - before) KiB")
        let fast = try daemon.http()
        try fast.send(request)
        fast.patience = 60
        #expect(try sha256(fast.answer().body) == put["sha256"])
    }

    @Test func `a reader with a tiny window gets exactly the bytes (B32)`() throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=2"]))
        let ann = try daemon.user("ann")
        let put = try ann.upload(noise(1_500_000))
        let client = try daemon.http(receiveBuffer: 2048, readSize: 700)
        client.patience = 90
        try client.send("GET \(path(of: put["url"])) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(ann.token)\r\n\r\n")
        #expect(try sha256(client.answer().body) == put["sha256"])
    }
}
