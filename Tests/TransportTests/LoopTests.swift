import CLinux
import Glibc
import SystemIO
import Testing

@testable import Transport

@Suite("Loops", .timeLimit(.minutes(10))) struct LoopTests {
    @Test(arguments: [false, true])
    func `two loops get as many connections each, and lose them again`(tls: Bool) throws {
        let record = Record(Happenings())
        let loops = try Loops(2, tls: tls) { _ in TestHandler(record) }
        defer { loops.stop() }
        let clients = try (0..<40).map { _ in try Client(loops.address, tls: tls) }
        for client in clients {
            try client.send("hello\n")
            #expect(try client.receiveText(6) == "hello\n")
        }
        #expect(try loops.ask(0) { $0.connectionCount } == 20)
        #expect(try loops.ask(1) { $0.connectionCount } == 20)
        for client in clients { client.close() }
        #expect(record.reaches { $0.closed == 40 })
        #expect(loops.intakes.map(\.connectionCount) == [0, 0])
    }

    @Test func `a connection knows its peer, its listener and a generation of its own`() throws {
        let record = Record(Happenings())
        let loops = try Loops { _ in TestHandler(record) }
        defer { loops.stop() }
        var seen: Set<UInt32> = []
        for round in 1...3 {
            let client = try Client(loops.address)
            #expect(record.reaches { $0.opened == round })
            let facts = try loops.ask { loop -> (UInt32, String, Int, Bool)? in
                guard let c = loop.connections.first ?? nil else { return nil }
                guard loop.connection(slot: c.slot, generation: c.generation) === c else { return nil }
                guard loop.connection(slot: c.slot, generation: c.generation &+ 1) == nil else { return nil }
                return (c.generation, c.peerAddress, c.listener, c.isTLS)
            }
            #expect(facts?.1 == "127.0.0.1")
            #expect(facts?.2 == 3)
            #expect(facts?.3 == false)
            if let facts { seen.insert(facts.0) }
            client.close()
            #expect(record.reaches { $0.closed == round })
        }
        #expect(seen.count == 3)
    }

    @Test func `a unix socket is served, and its path is taken over from a dead process`() throws {
        let path = try TestDirectory.path("chat.sock")
        for _ in 0..<2 {
            let record = Record(Happenings())
            let loops = try Loops(on: .unix(path: path)) { _ in TestHandler(record) }
            defer { loops.stop() }
            #expect(loops.address == "unix:" + path)
            var status = stat()
            #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
            let client = try Client(loops.address)
            try client.send("hello\n")
            #expect(try client.receiveText(6) == "hello\n")
            #expect(try loops.ask { $0.connections.compactMap { $0?.peerAddress } } == ["unix"])
        }
        // What a killed process leaves behind: a bound path that nobody listens on.
        let number = fc_listen(1, path, 0, 1)
        close(number)
        let record = Record(Happenings())
        let loops = try Loops(on: .unix(path: path)) { _ in TestHandler(record) }
        defer { loops.stop() }
        #expect(throws: Never.self) { try Client(loops.address) }
    }

    @Test func `what a unix peer wrote before it went is read after a pause`() throws {
        let record = Record(Happenings())
        let path = try TestDirectory.path("paused.sock")
        let loops = try Loops(on: .unix(path: path)) { _ in TestHandler(record) { $0.onOpened = { $0.pause() } } }
        defer { loops.stop() }
        let client = try Client(loops.address)
        try client.send("unread\nrest")
        client.close()
        #expect(try loops.eventually { loop in loop.connections.contains { $0?.isDetached == true } })
        let before = try loops.ask { $0.turns }
        _ = try loops.ask { loop in loop.forEachConnection { $0.resume() } }
        #expect(record.reaches { $0.closed == 1 })
        #expect(record.now.received == 1)
        #expect(try loops.ask { $0.turns } - before < 20)
    }

    @Test func `a deadline is told once, in total time, and nil takes it back`() throws {
        let record = Record(Happenings())
        let loops = try Loops { _ in
            TestHandler(record) {
                $0.onOpened = { $0.deadline = $0.loop.seconds + 1 }
                $0.onExpired = { _ in }
            }
        }
        defer { loops.stop() }
        let first = try Client(loops.address)
        let second = try Client(loops.address)
        #expect(record.reaches { $0.opened == 2 })
        _ = try loops.ask { $0.connection(slot: 1, generation: 1)?.deadline = nil }
        let begin = Clock.monotonicNanoseconds
        while Clock.monotonicNanoseconds - begin < 2_500_000_000 {
            // Bytes do not put it off.
            try first.send("a\n")
            try second.send("b\n")
            usleep(50_000)
        }
        #expect(record.now.expired == 1)
        #expect(try loops.ask { $0.connections.compactMap { $0?.deadline } } == [])
    }

    @Test func `a loop without work does not turn`() throws {
        let record = Record(Happenings())
        let loops = try Loops(tls: true) { _ in TestHandler(record) }
        defer { loops.stop() }
        let clients = try (0..<5).map { _ in try Client(loops.address, tls: true) }
        #expect(record.reaches { $0.opened == 5 })
        usleep(200_000)
        let before = try loops.ask { $0.turns }
        usleep(1_500_000)
        #expect(try loops.ask { $0.turns } - before <= 3)
        #expect(clients.count == 5)
    }

    @Test func `a turn over 20 ms is counted`() throws {
        let record = Record(Happenings())
        let loops = try Loops { _ in TestHandler(record) }
        defer { loops.stop() }
        #expect(try loops.ask { $0.longTurns } == 0)
        _ = try loops.ask { _ in usleep(30_000) }
        #expect(try loops.ask { $0.longTurns } == 1)
    }

    @Test func `a watched descriptor calls its body`() throws {
        let record = Record(Happenings())
        let loops = try Loops { _ in TestHandler(record) }
        defer { loops.stop() }
        let bell = try WakeUp()
        let calls = Lock(0)
        _ = try loops.ask { loop in
            loop.watch(descriptor: bell.number) {
                bell.silence()
                calls.withLock { $0 += 1 }
            }
        }
        bell.ring()
        #expect(try loops.eventually { _ in calls.withLock { $0 } == 1 })
    }
}
