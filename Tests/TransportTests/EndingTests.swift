import Bytes
import SystemIO
import Testing

@testable import Transport

@Suite("Ending", .timeLimit(.minutes(10))) struct EndingTests {
    @Test(arguments: [false, true])
    func `the last line arrives though the peer's input was not read`(tls: Bool) throws {
        let record = Record(Happenings())
        let loops = try Loops(tls: tls) { _ in
            TestHandler(record) { handler in
                handler.onReceived = { connection, bytes in
                    connection.write("BYE reason=flood\n")
                    connection.finish()
                    return 0
                }
            }
        }
        defer { loops.stop() }
        for _ in 0..<20 {
            let client = try Client(loops.address, tls: tls)
            try client.send([UInt8](repeating: 0x41, count: 150_000))
            #expect(try client.receiveRest() == "BYE reason=flood\n")
            client.close()
        }
        #expect(record.reaches { $0.closed == 20 })
        #expect(record.now.opened == 20)
    }

    @Test(arguments: [false, true])
    func `what was written before finish leaves first, also to a blocked reader`(tls: Bool) throws {
        let record = Record(Happenings())
        let loops = try Loops(tls: tls) { _ in TestHandler(record) }
        defer { loops.stop() }
        let client = try Client(loops.address, tls: tls, receiveBuffer: 2048)
        #expect(record.reaches { $0.opened == 1 })
        let bytes = [UInt8](repeating: 0x44, count: 12_000_000)
        _ = try loops.ask { loop in
            loop.forEachConnection { connection in
                bytes.withUnsafeBytes { connection.write($0) }
                connection.write("last line\n")
                connection.finish()
            }
        }
        #expect(record.now.closed == 0)
        #expect(try client.receive(bytes.count) == bytes)
        #expect(try client.receiveRest() == "last line\n")
    }

    @Test(arguments: [false, true])
    func `the bytes of a call stay valid in it, though it finishes or aborts the connection`(aborting: Bool) throws {
        let (record, seen) = (Record(Happenings()), Lock<[String]>([]))
        let loops = try Loops { _ in
            TestHandler(record) { handler in
                handler.onReceived = { connection, bytes in
                    guard record.now.received > 1 else {
                        connection.pause()
                        connection.resume()
                        return 1
                    }
                    if aborting { connection.abort() } else { connection.finish() }
                    seen.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
                    return 1
                }
            }
        }
        defer { loops.stop() }
        let client = try Client(loops.address)
        try client.send("x" + String(repeating: "y", count: 5000))
        #expect(record.reaches { $0.received == 2 })
        client.close()
        #expect(record.reaches { $0.closed == 1 })
        #expect(seen.withLock { $0 } == [String(repeating: "y", count: 5000)])
    }

    @Test func `a peer that never ends its side is closed after the lingering`() throws {
        var settings = TransportSettings()
        settings.lingerMilliseconds = 300
        let record = Record(Happenings())
        let loops = try Loops(settings: settings) { _ in TestHandler(record) { $0.onOpened = { $0.finish() } } }
        defer { loops.stop() }
        let client = try Client(loops.address)
        #expect(try client.receiveRest() == "")
        #expect(record.reaches { $0.closed == 1 })
        #expect(try loops.ask { $0.connectionCount } == 0)
    }

    @Test(arguments: [false, true], ["opened", "received", "ended", "writable", "expired", "job"])
    func `a connection aborted within any call is closed once and its slot is used again`(
        tls: Bool,
        place: String
    ) throws {
        let record = Record(Happenings())
        let loops = try Loops(tls: tls) { _ in TestHandler(record) { Self.abort(at: place, $0) } }
        defer { loops.stop() }
        for round in 1...3 {
            let client = try Client(loops.address, tls: tls, receiveBuffer: 4096)
            if place == "received" { try client.send("a\n") }
            if place == "ended" { client.endOutput() }
            if place == "writable" { _ = try client.receive(12_000_000) }
            if place == "job" {
                #expect(record.reaches { $0.opened == round })
                _ = try loops.ask { loop in loop.forEachConnection { $0.abort() } }
            }
            #expect(record.reaches { $0.closed == round })
        }
        #expect(record.now.opened == 3)
        #expect(try loops.ask { $0.connections.count } == 1)
        #expect(try loops.ask { $0.connectionCount + $0.intake.connectionCount } == 0)
    }

    private static func abort(at place: String, _ handler: TestHandler) {
        let end = { (connection: Connection) in
            connection.abort()
            connection.write("nothing\n")
            connection.finish()
            connection.resume()
            connection.abort()
        }
        switch place {
        case "opened": handler.onOpened = end
        case "received":
            handler.onReceived = { connection, bytes in
                end(connection)
                return bytes.count
            }
        case "ended": handler.onEnded = end
        case "writable":
            handler.onOpened = { connection in
                [UInt8](repeating: 1, count: 12_000_000).withUnsafeBytes { connection.write($0) }
            }
            handler.onWritable = end
        case "expired":
            handler.onOpened = { $0.deadline = $0.loop.seconds }
            handler.onExpired = end
        default: break
        }
    }

    @Test(arguments: [false, true])
    func `resets in every state leave the loop alive`(tls: Bool) throws {
        let record = Record(Happenings())
        let loops = try Loops(tls: tls) { _ in
            TestHandler(record) { handler in
                let block = [UInt8](repeating: 0x45, count: 300_000)
                handler.onOpened = { connection in block.withUnsafeBytes { connection.write($0) } }
                handler.onWritable = { connection in block.withUnsafeBytes { connection.write($0) } }
                handler.onReceived = { connection, bytes in
                    if bytes.first == 0x50 { connection.pause() }
                    if bytes.first == 0x46 { connection.finish() }
                    return bytes.count
                }
            }
        }
        defer { loops.stop() }
        for round in 0..<240 {
            let client = try Client(loops.address, tls: tls)
            switch round % 6 {
            case 0: break
            case 1: try client.send("Pause")
            case 2: try client.send("Finish")
            case 3: _ = try client.receiveSome()
            case 4: client.endOutput()
            default: _ = try Client(loops.address).reset()
            }
            client.reset()
        }
        #expect(record.reaches { $0.closed == $0.opened })
        #expect(try loops.eventually { $0.connectionCount == 0 })
        let client = try Client(loops.address, tls: tls)
        #expect(try client.receive(300_000).count == 300_000)
    }

    @Test func `stopping a loop closes every connection with its handler told`() throws {
        let record = Record(Happenings())
        let loops = try Loops { _ in TestHandler(record) }
        let clients = try (0..<5).map { _ in try Client(loops.address) }
        #expect(record.reaches { $0.opened == 5 })
        loops.stop()
        #expect(record.now.closed == 5)
        #expect(loops.intakes[0].connectionCount == 0)
        for client in clients { #expect(try client.receiveRest() == "") }
        #expect(throws: Errno.self) { try Client(loops.address) }
    }
}
