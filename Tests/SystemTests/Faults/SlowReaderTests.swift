import ChatTesting
import SystemIO
import Testing

@Suite("A reader that does not read costs no memory (B28)", .serialized)
struct SlowReaderTests {
    private func longest(_ daemon: RunningDaemon, _ client: TestClient, while body: () throws -> Void) throws -> Double
    {
        let stop = Lock(false)
        let worst = Lock(0.0)
        let watch = SystemIO.Thread(name: "good client") {
            while !stop.withLock({ $0 }) {
                let start = monotonicSeconds()
                guard (try? client.request("SEND #lobby good"))?.isOK == true else {
                    return worst.withLock { $0 = 1000 }
                }
                let took = monotonicSeconds() - start
                worst.withLock { $0 = max($0, took) }
                pauseThread(0.05)
            }
        }
        defer {
            stop.withLock { $0 = true }
            watch.join()
        }
        try body()
        return worst.withLock { $0 }
    }

    @Test(arguments: [1, 2])
    func `30 subscribers that read nothing of 12 MB are never cut off and miss nothing`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let (ann, good) = (try daemon.user("ann"), try daemon.user("good"))
        try ann.ok("CREATE #room")
        let slow = try (0..<30).map { _ in
            let client = try daemon.another(of: ann, .init(receiveBuffer: 4096))
            try client.ok("SUB #room")
            return client
        }
        let text = String(repeating: "x", count: 3000)
        let count = 4000
        let before = daemon.residentKiB
        let worst = try longest(daemon, good) {
            _ = try ann.pipeline((0..<count).map { "SEND #room \($0) \(text)" }, within: 120)
        }
        let grown = daemon.residentKiB - before
        #expect(grown < count * 3 * 5 / 2 + 16_000 + 30 * 96, "grown by \(grown) KiB")
        #expect(worst < 2, "a good client waited \(worst) s for its OK")
        for client in [slow[0], slow[29]] {
            let numbers = try client.events("msg", count: count, within: 60).map {
                $0.text?.split(separator: " ").first ?? ""
            }
            #expect(numbers == (0..<count).map { "\($0)"[...] })
        }
        for client in slow { try client.ok("PING still", within: 60) }
    }

    @Test(arguments: [1, 2])
    func `replies queued for one who has not signed in are bounded, and none is lost`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let good = try daemon.user("good")
        // One of two lines is good, so that ten bad ones in a row never come and the flood may go on.
        let flood = Array((0..<20_000).map { "@a FROB \($0)\n@b PING \($0)\n" }.joined().utf8)
        let clients = try (0..<20).map { _ in try daemon.client(.init(isSecure: false, receiveBuffer: 4096)) }
        let before = daemon.residentKiB
        let taken = Lock<[Int]>([Int](repeating: 0, count: clients.count))
        let worst = try longest(daemon, good) {
            try together(
                clients.indices.map { index in
                    {
                        let count = try clients[index].push(flood, for: 3)
                        taken.withLock { $0[index] = count }
                    }
                }
            )
        }
        let grown = daemon.residentKiB - before
        #expect(grown < 20 * (64 + 64) + 12_000, "grown by \(grown) KiB")
        #expect(worst < 2, "a good client waited \(worst) s for its OK")
        let lines = flood[..<taken.withLock { $0[0] }].split(separator: 10, omittingEmptySubsequences: false).count - 1
        for number in 0..<lines {
            let line = try clients[0].line(within: 30)
            if number.isMultiple(of: 2) {
                #expect(line.tag == "a" && line.code == "BAD-VERB")
            } else {
                #expect(line.raw == "OK @b pong=\(number / 2)")
            }
        }
    }

    @Test(arguments: [1, 2])
    func `a thousand HISTORY replies nobody reads are bounded, and come whole when read`(loops: Int) throws {
        let daemon = try RunningDaemon(.init(settings: ["loops=\(loops)"]))
        let ann = try daemon.user("ann")
        try ann.ok("CREATE #room")
        let text = String(repeating: "h", count: 200)
        _ = try ann.pipeline((0..<200).map { "SEND #room \($0) \(text)" })
        let reader = try daemon.another(of: ann, .init(receiveBuffer: 4096))
        let before = daemon.residentKiB
        let asked = 300
        try reader.send((0..<asked).map { "@h\($0) HISTORY limit=200 #room\n" }.joined())
        // The replies would be 18 MB.
        for _ in 0..<20 {
            try ann.ok("SEND #lobby while it waits")
            pauseThread(0.02)
        }
        let grown = daemon.residentKiB - before
        #expect(grown < 8_000, "grown by \(grown) KiB")
        for number in 0..<asked {
            let reply = try reader.reply(to: "h\(number)", within: 30)
            #expect(reply.rows.count == 200 && reply.rows.first?.text == "0 \(text)" && reply.isOK)
        }
    }
}
