import Bytes
import SystemIO
import Testing

@testable import Transport

@Suite("Reading", .timeLimit(.minutes(10))) struct ReadingTests {
    private static let lines = (0..<300).map { "line \($0) " + String(repeating: "x", count: $0 * 7 % 900) + "\n" }

    @Test(arguments: [false, true], [1, 2, 3, 4] as [UInt64])
    func `bytes cut anywhere give the same lines`(tls: Bool, seed: UInt64) throws {
        let record = Record(Happenings())
        let loops = try Loops(tls: tls) { _ in TestHandler(record) }
        defer { loops.stop() }
        let client = try Client(loops.address, tls: tls)
        let all = Array(Self.lines.joined().utf8)
        var random = Seeded(seed)
        var at = 0
        while at < all.count {
            let size = seed == 1 ? all.count : Int.random(in: 1...(seed == 2 ? 40 : 5000), using: &random)
            try client.send(Array(all[at..<min(at + size, all.count)]))
            at += size
        }
        #expect(try client.receive(all.count) == all)
    }

    @Test(arguments: [false, true])
    func `an unfinished line is kept, shown again, and no memory is left behind it`(tls: Bool) throws {
        let record = Record(Happenings())
        let loops = try Loops(tls: tls) { _ in TestHandler(record) }
        defer { loops.stop() }
        let client = try Client(loops.address, tls: tls)
        for byte in Array("half".utf8) {
            let before = record.now.received
            try client.send([byte])
            #expect(record.reaches { $0.received > before })
        }
        let kept = try loops.ask { $0.connections.compactMap { $0?.kept.count } }
        #expect(kept == [4])
        try client.send(" done\n")
        #expect(try client.receiveText(10) == "half done\n")
        let capacity = try loops.ask { $0.connections.compactMap { $0?.kept.capacity } }
        #expect(capacity == [0])
    }

    @Test(arguments: [false, true])
    func `a pause after each line loses none, also of those that wait inside OpenSSL`(tls: Bool) throws {
        let record = Record(Happenings())
        let later = Later()
        let loops = try Loops(tls: tls) { _ in
            TestHandler(record) { handler in
                handler.onReceived = { connection, bytes in
                    let end = bytes.firstIndex(of: 0x0A) ?? -1
                    if end < 0 { return 0 }
                    connection.write(UnsafeRawBufferPointer(rebasing: bytes[...end]))
                    connection.pause()
                    // Some pauses end within the call, some within the turn, some in a later one.
                    if bytes.count % 3 == 0 { connection.resume() } else { later.resume(connection) }
                    return end + 1
                }
            }
        }
        defer { loops.stop() }
        later.loops.withLock { $0 = loops }
        let client = try Client(loops.address, tls: tls)
        for line in Self.lines { try client.send(line) }
        #expect(try client.receiveText(Self.lines.joined().utf8.count) == Self.lines.joined())
    }

    @Test(arguments: [false, true])
    func `the end of input during a pause is told after it, behind the last bytes`(tls: Bool) throws {
        let record = Record(Happenings())
        let loops = try Loops(tls: tls) { _ in
            TestHandler(record) { handler in
                handler.onReceived = { connection, bytes in
                    if record.now.received == 1 {
                        connection.pause()
                        return 0
                    }
                    return TestHandler.echo(connection, bytes)
                }
            }
        }
        defer { loops.stop() }
        let client = try Client(loops.address, tls: tls)
        try client.send("one\ntwo\nthr")
        #expect(record.reaches { $0.received == 1 })
        client.endOutput()
        #expect(try loops.ask { _ in record.now.ended }.isEmpty)
        _ = try loops.ask { loop in loop.forEachConnection { $0.resume() } }
        #expect(try client.receiveRest() == "one\ntwo\n")
        #expect(record.now.ended == ["thr"])
    }

    @Test(arguments: [false, true])
    func `who has ended his side still gets answers, and the end is told once`(tls: Bool) throws {
        let record = Record(Happenings())
        let loops = try Loops(tls: tls) { _ in TestHandler(record) { $0.onEnded = { _ in } } }
        defer { loops.stop() }
        let client = try Client(loops.address, tls: tls)
        try client.send("question\nunfin")
        client.endOutput()
        #expect(record.reaches { !$0.ended.isEmpty })
        let turns = try loops.ask { $0.turns }
        _ = try loops.ask { loop in
            loop.forEachConnection {
                $0.write("late answer\n")
                $0.finish()
            }
        }
        let rest = try client.receiveRest()
        #expect(rest == "question\nlate answer\n")
        #expect(record.now.ended == ["unfin"])
        #expect(try loops.ask { $0.turns } - turns < 20, "an ended input keeps the loop awake")
    }

    @Test func `a handler that consumes nothing is not fed without bound`() throws {
        let record = Record(Happenings())
        let loops = try Loops { _ in TestHandler(record) { $0.onReceived = { _, _ in 0 } } }
        defer { loops.stop() }
        let client = try Client(loops.address)
        try client.send([UInt8](repeating: 0x41, count: 200_000))
        #expect(try loops.eventually { loop in loop.connections.contains { $0?.isFull == true } })
        let kept = try loops.ask { $0.connections.compactMap { $0?.kept.count }.first ?? 0 }
        #expect(kept > 65536 && kept <= 131_072)
        // Resuming again and again must neither overrun the scratch nor read more than it holds.
        for _ in 0..<5 { _ = try loops.ask { loop in loop.forEachConnection { $0.resume() } } }
        #expect(try loops.ask { $0.connections.compactMap { $0?.kept.count }.first ?? 0 } <= 131_072)
    }
}

/// Resumes connections by mail to their loop.
private final class Later: Sendable {
    let loops = Lock<Loops?>(nil)

    func resume(_ connection: Connection) {
        let (slot, generation) = (connection.slot, connection.generation)
        loops.withLock { $0 }?.post { $0.connection(slot: slot, generation: generation)?.resume() }
    }
}
