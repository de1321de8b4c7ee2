import SystemIO
import Testing

@testable import Transport

@Suite("Banned addresses", .timeLimit(.minutes(10))) struct BanTests {
    private static let word = "ERR not from there\n"

    private func ban(_ text: String, isOn: Bool = true, on loops: Loops, _ index: Int = 0) throws {
        let prefix = try #require(NetworkPrefix(text))
        try loops.ask(index) { $0.ban(prefix, isOn: isOn) }
    }

    private func echoes(_ client: Client) throws -> Bool {
        try client.send("hello\n")
        return try client.receive(6) == Array("hello\n".utf8)
    }

    @Test func `who comes from there hears why, and the handler hears nothing`() throws {
        let record = Record(Happenings())
        let loops = try Loops { _ in TestHandler(record) }
        defer { loops.stop() }
        try ban("127.0.0.0/8", on: loops)
        for text in ["", "a line\n", String(repeating: "x", count: 50_000)] {
            let client = try Client(loops.address)
            try client.send(text)
            #expect(try client.receiveRest() == Self.word)
            client.close()
        }
        #expect(try loops.eventually { $0.connectionCount == 0 })
        #expect(record.now == Happenings())
        try ban("127.0.0.0/8", isOn: false, on: loops)
        #expect(try echoes(Client(loops.address)))
    }

    @Test func `over TLS it ends before a handshake`() throws {
        let record = Record(Happenings())
        let loops = try Loops(tls: true) { _ in TestHandler(record) }
        defer { loops.stop() }
        try ban("127.0.0.1", on: loops)
        #expect(throws: (any Error).self) { try Client(loops.address, tls: true) }
        #expect(try loops.eventually { $0.connectionCount == 0 })
        #expect(record.now == Happenings())
    }

    @Test(arguments: ["10.0.0.0/8", "128.0.0.0/1", "::/0", "::1"])
    func `nobody else is concerned`(prefix: String) throws {
        let record = Record(Happenings())
        let loops = try Loops { _ in TestHandler(record) }
        defer { loops.stop() }
        let client = try Client(loops.address)
        #expect(try echoes(client))
        try ban(prefix, on: loops)
        #expect(try echoes(client) && echoes(Client(loops.address)))
        #expect(record.now.turnedAway == 0)
    }

    @Test func `a unix socket has no address`() throws {
        let record = Record(Happenings())
        let path = "/tmp/fcd-ban-\(CurrentProcess.identifier).sock"
        let loops = try Loops(on: .unix(path: path)) { _ in TestHandler(record) }
        defer { loops.stop() }
        for prefix in ["0.0.0.0/0", "::/0"] { try ban(prefix, on: loops) }
        #expect(try echoes(Client(loops.address)))
    }

    @Test func `of those who are there the open ones are the handler's, the others end at once`() throws {
        let record = Record(Happenings())
        let loops = try Loops(tls: true) { _ in TestHandler(record) }
        defer { loops.stop() }
        let open = try Client(loops.address, tls: true)
        #expect(try echoes(open))
        let (silent, half) = (try Client(loops.address), try Client(loops.address))
        try half.send([0x16, 3, 1, 2, 0])
        #expect(try loops.eventually { loop in loop.connections.contains { $0?.phase == .handshaking } })
        #expect(try loops.eventually { $0.connectionCount == 3 })
        try ban("127.0.0.1", on: loops)
        #expect(try loops.eventually { $0.connectionCount == 0 })
        #expect(record.now.turnedAway == 1 && record.now.closed == 1)
        withExtendedLifetime(silent) {}
    }

    @Test func `who waits for the peer to take the rest waits no longer`() throws {
        let record = Record(Happenings())
        let loops = try Loops { _ in
            TestHandler(record) { handler in
                handler.onOpened = { connection in
                    connection.write(String(repeating: "x", count: 32 << 20))
                    connection.finish()
                }
            }
        }
        defer { loops.stop() }
        let client = try Client(loops.address, receiveBuffer: 4096)
        #expect(record.reaches { $0.opened == 1 })
        try ban("127.0.0.1", on: loops)
        #expect(record.reaches { $0.closed == 1 })
        withExtendedLifetime(client) {}
    }

    @Test(arguments: [0, 1])
    func `it is enough that one loop knows: the one that accepts, or the one that gets it`(index: Int) throws {
        let record = Record(Happenings())
        let loops = try Loops(2) { _ in TestHandler(record) { $0.onTurnedAway = { _ in } } }
        defer { loops.stop() }
        // This one goes to loop 0 and stays there, so that the next is for loop 1.
        let first = try Client(loops.address)
        #expect(try echoes(first))
        try ban("127.0.0.1", on: loops, index)
        #expect(try Client(loops.address).receiveRest() == Self.word)
        #expect(record.now.opened == 1)
    }

    @Test func `a ban that is lifted where connections are accepted is lifted, though another loop does not know yet`()
        throws
    {
        let record = Record(Happenings())
        let loops = try Loops(2) { _ in TestHandler(record) }
        defer { loops.stop() }
        let first = try Client(loops.address)
        #expect(try echoes(first))
        try ban("127.0.0.1", on: loops, 1)
        try ban("10.0.0.0/8", on: loops, 0)
        try ban("10.0.0.0/8", isOn: false, on: loops, 0)
        let second = try Client(loops.address)
        #expect(try echoes(second))
        #expect(try loops.eventually(1) { $0.connectionCount == 1 })
    }
}
